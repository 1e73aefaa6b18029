#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# libpng: images of every colour type written at every level and strategy, and read back.
. "$(dirname "$0")/common.sh"
need cc gcc
echo '#include <png.h>' | cc -E - >/dev/null 2>&1 || skip "no libpng headers here (Debian package libpng-dev)"
cc -O1 -Wall -Wextra -Werror -o "$work/png_round_trip" "$here/png_round_trip.c" -lpng || fail "does not compile"
proved_on_it "$work/png_round_trip" "$work" || fail "an image came back changed"
