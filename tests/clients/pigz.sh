#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# pigz: blocks in threads with dictionaries, independent blocks, rsyncable, zlib and zip formats; gzip reads what it wrote.
# Debian: pigz
. "$(dirname "$0")/common.sh"
need pigz pigz
make_files "$work/files"
cd "$work" || exit 1
cat files/text*.html files/noise.txt files/numbers.txt files/zeros.bin files/text*.html >big
count=0
for options in -0 -1 '-3 -b 128' -6 '-6 -i' '-9 -p 1' '-9 -p 4 -b 32' '-6 -R' '-9 -H' '-6 -U' '-6 -m -n'; do
	# shellcheck disable=SC2086 # several words
	proved_on_it pigz $options -c big >big.gz || fail "pigz $options"
	gzip -dc big.gz | cmp - big || fail "gzip reads pigz $options"
	on_it pigz -dc big.gz | cmp - big || fail "pigz -d after pigz $options"
	on_it pigz -t -p 1 big.gz || fail "pigz -t"
	count=$((count + 1))
done
for level in 1 6 9; do
	on_it pigz -z -$level -c big >big.zz && pigz -dc big.zz | cmp - big || fail "zlib format at level $level"
	on_it pigz -K -$level -c big >big.zip && pigz -dc big.zip | cmp - big || fail "zip format at level $level"
	gzip -$level -c big >theirs.gz && cat theirs.gz big.gz >two.gz
	proved_on_it pigz -dc two.gz >back && cat big big | cmp - back || fail "pigz -d of two members"
	pigz -z -$level -c big | on_it pigz -dc | cmp - big || fail "pigz -d of the system's zlib format"
done
head -c 50000 big.gz >cut.gz
on_it pigz -t cut.gz 2>/dev/null && fail "a cut file is not seen"
say "$count sets of options"
