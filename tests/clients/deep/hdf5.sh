#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# HDF5: a data set repacked with the GZIP filter at each level, with and without shuffling; h5diff finds no difference.
# Debian: hdf5-tools
. "$(dirname "$0")/../common.sh"
need h5repack hdf5-tools
need h5import hdf5-tools
cd "$work" || exit 1
awk 'BEGIN { srand(5); for (y = 0; y < 300; y++) { for (x = 0; x < 200; x++) printf "%d ", x * y + int(rand() * 9); print "" } }' >numbers
printf 'PATH numbers\nINPUT-CLASS TEXTIN\nINPUT-SIZE 32\nRANK 2\nDIMENSION-SIZES 300 200\nOUTPUT-CLASS IN\nOUTPUT-SIZE 32\n' >config
h5import numbers -c config -o plain.h5 >log 2>&1 || { cat log >&2; fail "h5import"; }
count=0
for level in 0 1 3 6 9; do
	for filter in "-f GZIP=$level" "-f SHUF -f GZIP=$level"; do
		# shellcheck disable=SC2086 # several words
		proved_on_it h5repack -l CHUNK=50x40 $filter plain.h5 mine.h5 || fail "h5repack $filter"
		on_it h5dump -pH mine.h5 | grep -q "COMPRESSION DEFLATE { LEVEL $level }" || fail "not compressed with $filter"
		on_it h5diff plain.h5 mine.h5 && h5diff plain.h5 mine.h5 || fail "other data with $filter"
		# shellcheck disable=SC2086
		h5repack -l CHUNK=50x40 $filter plain.h5 theirs.h5 && on_it h5diff plain.h5 theirs.h5 || fail "reading what the system's zlib wrote with $filter"
		[ $level -eq 0 ] || [ "$(stat -c %s mine.h5)" -lt "$(stat -c %s plain.h5)" ] || fail "the file is not smaller"
		count=$((count + 1))
	done
done
say "$count files"
