#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# A higher level is not larger: level n + 1 by at most 0.1 % and 2 bytes, on every built-in body, two very repetitive ones among
# them, as NGINX calls deflate. With DIRECTORY, on the bodies there instead (build/corpus/judging, for example).
# usage: level_sizes.sh ZWIRE [DIRECTORY]
set -u

zwire=$1
build=$(cd "$(dirname "$zwire")" && pwd) || exit 1
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

bodies=${2-}
if [ -z "$bodies" ]; then
	bodies=$dir/bodies
	"$zwire" bench --dump "$bodies" || exit 1
fi
"$zwire" bench --lib "zwire=$build/libz.so.1" --only deflate --harness 3 --levels 1,2,3,4,5,6,7,8,9 --time 1 --rounds 1 \
	--json "$dir/result.json" "$bodies" >"$dir/log" 2>&1 || { cat "$dir/log"; exit 1; }
python3 - "$dir/result.json" <<-'END'
	import json, sys
	LEVELS, LEAST_BODIES = list(range(1, 10)), 10
	sizes = {}
	for r in json.load(open(sys.argv[1]))["results"]:
	    sizes.setdefault(r["body"], {})[r["level"]] = r["output_bytes"]
	assert len(sizes) >= LEAST_BODIES, len(sizes)
	failed = 0
	for body, by_level in sorted(sizes.items()):
	    assert sorted(by_level) == LEVELS, (body, by_level)
	    for level in LEVELS[1:]:
	        below, here = by_level[level - 1], by_level[level]
	        if here > below * 1.001 + 2:
	            print(f"FAILED: {body}: level {level} has {here} bytes, level {level - 1} {below} (+{here / below - 1:.2%})")
	            failed = 1
	print(f"{len(sizes)} bodies, levels {LEVELS[0]} to {LEVELS[-1]}")
	sys.exit(failed)
END
