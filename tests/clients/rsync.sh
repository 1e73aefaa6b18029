#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# rsync -z with each of its zlib codings, first a full copy and then deltas.
. "$(dirname "$0")/common.sh"
need rsync rsync
make_files "$work/from"
codings=$(rsync --version | sed -n '/^Compress list:/,/^[^ ]/{s/^ *//;/^Compress\|^$/!p}' | tr ' ' '\n' | grep -E '^zlibx?$')
[ -n "$codings" ] || skip "this rsync has no zlib coding"
for coding in $codings; do
	for level in 1 6 9; do
		rm -rf "$work/to"
		on_it rsync -a -z --zc="$coding" --zl=$level --no-whole-file "$work/from/" "$work/to/" || fail "$coding at level $level"
		diff -r "$work/from" "$work/to" || fail "$coding: other files"
		for f in "$work/to"/text*.html; do sed -i '3s/^/changed /;$s/$/ longer/' "$f"; done
		touch -d @0 "$work/to"/* 2>/dev/null
		on_it rsync -a -z --zc="$coding" --zl=$level --no-whole-file "$work/from/" "$work/to/" || fail "$coding: delta"
		diff -r "$work/from" "$work/to" || fail "$coding: other files after a delta"
	done
done
proved_on_it rsync -a -z --zc="$(echo "$codings" | head -1)" --no-whole-file "$work/from/" "$work/proof/" || fail "rsync"
say "$(echo $codings) at levels 1, 6, 9"
