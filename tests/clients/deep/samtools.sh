#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# samtools: BAM and CRAM written, sorted, indexed and read by region. Where htslib has libdeflate, zlib's part is small.
# Debian: samtools
. "$(dirname "$0")/../common.sh"
need samtools samtools
cd "$work" || exit 1
awk 'BEGIN {
	srand(9)
	for (i = 0; i < 60000; i++) bases = bases substr("ACGT", 1 + int(rand() * 4), 1)
	print ">chr1" > "chr1.fa"
	for (i = 0; i < 60000; i += 60) print substr(bases, i + 1, 60) > "chr1.fa"
	print "@HD\tVN:1.6\tSO:unsorted\n@SQ\tSN:chr1\tLN:60000" > "in.sam"
	for (r = 0; r < 20000; r++) {
		at = 1 + int(rand() * 59900)
		quality = ""
		for (k = 0; k < 100; k++) quality = quality sprintf("%c", 33 + int(rand() * 40))
		printf "read%d\t0\tchr1\t%d\t60\t100M\t*\t0\t0\t%s\t%s\n", r, at, substr(bases, at, 100), quality > "in.sam"
	}
}'
samtools faidx chr1.fa || fail "faidx"
sort_reads() { LC_ALL=C sort; }
grep -v '^@' in.sam | cut -f1-11 | sort_reads >want
for level in 0 1 6 9; do
	proved_on_it samtools sort -@ 1 -l $level -o mine.bam in.sam 2>log || { cat log >&2; fail "sort at level $level"; }
	on_it samtools index mine.bam && on_it samtools quickcheck mine.bam || fail "index"
	on_it samtools view mine.bam | cut -f1-11 | sort_reads | cmp - want || fail "view"
	samtools view mine.bam | cut -f1-11 | sort_reads | cmp - want || fail "view on the system's zlib"
	on_it samtools view mine.bam chr1:20000-20100 | cut -f1 | sort_reads >region
	awk '$4 <= 20100 && $4 + 99 >= 20000 { print $1 }' want | sort_reads | cmp - region && [ -s region ] || fail "a region"
	proved_on_it samtools view -C -T chr1.fa --output-fmt-option level=$level -o mine.cram mine.bam || fail "CRAM at level $level"
	samtools view -T chr1.fa mine.cram | cut -f1-11 | sort_reads | cmp - want || fail "the system's zlib reads CRAM"
	samtools view -C -T chr1.fa --output-fmt-option level=$level -o theirs.cram mine.bam && on_it samtools view -T chr1.fa theirs.cram |
		cut -f1-11 | sort_reads | cmp - want || fail "reading CRAM of the system's zlib"
	gzip -$((level ? level : 1)) -c in.sam >in.sam.gz
	on_it samtools view in.sam.gz | cut -f1-11 | sort_reads | cmp - want || fail "a gzipped SAM file"
done
say "$(wc -l <want) reads at four levels"
