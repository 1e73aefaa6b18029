#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# zwire lab in other set-ups: several workers, the articles, a module, files in rotation; and more that can be wrong with one.
# Skipped (77) where nginx, wrk or ab is missing.
# usage: lab_setups.sh ZWIRE
set -u

zwire=$1
here=$(cd "$(dirname "$0")" && pwd)
PATH=$PATH:/usr/sbin:/sbin
for program in nginx wrk ab; do
	type -P $program >/dev/null || { echo "$program is missing"; exit 77; }
done
dir=$(mktemp -d) || exit 1
server=
trap '[ -z "$server" ] || kill $server; rm -rf "$dir"' EXIT
export TMPDIR=$dir/tmp
mkdir "$TMPDIR"
failed=0
system=$(ldconfig -p | sed -n 's/.*libz\.so\.1 .*=> //p' | head -n 1)

fail() {
	echo "FAILED: $*"
	cat "$dir/out"
	failed=1
}

# lab CODE OPTIONS...: runs it into out and result.json, and compares the page with the document.
lab() {
	local code=$1 got
	shift
	rm -f "$dir/report.html" "$dir/result.json"
	"$zwire" lab --quick --rounds 1 --lib "first=$system" --json "$dir/result.json" "$@" >"$dir/out" 2>&1
	got=$?
	[ $got -eq "$code" ] || fail "lab $*: exit $got, wanted $code"
	[ -z "$(ls -A "$TMPDIR")" ] || fail "lab $*: files stay"
	[ ! -e "$dir/report.html" ] || python3 "$here/report_page.py" "$dir/result.json" "$dir/report.html" >/dev/null || fail "lab $*: the page"
}

# says PYTHON: an expression over cells[body, arm] and the document.
says() {
	python3 - "$dir/result.json" "$1" <<-'END' || fail "not true: $1"
		import json, sys
		document = json.load(open(sys.argv[1]))
		cells = {(r["body"], r["arm"]): r for r in document["results"]}
		rows = {r["what"]: r for r in document.get("article", {}).get("rows", [])}
		names = {"cells": cells, "cell": lambda *key: cells[key], "document": document, "rows": rows, "all": all, "any": any, "len": len, "abs": abs}
		sys.exit(not eval(sys.argv[2], names))
	END
}

wrong() {
	local code=$1 text=$2
	shift 2
	"$zwire" lab "$@" >"$dir/out" 2>&1
	[ $? -eq "$code" ] && grep -qF -- "$text" "$dir/out" || fail "lab $*: wanted $code and '$text'"
}

wrong 2 '--workers wants 1 to 64' --workers 0
wrong 2 '--within wants 1 to 36000' --within 0
wrong 2 '--article wants 1 to 3' --article 4
wrong 2 '--article has bodies of its own' --article 1 --root "$dir"
wrong 3 'given as --module' --module "$dir/nonexistent.so"

# Several workers: all of them are proved, and their CPU is added.
lab 0 --workers 2 --levels 1
says "document['workers'] == 2 and cell('page.html', 'level 1')['is_measured'] and cell('page.html', 'level 1')['cpu_us_per_response']['median'] > 0"
says "'and the other workers' in document['libraries'][0]['mapped'] and document['connections'] == 16"

