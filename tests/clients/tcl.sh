#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Tcl's zlib command: strings, streams, channel transforms, checksums; what one library wrote the other reads.
# Debian: tcl
. "$(dirname "$0")/common.sh"
need tclsh tcl
tclsh=$(readlink -f "$(command -v tclsh)")
mkdir -p "$work/mine" "$work/theirs"
trip=$here/tcl_round_trip.tcl
proved_on_it "$tclsh" "$trip" write "$work/mine" || fail "writing"
on_it "$tclsh" "$trip" read "$work/mine" || fail "reading its own"
"$tclsh" "$trip" read "$work/mine" || fail "the system's zlib reads what was written"
"$tclsh" "$trip" write "$work/theirs" && on_it "$tclsh" "$trip" read "$work/theirs" || fail "reading what the system's zlib wrote"
for file in "$work"/mine/*.gz; do
	gzip -dc "$file" | cmp - "$work/mine/text" || fail "gzip reads $file"
done
