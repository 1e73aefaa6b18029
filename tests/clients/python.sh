#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# CPython's own tests of zlib, gzip, zipfile and tarfile (Debian: libpython3.X-testsuite).
. "$(dirname "$0")/common.sh"
python=/usr/bin/python3
[ -x $python ] || skip "no $python here (Debian package python3)"
$python -c 'import test.test_zlib' 2>/dev/null || skip "no tests of Python here (Debian package libpython3.X-testsuite)"

cd "$work" || exit 1
proved_on_it $python -c 'import zlib; assert zlib.decompress(zlib.compress(b"a" * 1000)) == b"a" * 1000' || fail "round trip"
on_it $python -m test -j1 test_zlib test_gzip test_zipfile test_tarfile >log 2>&1
status=$?
if [ $status -ne 0 ]; then
	# A test that fails on the system's zlib too says nothing about this one.
	$python -m test -j1 test_zlib test_gzip test_zipfile test_tarfile >log.system 2>&1
	grep -hE '^(FAIL|ERROR): ' log | sort >failed
	grep -hE '^(FAIL|ERROR): ' log.system | sort >failed.system
	if [ ! -s failed ] || [ -n "$(comm -23 failed failed.system)" ]; then
		tail -60 log >&2
		fail "$(comm -23 failed failed.system | head -5)"
	fi
	say "these fail on the system's zlib too: $(cat failed | tr '\n' ' ')"
fi
say "$(grep -E '^(Total tests|Total duration|All [0-9]+ tests|Result)' log | tr '\n' ' ')"
