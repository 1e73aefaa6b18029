#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# optipng tries levels, memory levels, strategies and filters; every pixel stays and no file grows.
# Debian: optipng
. "$(dirname "$0")/common.sh"
need optipng optipng
cd "$work" || exit 1
/usr/bin/python3 "$here/png_pixels.py" make . || fail "images"
for image in *.png; do
	before=$(/usr/bin/python3 "$here/png_pixels.py" sum "$image")
	proved_on_it optipng -quiet -nx -zc1-9 -zm8-9 -zs0-3 -f0-5 -out "out.$image" "$image" || fail "optipng $image"
	[ "$(/usr/bin/python3 "$here/png_pixels.py" sum "out.$image")" = "$before" ] || fail "$image has other pixels"
	[ "$(stat -c %s "out.$image")" -le "$(stat -c %s "$image")" ] || fail "$image grew"
	optipng -quiet -nx -zc9 -zm9 -zs0-3 -f0-5 -out "theirs.$image" "$image" || fail "optipng on the system's zlib"
	on_it optipng -quiet -nx -zc9 -zm9 -zs0 -f0 -force -out "again.$image" "theirs.$image" || fail "reading what the system's zlib wrote"
	[ "$(/usr/bin/python3 "$here/png_pixels.py" sum "again.$image")" = "$before" ] || fail "$image has other pixels the second time"
	say "$image: $(stat -c %s "$image") bytes, here $(stat -c %s "out.$image"), on the system's zlib $(stat -c %s "theirs.$image")"
done
