#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# libarchive's bsdtar: tar.gz, zip and 7zip archives with deflate; the system's tar, Python and bsdtar read them.
# Debian: libarchive-tools
. "$(dirname "$0")/common.sh"
need bsdtar libarchive-tools
make_files "$work/files"
cd "$work" || exit 1
unpack() {      # unpack RUNNER ARCHIVE: and compare
	rm -rf out && mkdir out && $1 bsdtar -xf "$2" -C out && diff -r files out/files
}
direct() { "$@"; }
for level in 1 6 9; do
	for kind in tgz zip 7z xar; do
		case $kind in
		tgz) options=(--format pax -z --options "gzip:compression-level=$level") ;;
		zip) options=(--format zip --options "zip:compression=deflate,zip:compression-level=$level") ;;
		7z) options=(--format 7zip --options "7zip:compression=deflate,7zip:compression-level=$level") ;;
		xar) options=(--format xar --options "xar:compression=gzip,xar:compression-level=$level") ;;
		esac
		proved_on_it bsdtar -cf "mine.$kind" "${options[@]}" files || fail "$kind at level $level"
		bsdtar -cf "theirs.$kind" "${options[@]}" files || fail "the system's zlib: $kind at level $level"
		for archive in "mine.$kind" "theirs.$kind"; do
			unpack on_it "$archive" || fail "unpacking $archive of level $level"
			unpack direct "$archive" || fail "the system's zlib unpacks $archive of level $level"
		done
	done
	rm -rf out && mkdir out && tar -xzf mine.tgz -C out && diff -r files out/files || fail "GNU tar reads the archive"
	/usr/bin/python3 - mine.zip <<'PY' || fail "Python reads the archive"
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
    assert z.testzip() is None and len(z.namelist()) > 40
    assert any(i.compress_type == zipfile.ZIP_DEFLATED for i in z.infolist())
PY
done
head -c $(($(stat -c %s mine.tgz) / 2)) mine.tgz >cut.tgz      # the checksum at the end is none of libarchive's concerns
on_it bsdtar -tf cut.tgz >/dev/null 2>&1 && fail "a cut archive is not seen"
say "tar.gz, zip, 7zip and xar at levels 1, 6, 9"
