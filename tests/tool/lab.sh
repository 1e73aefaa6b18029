#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Runs zwire lab as a person would: wrong usage, what cannot work, one short real run, and an interruption; nothing may
# stay behind. Skipped (77) where nginx or wrk is missing.
# usage: lab.sh ZWIRE
set -u

zwire=$1
here=$(cd "$(dirname "$0")" && pwd)
PATH=$PATH:/usr/sbin:/sbin
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
export TMPDIR=$dir/tmp
mkdir "$TMPDIR" "$dir/result"
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

# True if some process has the text in its command line; grep itself has it in a file.
somebody_has() {
	printf '%s\n' "$1" >"$dir/pattern"
	grep -qsaFf "$dir/pattern" /proc/[0-9]*/cmdline
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
	--lib "second=$dir/libz-copy.so.1" --json "$dir/result/result.json"
nothing_stays 'a whole run'
python3 - "$dir/result/result.json" "$dir/libz-copy.so.1" <<-'EOF' || failed=1
	import hashlib, json, sys
	document = json.load(open(sys.argv[1]))
	results = document["results"]
	arms = {(r["body"], r["arm"], r["library"]): r for r in results}
	traps = [r for r in results if r["is_trap"]]
	assert len(traps) == 2 and all("HTTP/1.0" in r["refused"] and not r["is_measured"] for r in traps), traps
	arms = {key: r for key, r in arms.items() if not r["is_trap"]}
	assert len(arms) == len(results) - 2 == 15 + 8, sorted(arms)
	second = document["libraries"][1]
	assert second["file"] == sys.argv[2] and second["soname"] == "libz.so.1" and second["mapped"], second
	assert second["sha256"] == hashlib.sha256(open(sys.argv[2], "rb").read()).hexdigest(), second
	assert any("module" in text for text in document["absent"]), document["absent"]
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

# All arms, with one library and one level: other clients, small bodies, HTTP/1.0, slow clients.
expect 0 'do not read' lab --rounds 1 --levels 6 --lib "first=$system" --json "$dir/full.json"
nothing_stays 'a full run'
python3 - "$dir/full.json" "$(nproc)" <<-'EOF' || failed=1
	import json, sys
	document = json.load(open(sys.argv[1]))
	arms = {(r["body"], r["arm"]): r for r in document["results"]}
	for r in arms.values():
	    assert r["is_trap"] == ("1.1" in r["arm"]) == (not r["is_measured"]) == bool(r["refused"]), r
	for name in ("off, close", "level 6", "level 6, close", "gzip_static", "gzip_static, close", "level 6, ab, 1.0"):
	    r = arms["25k.html", name]
	    assert r["content_encoding"] == ("" if "off" in name else "gzip"), r
	    assert all(r[key]["median"] > 0 for key in ("requests_per_s", "cpu_us_per_response", "peak_rss_kb", "client_busy")), r
	    assert r["limit"] in ("server", "client", "neither") and "cpu_us_per_response_by_ticks" in r, r
	for key in ("25k.html", "level 6, ab, 1.0"), ("25k.html", "level 6, close"):
	    assert arms[key]["wire_bytes"] == arms["25k.html", "level 6"]["wire_bytes"]
	# The same level over HTTP/2 sends the same bytes; who does not ask gets the file, and caches are told so.
	h2 = ("25k.html", "level 6, h2")
	if h2 in arms:
	    assert arms[h2]["wire_bytes"] == arms["25k.html", "level 6"]["wire_bytes"] and arms[h2]["p99_ms"]["median"] > 0, arms[h2]
	else:
	    assert any("HTTP/2" in text for text in document["absent"]), document["absent"]
	identity = arms["25k.html", "level 6, identity"]
	assert identity["wire_bytes"] == 25600 and not identity["content_encoding"] and identity["vary"] == "Accept-Encoding", identity
	# Three files in turns: the mean of their sizes.
	mix = arms["3 files in rotation", "level 6"]
	alone = [arms[name, "level 6"]["wire_bytes"] for name in ("page.html", "data.json", "25k.html")]
	assert mix["wire_bytes"] == sum(alone) // 3 and mix["requests_per_s"]["median"] > 0, (mix, alone)
	# At a rate below what was served it is held.
	rates = {(r["body"], r["arm"]): r for r in document["fixed_rate"]}
	assert set(rates) == {("page.html", "level 6"), ("data.json", "level 6")}, rates.keys()
	for key, r in rates.items():
	    assert r["rate_per_s"] < 0.51 * arms[key]["requests_per_s"]["median"] and not r["refused"] and r["p99_ms"]["median"] > 0, r
	    assert 0 < r["achieved_per_s"]["median"] < 1.5 * r["rate_per_s"] + 20, r
	assert arms["index.html", "off"]["wire_bytes"] == 3 and arms["index.html", "level 6"]["content_encoding"] == ""
	memory = {m["arm"]: m for m in document["memory"]}
	# zlib asks for about 260 KB for a stream of this size, and NGINX for up to 128 KB of buffers: each client holds its own.
	assert memory["level 6"]["kb_per_client"] > memory["off"]["kb_per_client"] + 100, memory
	if int(sys.argv[2]) > 1 and document["server_cpu"] >= 0:
	    assert document["server_cpu"] != document["client_cpu"], document
EOF

# The page says what the document says: of a run with two libraries, of one, and of one where much was refused (lab_traps.sh).
mkdir "$dir/one" && mv "$dir/full.json" "$dir/one"
python3 "$here/report_page.py" "$dir/result/result.json" "$dir/result/report.html" || fail 'the page of a quick run'
python3 "$here/report_page.py" "$dir/one/full.json" "$dir/report.html" || fail 'the page of a full run'
expect 3 'cannot write' lab --quick --rounds 1 --levels 1 --lib "first=$system" --json "$dir/missing/result.json"

# Interrupted in the middle of a load, as by Ctrl-C or by kill: it stops by itself, soon, and cleans up.
for signal in INT TERM KILL; do
	python3 -c 'import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])' \
		"$zwire" lab --quick --lib "first=$system" --json "$dir/none.json" >"$dir/out" 2>&1 &
	pid=$!
	for _ in $(seq 100); do
		somebody_has "$TMPDIR/zwire-lab-" && somebody_has load.lua && break
		sleep 0.1
	done
	kill -$signal $pid
	wait $pid
	code=$?
	if [ $signal = KILL ]; then      # it cannot tidy up; another process does that, a little later
		for _ in $(seq 100); do
			[ -n "$(ls -A "$TMPDIR")" ] && sleep 0.1
		done
	elif [ $code -ne 3 ]; then
		fail "interrupted by $signal: exit $code, wanted 3"
		cat "$dir/out"
	fi
	[ ! -e "$dir/none.json" ] || fail "interrupted by $signal: wrote a result all the same"
	nothing_stays "a run interrupted by $signal"
done

[ $failed -eq 0 ] && echo 'zwire lab: all as expected'
exit $failed
