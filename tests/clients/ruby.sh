#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Ruby's Zlib: streams, parameters, dictionaries, gzip files, checksums; what one library wrote the other reads.
# Debian: ruby
. "$(dirname "$0")/common.sh"
need ruby ruby
ruby=$(command -v ruby)
mkdir -p "$work/mine" "$work/theirs"
trip=$here/ruby_round_trip.rb
proved_on_it "$ruby" --disable-gems "$trip" write "$work/mine" || fail "writing"
on_it "$ruby" --disable-gems "$trip" read "$work/mine" || fail "reading its own"
"$ruby" --disable-gems "$trip" read "$work/mine" || fail "the system's zlib reads what was written"
"$ruby" --disable-gems "$trip" write "$work/theirs" && on_it "$ruby" --disable-gems "$trip" read "$work/theirs" ||
	fail "reading what the system's zlib wrote"
