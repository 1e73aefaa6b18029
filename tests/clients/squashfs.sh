#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# mksquashfs and unsquashfs with gzip: levels, windows, strategies and block sizes.
# Debian: squashfs-tools
. "$(dirname "$0")/common.sh"
need mksquashfs squashfs-tools
make_files "$work/files"
cd "$work" || exit 1
count=0
for options in '-Xcompression-level 1' '-Xcompression-level 6 -b 4096' '-Xcompression-level 9 -b 1048576' \
	'-Xcompression-level 9 -Xwindow-size 8 -Xstrategy default' \
	'-Xcompression-level 9 -Xwindow-size 12 -Xstrategy default,filtered,huffman_only,run_length_encoded,fixed'; do
	# shellcheck disable=SC2086 # several words
	proved_on_it mksquashfs files mine.img -noappend -no-progress -processors 2 -comp gzip $options >log 2>&1 || { cat log >&2; fail "mksquashfs $options"; }
	# shellcheck disable=SC2086
	mksquashfs files theirs.img -noappend -no-progress -processors 2 -comp gzip $options >log 2>&1 || { cat log >&2; fail "mksquashfs on the system's zlib"; }
	for image in mine.img theirs.img; do
		rm -rf out && on_it unsquashfs -no-progress -d out $image >log 2>&1 && diff -r files out || { cat log >&2; fail "unsquashfs $image with $options"; }
	done
	rm -rf out && unsquashfs -no-progress -d out mine.img >log 2>&1 && diff -r files out || { cat log >&2; fail "the system's zlib unpacks it"; }
	count=$((count + 1))
done
say "$count sets of options, the last image $(stat -c %s mine.img) bytes, on the system's zlib $(stat -c %s theirs.img)"
