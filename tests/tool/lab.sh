#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Runs zwire lab as a person would: wrong usage, what cannot work, one short real run, and an interruption; nothing may
# stay behind. Skipped (77) where nginx or wrk is missing.
# usage: lab.sh ZWIRE
set -u

zwire=$1
PATH=$PATH:/usr/sbin:/sbin
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
export TMPDIR=$dir/tmp
mkdir "$TMPDIR"
failed=0

fail() {
	echo "FAILED: $*"
	failed=1
}

expect() {
	local code=$1 text=$2 got
	shift 2
	"$zwire" "$@" >"$dir/out" 2>&1
	got=$?
	if [ $got -ne "$code" ] || ! grep -qF -- "$text" "$dir/out"; then
		fail "zwire $*: exit $got, wanted $code and '$text'; it said:"
		cat "$dir/out"
	fi
}

# True if some process has the text in its command line.
somebody_has() {
	local file
	for file in /proc/[0-9]*/cmdline; do
		case $(tr '\0' ' ' <"$file" 2>/dev/null) in *"$1"*) return 0 ;; esac
	done
	return 1
}

# No file, and no process that has one of the lab's files in its command line.
nothing_stays() {
	[ -z "$(ls -A "$TMPDIR")" ] || fail "$1: files stay: $(ls -A "$TMPDIR")"
	! somebody_has "$TMPDIR" || fail "$1: processes stay"
}

expect 0 '--quick' lab --help
expect 2 'unknown option --fast' lab --fast
expect 2 '--rounds wants 1 to 100' lab --rounds 0
expect 2 '--levels wants numbers from 1 to 9' lab --levels 0,1
expect 2 '--seconds wants' lab --seconds x
expect 2 '--connections needs a value' lab --connections
expect 2 "'page.html' is not an option" lab page.html
expect 2 '--lib wants NAME=PATH' lab --lib /lib/libz.so.1
expect 3 'there is no nginx at /nonexistent' lab --nginx /nonexistent
expect 3 'does not answer like NGINX' lab --nginx "$(type -P true)"

command -v nginx >/dev/null && command -v wrk >/dev/null || { echo 'nginx or wrk is missing: the rest is skipped'; exit 77; }
system=$(ldconfig -p | sed -n 's/.*libz\.so\.1 .*=> //p' | head -n 1)
echo 'not a library' >"$dir/libz.so.1"
expect 3 "$dir/libz.so.1" lab --lib "x=$dir/libz.so.1" --json "$dir/none.json"
nothing_stays 'a library that cannot be loaded'

cp "$system" "$dir/libz-copy.so.1"
expect 0 'alerts in error.log: first 0, second 0' lab --quick --rounds 1 --lib "first=$system" \
	--lib "second=$dir/libz-copy.so.1" --json "$dir/result.json"
nothing_stays 'a whole run'
python3 - "$dir/result.json" "$dir/libz-copy.so.1" <<-'EOF' || failed=1
	import json, sys
	document = json.load(open(sys.argv[1]))
	results = document["results"]
	arms = {(r["body"], r["arm"], r["library"]): r for r in results}
	assert len(arms) == len(results) == 13 + 8, sorted(arms)
	assert document["libraries"][1]["file"] == sys.argv[2]
	for (body, arm, library), r in arms.items():
	    assert r["requests_per_s"]["median"] > 0 and r["cpu_us_per_response"]["median"] > 0, r
	    assert r["content_encoding"] == ("gzip" if arm in ("level 1", "level 6", "gzip_static") else ""), r
	size = {b["name"]: b["bytes"] for b in document["bodies"]}
	assert size["data.json"] == 602254
	for body in ("page.html", "data.json"):
	    first = {arm: arms[body, arm, "first"]["wire_bytes"] for arm in ("off", "level 1", "level 6", "gunzip", "gzip_static")}
	    assert first["off"] == first["gunzip"] == size[body]
	    assert first["level 6"] < first["level 1"] < size[body] / 3
	    assert all(arms[body, arm, "first"]["vary"] == "Accept-Encoding" for arm in ("level 1", "level 6"))
EOF

# Interrupted in the middle of a load: it stops by itself, soon, and cleans up.
"$zwire" lab --quick --lib "first=$system" --json "$dir/none.json" >"$dir/out" 2>&1 &
pid=$!
for _ in $(seq 100); do
	somebody_has "$TMPDIR/zwire-lab-" && somebody_has load.lua && break
	sleep 0.1
done
kill -TERM $pid
wait $pid
code=$?
[ $code -eq 3 ] || { fail "interrupted: exit $code, wanted 3"; cat "$dir/out"; }
[ ! -e "$dir/none.json" ] || fail 'interrupted: wrote a result all the same'
nothing_stays 'an interrupted run'

[ $failed -eq 0 ] && echo 'zwire lab: all as expected'
exit $failed