# The articles: their bodies and clients, and their figures beside ours.
lab 0 --article 1
says "set(cells) == {(b, a + ', ab, 1.0') for b in ('page.html', 'data.json', 'random.bin') for a in ('level 1', 'level 2', 'level 6')} | {('page.html', 'gunzip, ab, 1.0'), ('data.json', 'gunzip, ab, 1.0')}"
says "all(r['is_measured'] for r in cells.values()) and cell('data.json', 'level 6, ab, 1.0')['content_encoding'] == 'gzip' and document['connections'] == 4"
says "abs(rows['size of zlib, JSON, level 6 (the same file)']['ours'][0] - .0888) < .0001 and rows['requests/s of zlib-ng to zlib, HTML, level 6']['ours'] == [None]"
says "abs(rows['size of zlib, JSON, level 1 (the same file)']['ours'][0] - .105) < .0005"
grep -q 'published *first' "$dir/out" || fail 'article 1: no table'
lab 0 --article 2
says "cell('noise.bin', 'level 6, close')['content_encoding'] == '' and cell('noise.bin', 'level 6, close')['wire_bytes'] == 524288"
says "cell('index.html', 'level 1, close')['wire_bytes'] == 3 and cell('items.json', 'level 6, identity, close')['wire_bytes'] == 443791"
says "cell('items.json', 'level 1, close')['content_encoding'] == 'gzip' and rows['requests/s, JSON, level 1 to off']['ours'][0] > 0"
lab 0 --article 3
says "set(cells) == {('25k.html', a) for a in ('level 6', 'level 2', 'gzip_static', 'off')} and rows['requests/s, gzip_static to level 6']['ours'][0] > 1"

# A module that NGINX cannot load: its arm is refused with NGINX's words, the others are measured.
cp "$system" "$dir/ngx_http_zwire_module.so"
lab 1 --levels 1 --module "$dir/ngx_http_zwire_module.so"
says "'it does not load' in cell('page.html', 'module')['refused'] and 'is not binary compatible' in cell('page.html', 'module')['refused'] or 'undefined symbol' in cell('page.html', 'module')['refused']"
says "cell('page.html', 'level 1')['is_measured'] and cell('data.json', 'level 1')['is_measured']"

# Many files: the largest by themselves, all in rotation; twins are not content.
root=$dir/root
mkdir -p "$root/deep/er"
for i in $(seq 30); do { echo "<html>$i"; seq "$i" $((i * 40)); } >"$root/deep/er/page $i.html"; done
gzip -k "$root/deep/er/page 1.html"
head -c 3000 /dev/urandom >"$root/deep/photo.png"
lab 0 --root "$root" --levels 6
says "len(document['bodies']) == 5 and document['bodies'][-1]['name'] == '31 files in rotation' and cell('31 files in rotation', 'level 6')['is_measured']"
says "cell('31 files in rotation', 'off')['wire_bytes'] > cell('31 files in rotation', 'level 6')['wire_bytes'] > 0"

# No Vary: a cache would mix the clients up.
echo 'gzip_vary off;' >"$dir/vary.conf"
lab 1 --levels 6 --include "$dir/vary.conf"
says "'Vary' in cell('page.html', 'level 6, identity')['refused'] and cell('page.html', 'level 6')['is_measured']"

# What was proved is not what comes under load: another body from the second request of a connection on, or none.
printf 'set $again $connection_requests;\nif ($again != 1) { rewrite ^/level6/(.*)$ /off/$1 last; }\n' >"$dir/again.conf"
lab 1 --levels 6 --include "$dir/again.conf"
says "'bytes each under load' in cell('page.html', 'level 6')['refused'] and cell('page.html', 'off')['is_measured']"
printf 'if ($connection_requests != 1) { return 503; }\n' >"$dir/none.conf"
lab 1 --levels 6 --include "$dir/none.conf"
says "all('errors under load' in r['refused'] or r['is_trap'] for r in cells.values())"

# A port that somebody else has: NGINX is quoted.
python3 -c 'import socket, sys, time; s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(); print(s.getsockname()[1], flush=True); time.sleep(600)' >"$dir/port" &
server=$!
for _ in $(seq 100); do [ -s "$dir/port" ] && break; sleep 0.1; done
echo "listen 127.0.0.1:$(cat "$dir/port");" >"$dir/port.conf"
lab 3 --levels 6 --include "$dir/port.conf"
grep -q 'bind() to 127.0.0.1:.* failed .*Address already in use' "$dir/out" || fail 'the port was not named'

[ $failed -eq 0 ] && echo 'zwire lab: the set-ups as expected'
exit $failed
