#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# bench/bench_checksum.c, compiled alone: libraries that agree give a row for each size, ones that do not are named.
# usage: bench_checksum.sh ZWIRE (our libz.so.1 lies beside it)
set -u

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd) || exit 1
libz=$(dirname "$1")/libz.so.1
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failed=0

cc -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror "$top/bench/bench_checksum.c" -ldl -o "$dir/bench_checksum" || exit 1

# Bit by bit and byte by byte, from the definitions; WRONG is the size at which it errs.
cat >"$dir/other.c" <<-'EOF'
	#include <stddef.h>
	#include <stdint.h>
	uint32_t libdeflate_crc32(uint32_t crc, const unsigned char *p, size_t n)
	{
		size_t whole = n;
		for (crc = ~crc; n; n--) {
			crc ^= *p++;
			for (int bit = 0; bit < 8; bit++)
				crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
		}
		return ~crc ^ (whole == CRC_WRONG);
	}
	uint32_t libdeflate_adler32(uint32_t adler, const unsigned char *p, size_t n)
	{
		uint32_t a = adler & 0xffff, b = adler >> 16;
		size_t whole = n;
		for (; n; n--) {
			a = (a + *p++) % 65521;
			b = (b + a) % 65521;
		}
		return (b << 16 | a) + (whole == ADLER_WRONG);
	}
EOF
build_other() { cc -w -O2 -shared -fPIC "$@" "$dir/other.c" -o "$dir/other.so" || exit 1; }

# expect CODE TEXT ARGUMENT...
expect() {
	local code=$1 text=$2 got
	shift 2
	"$dir/bench_checksum" "$@" >"$dir/out" 2>&1
	got=$?
	if [ $got -ne "$code" ] || ! grep -qF -- "$text" "$dir/out"; then
		echo "FAILED: bench_checksum $*: exit $got, wanted $code and '$text'; it said:"
		cat "$dir/out"
		failed=1
	fi
}

build_other -DCRC_WRONG=-1 -DADLER_WRONG=-1
expect 0 'GB/s' "$libz" "$dir/other.so" 1
for kind in crc32 adler32; do
	for size in 64 128 256 512 1024 2048 4096 8192 16384 32768 65536; do
		grep -Eq "^$kind +$size( +[0-9.]+){3} +[0-9.]+%$" "$dir/out" || { echo "FAILED: no row for $kind of $size"; failed=1; }
	done
done
expect 2 'Usage: bench_checksum'
expect 2 'Usage: bench_checksum' "$libz" "$dir/other.so" 0
expect 3 '/nonexistent' "$libz" /nonexistent
expect 3 'has no libdeflate_crc32' "$libz" "$libz"
build_other -DCRC_WRONG=333 -DADLER_WRONG=-1
expect 1 'crc32 of 333 bytes is' "$libz" "$dir/other.so" 1
build_other -DCRC_WRONG=-1 -DADLER_WRONG=17
expect 1 'adler32 of 17 bytes is' "$libz" "$dir/other.so" 1

[ $failed -eq 0 ] && echo 'bench_checksum: all as expected'
exit $failed
