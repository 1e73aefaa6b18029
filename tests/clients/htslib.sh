#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# htslib's bgzip and tabix: blocks, index, regions and offsets. Debian builds htslib with libdeflate for its own blocks, so
# zlib's part is plain gzip files, checksums and indexes; a build without libdeflate is tested the same way.
# Debian: tabix
. "$(dirname "$0")/common.sh"
need bgzip tabix
need tabix tabix
cd "$work" || exit 1
awk 'BEGIN { srand(5); for (c = 1; c <= 3; c++) for (p = 100; p < 400000; p += 20) printf "chr%d\t%d\t%d\tf%d\t%d\n", c, p, p + 10, p * c, rand() * 1000 }' >all.bed
for level in 0 1 6 9; do
	proved_on_it bgzip -@ 2 -l $level -i -c all.bed >all.bed.gz 2>log || { cat log >&2; on_it bgzip -l $level -c all.bed >all.bed.gz || fail "bgzip -l $level"; }
	gzip -dc all.bed.gz | cmp - all.bed || fail "gzip reads bgzip -l $level"
	on_it bgzip -dc all.bed.gz | cmp - all.bed || fail "bgzip -d"
	on_it bgzip -r all.bed.gz || fail "bgzip -r"
	on_it bgzip -b 500000 -s 1234 all.bed.gz | cmp - <(tail -c +500001 all.bed | head -c 1234) || fail "bgzip -b"
	proved_on_it tabix -f -p bed all.bed.gz || fail "tabix -p"
	for region in chr1:1-5000 chr2:200001-230000 chr3:399000-500000; do
		IFS=':-' read -r name from to <<<"$region"
		awk -v n="$name" -v f="$from" -v t="$to" '$1 == n && $3 >= f && $2 < t' all.bed >want
		on_it tabix all.bed.gz "$region" | cmp - want && tabix all.bed.gz "$region" | cmp - want || fail "tabix $region"
		[ -s want ] || fail "an empty region"
	done
	gzip -$((level > 0 ? level : 1)) -c all.bed >plain.gz
	cat plain.gz plain.gz >two.gz
	proved_on_it bgzip -dc plain.gz | cmp - all.bed || fail "bgzip -d of a plain gzip file"
	on_it bgzip -dc two.gz | cmp - <(cat all.bed all.bed) || fail "bgzip -d of two members"
done
ldd "$(command -v bgzip)" | grep -q libdeflate && say "this htslib has libdeflate for its blocks"
say "$(wc -l <all.bed) lines"
