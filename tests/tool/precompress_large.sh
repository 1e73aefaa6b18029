#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# zwire precompress on a file of more than 4 GiB (sparse), whose length does not fit the twin's trailer. Only with ./check --deep
# (ZWIRE_TEST_PERCENT above 100); otherwise skipped (77).
set -u
zwire=$1
[ "${ZWIRE_TEST_PERCENT:-100}" -gt 100 ] || { echo 'takes minutes: only with --deep'; exit 77; }
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failed=0
fail() { echo "FAILED: $*"; failed=1; }
expect() { # CODE TEXT ARGS...
	local code=$1 text=$2 got
	shift 2
	"$zwire" precompress "$@" "$dir/t" >"$dir/out" 2>&1
	got=$?
	[ $got -eq "$code" ] && grep -qF -- "$text" "$dir/out" || { fail "$*: exit $got, wanted $code and '$text'"; cat "$dir/out"; }
}
mkdir "$dir/t"
seq 100000 >"$dir/t/f.txt"
truncate -s 4400M "$dir/t/f.txt"
seq 100000 >>"$dir/t/f.txt"
expect 0 '1 made' -l 9
gzip -dc "$dir/t/f.txt.gz" | cmp - "$dir/t/f.txt" || fail 'the twin holds something else'
expect 0 '1 kept'
printf x | dd of="$dir/t/f.txt" bs=1 seek=4400000000 conv=notrunc status=none
expect 1 stale --check -l 9
expect 0 '1 removed' -l 9 --min-gain 100%
[ ! -e "$dir/t/f.txt.gz" ] || fail 'the stale twin is there'
[ $failed -eq 0 ] && echo 'zwire precompress on more than 4 GiB: all as expected'
exit $failed
