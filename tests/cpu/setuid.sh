#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# setuid.sh KERNEL_SET - the variable that names a kernel set is followed by an ordinary program and ignored by one that is
# setuid or setgid.  Exit: 0 it is so, 1 it is not, 2 wrong usage, 77 it cannot be tried (not root, or a nosuid directory).
set -u
[ $# -eq 1 ] && [ -x "$1" ] || { echo "usage: $0 KERNEL_SET    (the program tests/cpu/kernel_set.c)" >&2; exit 2; }
[ "$(id -u)" -eq 0 ] || { echo 'setuid: skipped: only root can make a program that is setuid for another user'; exit 77; }
fail() { printf 'setuid: FAILED: %s\n' "$*" >&2; exit 1; }
best=$(env -u ZWIRE_KERNELS "$1") || fail 'the program does not run'
[ "$best" != portable ] || { echo 'setuid: skipped: this machine has only portable kernels'; exit 77; }

# Somewhere other users can run it, and where a setuid bit counts.
for base in "${TMPDIR:-/tmp}" /var/tmp "$(dirname "$1")"; do
	work=$(mktemp -d "$base/zwire-setuid-XXXXXX") || continue
	trap 'rm -rf "$work"' EXIT
	[[ $(findmnt -no OPTIONS -T "$work" 2>/dev/null) == *nosuid* ]] || break
	rm -rf "$work"
	work=''
done
[ -n "${work:-}" ] || { echo 'setuid: skipped: every temporary directory is mounted nosuid'; exit 77; }
chmod 755 "$work"
for bit in u+s g+s; do
	cp "$1" "$work/program" && chown 65534:65534 "$work/program" && chmod 755 "$work/program" || fail 'copy'
	[ "$(ZWIRE_KERNELS=portable "$work/program")" = portable ] || fail 'an ordinary program does not follow ZWIRE_KERNELS'
	chmod "$bit" "$work/program"
	chosen=$(ZWIRE_KERNELS=portable "$work/program") || fail "a program with $bit does not run"
	[ "$chosen" = "$best" ] || fail "a program with $bit follows ZWIRE_KERNELS: $chosen"
	rm -f "$work/program"
done
echo "setuid: $best, whatever ZWIRE_KERNELS says"
