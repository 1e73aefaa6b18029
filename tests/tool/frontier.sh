#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# bench/frontier on a small made-up result: which points it names, what it leaves out, what the picture holds.
# usage: frontier.sh (any argument is ignored)
set -u

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd) || exit 1
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failed=0

# expect CODE TEXT ARGUMENT...
expect() {
	local code=$1 text=$2 got
	shift 2
	"$top/bench/frontier" "$@" >"$dir/out" 2>&1
	got=$?
	if [ $got -ne "$code" ] || ! grep -qF -- "$text" "$dir/out"; then
		echo "FAILED: bench/frontier $*: exit $got, wanted $code and '$text'; it said:"
		cat "$dir/out"
		failed=1
	fi
}

# ours: level 1 at 100 MB/s and 0.40, level 6 at 50 and 0.30, for both html bodies in the mean (x 2 and x 1/2 cancel), and
# json twice as fast and half as large.
python3 - "$dir" <<-'EOF'
	import json, sys
	points = [  # library, level, speed, size, whether inside
	    ("zwire", 1, 100, .40), ("zwire", 6, 50, .30),
	    ("slow", 1, 99, .40), ("slow", 6, 49, .35), ("slow", 9, 10, .31),          # inside
	    ("even", 1, 100, .41), ("even", 2, 99.9, .3999), ("even", 6, 20, .2999), ("even", 7, 101, .50)]
	rows = []
	def row(body, library, level, speed, size, **more):
	    rows.append(dict({"body": body, "mode": "deflate-one", "harness": "1", "library": library, "level": level,
	                      "mb_per_s": speed, "ratio": size, "is_first": False, "group_level": level}, **more))
	for library, level, speed, size in points:
	    row("a.html", library, level, speed * 2, size / 2)
	    row("b.html", library, level, speed / 2, size * 2)
	    row("dir/c.json", library, level, speed * 2, size / 2)
	    row("noise.bin", library, level, 1e6, .99)
	for body in ("a.html", "b.html", "dir/c.json", "noise.bin"):
	    row(body, "zwire", 0, 1e5, 1.001)                                           # stored: no point
	    row(body, "slow", 9, 1e5, .99 if body == "noise.bin" else .01, is_first=True, group_level=12)  # the reference beside another's level 12
	    row(body, "igzip", 0, 70, .45 if body != "noise.bin" else 1)                                              # compresses at level 0: a point
	    rows.append({"body": body, "mode": "inflate-one", "library": "zwire", "mb_per_s": 1})
	document = {"host": {"cpu": "A CPU <2>"}, "libraries": [{"name": name, "api": api} for name, api in (
	    ("slow", "zlib"), ("zwire", "zlib"), ("even", "libdeflate"), ("igzip", "isal"))],
	    "bodies": [{"name": name} for name in ("dir/c.json", "a.html", "b.html", "noise.bin")], "results": rows}
	json.dump(document, open(sys.argv[1] + "/good.json", "w"))
	json.dump(dict(document, results=[r for r in rows if (r["body"], r["library"]) != ("b.html", "even")]),
	          open(sys.argv[1] + "/hole.json", "w"))
	json.dump(dict(document, results=[r for r in rows if r["mode"] != "deflate-one"]), open(sys.argv[1] + "/none.json", "w"))
EOF
expect 0 '24 points of peers: 12 inside, 12 outside' "$dir/good.json" "$dir/made/f.svg"
python3 - "$dir/out" "$dir/made/f.svg" <<-'EOF' || { echo 'FAILED: what it found'; cat "$dir/out"; failed=1; }
	import sys
	import xml.etree.ElementTree as tree
	found = {}
	for line in open(sys.argv[1]):
	    words = line.replace("all kinds", "all").split()
	    if len(words) > 5 and words[5] in ("inside", "OUTSIDE"):
	        found[words[0], words[1], int(words[2])] = (words[5], float(words[3]), float(words[4]), " ".join(words[6:]))
	inside = {("slow", 1), ("slow", 6), ("slow", 9), ("igzip", 0)}
	# equally fast, a little smaller, the smallest of all, the fastest of all
	outside = {("even", 1), ("even", 2), ("even", 6), ("even", 7)}
	assert set(found) == {(kind, *point) for kind in ("html", "json", "all") for point in inside | outside}, sorted(found)
	for (kind, *point), (word, speed, size, text) in found.items():
	    assert (word == "inside") == (tuple(point) in inside), (kind, point, word)
	assert found["html", "slow", 1][1:3] == (99, .4) and found["json", "slow", 1][1:3] == (198, .2), found
	assert abs(found["all", "slow", 1][1] - 99 * 2 ** (1 / 3)) < .1, found["all", "slow", 1]
	assert found["html", "slow", 6][3] == "zwire 6 has 1.02 x the speed at 0.8571 of the size", found["html", "slow", 6]
	assert found["html", "igzip", 0][3] == "zwire 1 has 1.43 x the speed at 0.8889 of the size", found["html", "igzip", 0]
	assert found["html", "even", 2][3] == ("of the faster ones zwire 1 is the smallest, 1.0003 of the size; "
	                                       "of those no larger zwire 6 is the fastest, 0.50 x the speed")
	assert found["html", "even", 7][3] == "of those no larger zwire 1 is the fastest, 0.99 x the speed"
	root = tree.parse(sys.argv[2]).getroot()
	name = lambda tag: root.iter("{http://www.w3.org/2000/svg}" + tag)
	assert len([r for r in name("rect") if r.get("class") == "frame"]) == 3
	assert [t.text for t in name("text") if t.get("class") == "kind"] == ["html", "json", "all kinds"]
	assert len(list(name("polyline"))) == 3 * 4
	assert len([c for c in name("circle") if c.get("class") == "outside"]) == 3 * len(outside)
	assert len([c for c in name("circle") if c.get("class") is None]) == 3 * 10
	assert any("A CPU <2>" in (t.text or "") for t in name("title"))
	width, height = map(float, root.get("viewBox").split()[2:])
	assert all(0 < float(c.get("cx")) < width and 0 < float(c.get("cy")) < height for c in name("circle"))
EOF
expect 1 'outside' --check "$dir/good.json" "$dir/f.svg"
expect 0 '12 inside, 0 outside' --check --ours zwire --ours even "$dir/good.json" "$dir/f.svg"
expect 0 'Exit: 0 done' --help
expect 2 'wants the file' --check
expect 2 'invalid choice' --mode inflate-one "$dir/good.json"
expect 3 'cannot read' /nonexistent.json
expect 3 'even has no result for b.html at level 1' "$dir/hole.json" "$dir/f.svg"
expect 3 'no deflate results of mode deflate-one' "$dir/none.json" "$dir/f.svg"
expect 3 'no deflate results of mode deflate-nginx' --mode deflate-nginx "$dir/good.json" "$dir/f.svg"
expect 3 'has no library zwired' --ours zwired "$dir/good.json" "$dir/f.svg"
echo '[1' >"$dir/bad.json"
expect 3 'is no result of zwire bench' "$dir/bad.json" "$dir/f.svg"
echo '{"results": []}' >"$dir/bad.json"
expect 3 'is no result of zwire bench' "$dir/bad.json" "$dir/f.svg"

[ $failed -eq 0 ] && echo 'bench/frontier: all as expected'
exit $failed
