#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# java.util.zip on Debian's OpenJDK, which uses the system's libz: deflater, inflater, gzip, zip and checksums; what one
# library wrote the other reads.
# Debian: default-jdk-headless
. "$(dirname "$0")/../common.sh"
need java default-jdk-headless
need javac default-jdk-headless
java=$(readlink -f "$(command -v java)")
javac -d "$work" "$here/deep/ZipRoundTrip.java" 2>"$work/javac.log" || { cat "$work/javac.log" >&2; fail "does not compile"; }
mkdir "$work/mine" "$work/theirs"
run=("$java" -Xshare:auto -cp "$work" ZipRoundTrip)
home=$(dirname "$(dirname "$java")")
ldd "$home/lib/libzip.so" | grep -q 'libz\.so\.1' || skip "this Java has a zlib of its own"
proved_on_it "${run[@]}" write "$work/mine" || fail "writing"
on_it "${run[@]}" read "$work/mine" || fail "reading its own"
"${run[@]}" read "$work/mine" || fail "the system's zlib reads what was written"
"${run[@]}" write "$work/theirs" && on_it "${run[@]}" read "$work/theirs" || fail "reading what the system's zlib wrote"
on_it "$home/bin/jar" cf "$work/test.jar" -C "$work" mine && /usr/bin/python3 -c 'import sys, zipfile; assert zipfile.ZipFile(sys.argv[1]).testzip() is None' "$work/test.jar" ||
	fail "jar"
gzip -t "$work"/mine/*.gz || fail "gzip reads what Java wrote"
