#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# The man page of zwire precompress: groff (and mandoc, where it is) have nothing to say against it, it is installed, and it has the same
# options and exit codes as --help; docs/precompress.md names no option that there is not. Skipped (77) without groff.
set -u
zwire=$1
top=$(cd "$(dirname "$0")/../.." && pwd)
page=$top/docs/man/zwire-precompress.1
command -v groff >/dev/null || { echo 'groff is missing: skipped'; exit 77; }
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failed=0
fail() { echo "FAILED: $*"; failed=1; }

groff -ww -man -Tascii -P-cbou "$page" >"$dir/page" 2>"$dir/warnings" || fail 'groff fails'
[ ! -s "$dir/warnings" ] || { fail 'groff warns'; cat "$dir/warnings"; }
[ "$(wc -l <"$dir/page")" -gt 100 ] || fail 'the page is short'
if command -v mandoc >/dev/null; then
	mandoc -Tlint -W style "$page" >"$dir/lint" || { fail 'mandoc complains'; cat "$dir/lint"; }
fi

"$zwire" precompress --help | sed -n '/^  -/p' | grep -oE -- '--[a-z-]+|-[lnvq],' | tr -d , | sort -u >"$dir/help"
sed -n '/^OPTIONS/,/^EXIT/p' "$dir/page" | grep -E '^ {7}-' | grep -oE -- '--[a-z-]+|-[lnvq],' | tr -d , | sort -u >"$dir/man"
diff "$dir/help" "$dir/man" || fail 'options of --help (<) and of the man page (>) differ'
[ "$(wc -l <"$dir/help")" -gt 20 ] || fail 'too few options found'
grep -oE -- '`--[a-z-]+|precompress (-[a-z-]+ )+' "$top/docs/precompress.md" | grep -oE -- '--[a-z-]+' | sort -u |
	grep -vxF -e --sshlogin -f "$dir/help" && fail 'docs/precompress.md has options that there are not'

if [ -f "$(dirname "$zwire")/cmake_install.cmake" ] && command -v cmake >/dev/null; then
	cmake --install "$(dirname "$zwire")" --prefix "$dir/installed" --component man >/dev/null || fail 'cmake --install'
	cmp "$page" "$(find "$dir/installed" -name zwire-precompress.1)" || fail 'the page is not installed'
fi
[ $failed -eq 0 ] && echo 'man page: all as expected'
exit $failed
