#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Runs zwire bench as a person would: wrong usage, what cannot work, and a short run whose JSON is then read.
# usage: bench.sh ZWIRE
set -u

zwire=$1
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failed=0

# expect CODE TEXT ARGUMENT... - runs zwire; its exit code must be CODE and its output hold TEXT.
expect() {
	local code=$1 text=$2 got
	shift 2
	"$zwire" "$@" >"$dir/out" 2>&1
	got=$?
	if [ $got -ne "$code" ] || { [ -n "$text" ] && ! grep -qF -- "$text" "$dir/out"; }; then
		echo "FAILED: zwire $*: exit $got, wanted $code and '$text'; it said:"
		cat "$dir/out"
		failed=1
	fi
}

PATH=$PATH:/usr/sbin:/sbin
system=$(ldconfig -p | sed -n 's/.*libz\.so\.1 .*=> //p' | head -n 1)

expect 2 'which command?'
expect 2 "no command 'bnech'" bnech
expect 0 'bench' --help
expect 0 'zwire ' --version
expect 0 '--harness LIST' bench --help
expect 2 'unknown option --levles' bench --levles 1
expect 2 '--levels wants' bench --levels 1,,2
expect 2 '--levels wants' bench --levels 13
expect 2 '--levels wants' bench --levels ''
expect 2 '--harness wants' bench --harness 4
expect 2 '--time wants' bench --time 0
expect 2 '--rounds wants' bench --rounds 1x
expect 2 '--bodies wants' bench --bodies turns
expect 2 '--only wants' bench --only both
expect 2 '--format wants' bench --format deflate
expect 2 '--native wants' bench --native zlib
expect 2 'they need --harness 1' bench --native "isal=$system" --harness 2,3
expect 3 'no libdeflate.so.0 at /nonexistent' bench --harness 1 --native libdeflate=/nonexistent
expect 2 '--chunk wants 1 to' bench --chunk 0
expect 2 '--window-bits wants 9 to 15' bench --window-bits 8
expect 2 '--mem-level wants 1 to 9' bench --mem-level 10
expect 2 '--output-buffer wants' bench --output-buffer x
expect 2 'json needs a value' bench --json
expect 2 '--lib wants NAME=PATH' bench --lib "$system"
expect 3 'no library at /nonexistent/libz.so.1' bench --lib "x=/nonexistent/libz.so.1"
expect 3 'nonexistent' bench --lib "a=$system" /nonexistent

echo 'not a library' >"$dir/libz.so.1"
expect 3 "$dir/libz.so.1" bench --lib "x=$dir/libz.so.1"
libc=$(ldconfig -p | sed -n 's/.*libm\.so\.6 .*=> //p' | head -n 1)
expect 3 'so it is no libz' bench --lib "x=$libc"

expect 0 '' bench --dump "$dir/bodies"
[ "$(sha256sum <"$dir/bodies/data.json")" = 'c143af4f22b79d0b6d21536d1cb0a43f4fc3ea9a4386a1628dd0139efcd76658  -' ] ||
	{ echo 'FAILED: data.json is not the published one'; failed=1; }

# A copy of the system's library stands for the second one: what is checked is the run, not its speed.
cp "$system" "$dir/libz-copy.so.1"
for how in mixed repeated; do
expect 0 "bodies $how" bench --lib "first=$system" --lib "second=$dir/libz-copy.so.1" --time 1 --rounds 2 --bodies $how \
	--levels 1,6 --harness 1,2,3 --json "$dir/result.json" "$dir/bodies/1k.html" "$dir/bodies/random.bin" "$dir/bodies/page.html"
