#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# ffmpeg's codecs on zlib: png, apng, flashsv and zmbv, lossless, compared frame by frame; FFmpeg's png encoder is used at
# several levels.
# Debian: ffmpeg
. "$(dirname "$0")/../common.sh"
need ffmpeg ffmpeg
cd "$work" || exit 1
ff=(ffmpeg -nostdin -v error -y -bitexact)
source=(-f lavfi -i 'testsrc2=size=320x240:rate=5:duration=3')
sum() { "$@" -f framemd5 - | grep -v '^#' | awk '{ print $NF }'; }
count=0
for case in 'apng rgb24 apng 1' 'apng rgba apng 6' 'apng rgb24 apng 9' 'png rgb24 mkv 1' 'png gray mkv 9' 'zmbv bgr0 avi -' 'flashsv bgr24 flv -' 'flashsv2 bgr24 flv -' 'tiff rgb24 mkv -'; do
	read -r codec format container level <<<"$case"
	options=(-c:v "$codec" -pix_fmt "$format")
	[ "$level" = - ] || options+=(-compression_level "$level")
	[ "$codec" != tiff ] || options+=(-compression_algo deflate)
	[ "$codec" != apng ] || options+=(-plays 1)
	ffmpeg -hide_banner -encoders 2>/dev/null | grep -q " $codec " || continue
	proved_on_it "${ff[@]}" "${source[@]}" "${options[@]}" "mine.$container" || fail "ffmpeg writes $codec"
	"${ff[@]}" "${source[@]}" "${options[@]}" "theirs.$container" || fail "the system's zlib writes $codec"
	sum "${ff[@]}" -i "theirs.$container" >want
	[ "$(wc -l <want)" -eq 15 ] || fail "$codec: $(wc -l <want) frames"
	sum on_it "${ff[@]}" -i "mine.$container" | cmp - want || fail "$codec: other frames"
	sum "${ff[@]}" -i "mine.$container" | cmp - want || fail "$codec: other frames on the system's zlib"
	sum on_it "${ff[@]}" -i "theirs.$container" | cmp - want || fail "$codec: other frames of what the system's zlib wrote"
	[ "$codec" = flashsv2 ] || sum "${ff[@]}" "${source[@]}" -pix_fmt "$format" -c:v rawvideo | cmp - <(sum "${ff[@]}" -i "mine.$container" -pix_fmt "$format" -c:v rawvideo) ||
		fail "$codec is not lossless"
	count=$((count + 1))
done
[ $count -ge 6 ] || fail "only $count codecs"
say "$count codecs"
