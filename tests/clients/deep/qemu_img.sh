#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# qemu-img: compressed qcow2 and VMDK images are converted, checked and converted back.
# Debian: qemu-utils
. "$(dirname "$0")/../common.sh"
need qemu-img qemu-utils
cd "$work" || exit 1
make_files files
tar -cf - files files | dd of=disk.raw bs=64K conv=sync 2>/dev/null
truncate -s 20M disk.raw
count=0
for options in '-O qcow2 -o compression_type=zlib' '-O qcow2 -o compression_type=zlib,cluster_size=4096' '-O qcow2 -o compression_type=zlib,cluster_size=2M' \
	'-O vmdk -o subformat=streamOptimized'; do
	# shellcheck disable=SC2086 # several words
	proved_on_it qemu-img convert -c $options disk.raw mine.img 2>log || { cat log >&2; fail "qemu-img convert $options"; }
	# shellcheck disable=SC2086
	qemu-img convert -c $options disk.raw theirs.img || fail "the system's zlib"
	for image in mine.img theirs.img; do
		on_it qemu-img convert -O raw $image back.raw && cmp disk.raw back.raw || fail "$image of $options"
	done
	qemu-img convert -O raw mine.img back.raw && cmp disk.raw back.raw || fail "the system's zlib reads $options"
	case $options in *qcow2*) on_it qemu-img check -q mine.img || fail "qemu-img check" ;; esac
	[ "$(stat -c %s mine.img)" -lt "$(stat -c %s disk.raw)" ] || fail "not compressed"
	count=$((count + 1))
done
say "$count formats, the last one $(stat -c %s mine.img) bytes, on the system's zlib $(stat -c %s theirs.img)"