grep -qF 'decoded by another library' "$dir/out" || { echo 'FAILED: nothing is said of proof'; failed=1; }
python3 - "$dir/result.json" "$dir/libz-copy.so.1" $how <<-'EOF' || failed=1
	import json, sys
	document = json.load(open(sys.argv[1]))
	results = document["results"]
	assert document["bodies_come"] == sys.argv[3]
	# 3 bodies x 2 libraries x (4 deflate modes x 2 levels + 2 inflate modes)
	assert len(results) == 3 * 2 * (4 * 2 + 2), len(results)
	assert [l["name"] for l in document["libraries"]] == ["first", "second"]
	assert document["libraries"][1]["file"] == sys.argv[2], document["libraries"]
	assert all(len(r["mb_per_s_rounds"]) == 2 and min(r["mb_per_s_rounds"]) > 0 for r in results)
	for first, second in zip(results[::2], results[1::2]):
	    assert (first["library"], second["library"]) == ("first", "second")
	    assert first["body"] == second["body"] and first["mode"] == second["mode"]
	    assert first["is_first"] and not second["is_first"] and first.get("level") == second.get("level")
	    assert first.get("output_bytes") == second.get("output_bytes")
	    assert second.get("size_to_first", 1) == 1
	    assert second["speed_to_first_low"] <= second["speed_to_first"] <= second["speed_to_first_high"]
	    assert "speed_to_first_low" not in first
	assert max(r["page_faults_per_response"] for r in results) < 2, [r for r in results if r["page_faults_per_response"] >= 2]
	nginx = [r for r in results if r["mode"] == "deflate-nginx"]
	assert len(nginx) == 12 and all(0 < r["memory_asked_bytes"] <= r["nginx_budget_bytes"] for r in nginx)
	assert all(r["nginx_alerts_per_response"] == 0 for r in nginx)
	assert {r["nginx_budget_bytes"] for r in nginx} == {24592, 270352}
	# Every body has each mode and level once for each library, and its own output: sizes differ as bodies do.
	cells = {(r["body"], r["mode"], r.get("level"), r["library"]) for r in results}
	assert len(cells) == len(results)
	sizes = {r["body"]: r["output_bytes"] for r in results if r["mode"] == "deflate-one" and r["level"] == 6}
	assert sizes["1k.html"] < 1024 < sizes["page.html"] < 70123 < 1 << 20 < sizes["random.bin"] < (1 << 20) + 1024, sizes
EOF
done

# A library that decodes one of two bodies wrongly is found, whether they are mixed or repeated; where they are mixed, even if it
# does so only behind another body.
cp "$system" "$dir/true.so"
here=$(cd "$(dirname "$0")" && pwd)
for when in 0 1; do
	"${CC:-cc}" -shared -fPIC -o "$dir/libz-wrong$when.so.1" "-DTRUE_LIBZ=\"$dir/true.so\"" -DWRONG_AFTER_ANOTHER=$when \
		-I "$here/../../include" "$here/wrong_libz.c" || { echo 'FAILED: cannot make the wrong library'; failed=1; }
done
wrong() {
	expect "$1" "$2" bench --bodies "$3" --lib "first=$system" --lib "wrong=$dir/libz-wrong$4.so.1" --time 1 --rounds 2 \
		--only inflate "${@:5}"
}
page="$dir/bodies/page.html" small="$dir/bodies/1k.html"
for how in mixed repeated; do
	wrong 0 '' $how 0 "$small"
	wrong 1 'that are not the body of 70123' $how 0 "$page" "$small"
done
wrong 1 'wrong could not decode what first wrote' mixed 1 "$page"
wrong 1 'that are not the body of 70123' mixed 1 "$page" "$small"

# A library that is none of its kind is left out, and the others are measured.
expect 1 'libdeflate is left out' bench --harness 1 --time 1 --rounds 1 --levels 1 --native "libdeflate=$system" "$small"
grep -q 'so it is no libdeflate' "$dir/out" && grep -q '1k.html  *1  system' "$dir/out" || { echo 'FAILED: not the reason, or no figures'; failed=1; }

expect 0 '"command": "zwire bench"' bench --lib "only=$system" --time 1 --rounds 1 --levels 0 --json - "$dir/bodies/1k.html"

[ $failed -eq 0 ] && echo 'zwire bench: all as expected'
exit $failed
