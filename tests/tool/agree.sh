#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# bench/agree on results that are made here: what agrees, what does not, and what must not be compared.
# usage: agree.sh ZWIRE
set -u

here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failed=0

# make NAME PYTHON: a result of 20 arms whose rows the expression may change; r is the row, n its number.
make() {
	python3 - "$dir/$1.json" "$2" <<-'END' || failed=1
		import json, sys
		def spread(middle, half):
		    return {"median": middle, "low": middle - half, "high": middle + half}
		rows = []
		for n in range(20):
		    r = {"body": "page.html", "arm": f"level {n // 2}", "library": "ab"[n % 2], "is_measured": True, "limit": "server", "wire_bytes": 1000 + n,
		         "content_encoding": "gzip", "vary": "Accept-Encoding", "requests_to_first": 1.0 + n % 2, "cpu_to_first": 1.0 - n % 2 / 2}
		    for name in ("requests_per_s", "cpu_us_per_response", "p50_ms", "p95_ms", "p99_ms", "peak_rss_kb"):
		        r[name] = spread(100.0, 5.0)
		    for name in ("requests_to_first", "cpu_to_first"):
		        r[name + "_low"], r[name + "_high"] = r[name] - .1 * (n % 2), r[name] + .1 * (n % 2)
		    exec(sys.argv[2], {"r": r, "n": n, "spread": spread})
		    rows.append(r)
		json.dump({"command": "zwire lab", "results": rows}, open(sys.argv[1], "w"))
	END
}

expect() {
	local code=$1 text=$2 got
	shift 2
	"$here/../../bench/agree" "$@" >"$dir/out" 2>&1
	got=$?
	if [ $got -ne "$code" ] || ! grep -qF -- "$text" "$dir/out"; then
		echo "FAILED: agree $*: exit $got, wanted $code and '$text'; it said:"
		cat "$dir/out"
		failed=1
	fi
}

make same ''
make near 'r["cpu_us_per_response"] = spread(108.0, 4.0)'
make one_apart 'if n == 7: r["cpu_us_per_response"] = spread(120.0, 4.0)'
make two_apart 'if n in (7, 8): r["cpu_us_per_response"] = spread(120.0, 4.0)'
make idle 'r["requests_per_s"] = spread(900.0, 1.0); r["limit"] = "client"'
make ratio 'r["cpu_to_first"] = r["cpu_to_first_high"] = r["cpu_to_first_low"] = .9 if n % 2 else 1.0'
make bytes 'if n == 3: r["wire_bytes"] = 7'
make fewer 'if n == 3: r["is_measured"] = False; r.pop("limit")'
expect 0 'cpu_us_per_response: 20 of 20 agree (100 %); half an interval is 5 %' "$dir/same.json" "$dir/same.json"
expect 0 'cpu_us_per_response: 20 of 20 agree' "$dir/same.json" "$dir/near.json"
expect 0 'cpu_us_per_response: 19 of 20 agree (95 %)' "$dir/same.json" "$dir/one_apart.json"
expect 0 'page.html, level 3, b: 100 (95 to 105) and 120 (116 to 124)' "$dir/same.json" "$dir/one_apart.json"
expect 0 'all together: 138 of 140 agree (98.6 %)' "$dir/same.json" "$dir/two_apart.json"
expect 1 'all together: 138 of 140 agree (98.6 %)' "$dir/same.json" "$dir/two_apart.json" --percent 99
expect 0 'requests_per_s: nothing to compare' "$dir/same.json" "$dir/idle.json"
expect 1 'cpu_to_first: 0 of 10 agree (0 %)' "$dir/same.json" "$dir/ratio.json"
expect 1 'wire_bytes was 1003 and is 7' "$dir/same.json" "$dir/bytes.json"
expect 1 'is_measured was True and is False' "$dir/same.json" "$dir/fewer.json"
echo '{}' >"$dir/empty.json"
expect 3 'it is no result of zwire lab' "$dir/same.json" "$dir/empty.json"
expect 3 'nonexistent' "$dir/same.json" "$dir/nonexistent.json"

[ $failed -eq 0 ] && echo 'bench/agree: all as expected'
exit $failed
