#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# man-db: pages stored as .gz are indexed by mandb and shown by man; lexgrog reads their names.
# Debian: man-db groff-base
. "$(dirname "$0")/../common.sh"
need man man-db
need mandb man-db
need lexgrog man-db
need groff groff-base
mkdir -p "$work/man/man1"
for i in $(seq 40); do
	{
		printf '.TH PAGE%d 1\n.SH NAME\npage%d \\- description number %d\n.SH DESCRIPTION\n' "$i" "$i" "$i"
		seq "$i" 7 $((i * 500)) | sed 's/^/The number /; s/$/ is here. /'
	} >"$work/page"
	gzip -$((i % 9 + 1))nc "$work/page" >"$work/man/man1/page$i.1.gz"
done
cd "$work" || exit 1
export MANPATH=$work/man MAN_DISABLE_SECCOMP=1 LC_ALL=C
proved_on_it mandb -c -q -u "$work/man" >log 2>&1 || { cat log >&2; fail "mandb"; }
for i in 1 20 40; do
	zcat "man/man1/page$i.1.gz" >page.1
	proved_on_it man -l "man/man1/page$i.1.gz" >mine 2>log || { cat log >&2; fail "man page$i"; }
	man -l page.1 >theirs 2>log || fail "man on the page as it is"
	cmp mine theirs && grep -q "The number $((i + 7)) is" mine || fail "another text of page$i"
	[ "$(on_it lexgrog "man/man1/page$i.1.gz")" = "man/man1/page$i.1.gz: \"page$i - description number $i\"" ] || fail "lexgrog"
done
[ "$(on_it apropos -M "$work/man" -l 'description number' | wc -l)" -eq 40 ] || fail "apropos finds not all pages"
say "40 pages"
