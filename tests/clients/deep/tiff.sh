#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# libtiff: tiffcp -c zip with its levels and predictors, strips and tiles; every pixel stays.
# Debian: libtiff-tools
. "$(dirname "$0")/../common.sh"
need tiffcp libtiff-tools
need tiffcmp libtiff-tools
cd "$work" || exit 1
# an RGB image, uncompressed, little-endian, in one strip
/usr/bin/python3 - <<'PY' || fail "the image"
import struct
w, h, noise, pixels = 400, 300, 1, bytearray()
for y in range(h):
    for x in range(w * 3):
        noise = (noise * 1103515245 + 12345) % 2**31
        pixels.append((noise >> 16) % 256 if x > w and y > h * 3 // 4 else (x // 5 + y) % 256)
tags = [(256, 3, 1, w), (257, 3, 1, h), (258, 3, 3, None), (259, 3, 1, 1), (262, 3, 1, 2), (273, 4, 1, None), (277, 3, 1, 3),
        (278, 3, 1, h), (279, 4, 1, len(pixels)), (284, 3, 1, 1)]
after = 8 + 2 + 12 * len(tags) + 4
with open('plain.tif', 'wb') as f:
    f.write(struct.pack('<2sHI', b'II', 42, 8) + struct.pack('<H', len(tags)))
    for tag, kind, n, value in tags:
        f.write(struct.pack('<HHII', tag, kind, n, {258: after, 273: after + 6}.get(tag, value)))
    f.write(struct.pack('<I', 0) + struct.pack('<3H', 8, 8, 8) + pixels)
PY
count=0
for coding in zip zip:1 zip:p1 zip:2:p1 zip:2:p6 zip:2:p9; do
	for shape in '-s -r 16' '-s -r 300' '-t -w 128 -l 64'; do
		# shellcheck disable=SC2086 # several words
		proved_on_it tiffcp -c $coding $shape plain.tif mine.tif 2>/dev/null || fail "tiffcp -c $coding $shape"
		on_it tiffcmp plain.tif mine.tif || fail "other pixels with $coding $shape"
		tiffcmp plain.tif mine.tif || fail "other pixels on the system's zlib with $coding $shape"
		# shellcheck disable=SC2086
		tiffcp -c $coding $shape plain.tif theirs.tif 2>/dev/null && on_it tiffcp -c none theirs.tif back.tif && tiffcmp plain.tif back.tif ||
			fail "reading what the system's zlib wrote with $coding $shape"
		[ "$(stat -c %s mine.tif)" -lt "$(stat -c %s plain.tif)" ] || fail "not compressed"
		count=$((count + 1))
	done
done
ldd "$(command -v tiffcp)" | grep -q libdeflate && say "this libtiff has libdeflate for whole strips"
say "$count files"
