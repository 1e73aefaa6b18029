#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# zwire precompress where a tree has other file systems in it, or can be read only: in a mount namespace of its own, which needs the
# rights of root. Skipped (77) without.
set -u
zwire=$(readlink -f "$1")

if [ "${2:-}" != inside ]; then
	unshare -m true 2>/dev/null || { echo 'no right to make mounts: skipped'; exit 77; }
	exec unshare -m bash "$0" "$zwire" inside
fi
dir=$(mktemp -d) || exit 1
finish() { umount -R "$dir/t/tmp" "$dir/t/bind" "$dir/t/file.js" "$dir/ro" 2>/dev/null; rm -rf "$dir"; }
trap finish EXIT
failed=0
fail() { echo "FAILED: $*"; failed=1; }
expect() { # CODE TEXT ARGS...
	local code=$1 text=$2 got
	shift 2
	"$zwire" precompress "$@" >"$dir/out" 2>&1
	got=$?
	[ $got -eq "$code" ] && grep -qF -- "$text" "$dir/out" || { fail "$*: exit $got, wanted $code and '$text'"; cat "$dir/out"; }
}
same() { gzip -dc <"$1.gz" 2>/dev/null | cmp -s - "$1" || fail "$1.gz does not hold $1: $2"; }
absent() { [ ! -e "$1" ] || fail "$1 is there: $2"; }

mount --make-rprivate / 2>/dev/null
mkdir -p "$dir/t/own/deep" "$dir/t/tmp" "$dir/t/bind" "$dir/elsewhere/sub" "$dir/ro"
mount -t tmpfs tmpfs "$dir/t/tmp" || { echo 'no tmpfs here: skipped'; exit 77; }
mount --bind "$dir/elsewhere" "$dir/t/bind" || { echo 'no bind mounts here: skipped'; exit 77; }
mkdir "$dir/t/tmp/sub"
for f in own/deep/a.js tmp/b.js tmp/sub/c.js bind/d.js bind/sub/e.js; do seq 1000 >"$dir/t/$f"; done

# a bind mount has the device number of what it shows, and is a boundary all the same
[ "$(stat -c %d "$dir/t/bind")" = "$(stat -c %d "$dir/t/own")" ] || fail 'the bind mount should have the same device'
expect 0 '1 made' --one-file-system "$dir/t"
same "$dir/t/own/deep/a.js" 'beside the mounts'
for f in tmp/b.js tmp/sub/c.js bind/d.js bind/sub/e.js; do absent "$dir/t/$f.gz" '--one-file-system'; done
expect 0 '2 made' --one-file-system "$dir/t/bind"
same "$dir/t/bind/sub/e.js" 'a mount as the argument'
expect 0 '2 made, 3 kept' "$dir/t"
for f in tmp/b.js tmp/sub/c.js bind/d.js; do same "$dir/t/$f" 'without --one-file-system'; done

# one file mounted over another, as Kubernetes does it with subPath: the twin is of what is seen
seq 5000 >"$dir/t/tmp/config.js"
seq 10 >"$dir/t/file.js"
mount --bind "$dir/t/tmp/config.js" "$dir/t/file.js" && { expect 0 'made' "$dir/t"; same "$dir/t/file.js" 'a mounted file'; expect 0 '7 kept' "$dir/t"; }

# a tree that can only be read: right twins are no problem, others are told of
mkdir "$dir/data"
seq 1000 >"$dir/data/right.js"; seq 2000 >"$dir/data/stale.js"; seq 3000 >"$dir/data/missing.js"
expect 0 '3 made' "$dir/data"
rm "$dir/data/missing.js.gz"; seq 2500 >"$dir/data/stale.js"
mount --bind "$dir/data" "$dir/ro" && mount -o remount,bind,ro "$dir/ro" || { fail 'no read-only mount'; exit 1; }
before=$(find "$dir/data" -printf '%p %i %C@\n' | sort | cksum)
expect 1 '2 problems' --check "$dir/ro"
expect 1 '1 kept, 2 failed' "$dir/ro"
[ "$(grep -c 'Read-only file system' "$dir/out")" = 2 ] || { fail 'which files, and why?'; cat "$dir/out"; }
[ "$before" = "$(find "$dir/data" -printf '%p %i %C@\n' | sort | cksum)" ] || fail 'wrote into a read-only tree'
mount -o remount,bind,rw "$dir/ro"
expect 0 '2 made' "$dir/ro"
mount -o remount,bind,ro "$dir/ro"
expect 0 '3 kept' "$dir/ro"
expect 0 'check: 0 problems' --check "$dir/ro"

[ $failed -eq 0 ] && echo 'zwire precompress over mounts: all as expected'
exit $failed
