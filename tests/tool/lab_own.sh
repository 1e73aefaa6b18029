#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# zwire lab on what is not its own: files of a directory, URLs, and what is wrong with either. Skipped (77) where nginx or
# wrk is missing.
# usage: lab_own.sh ZWIRE
set -u

zwire=$1
here=$(cd "$(dirname "$0")" && pwd)
PATH=$PATH:/usr/sbin:/sbin
for program in nginx wrk; do
	type -P $program >/dev/null || { echo "$program is missing"; exit 77; }
done
dir=$(mktemp -d) || exit 1
server=
trap '[ -z "$server" ] || kill $server; rm -rf "$dir"' EXIT
failed=0
system=$(ldconfig -p | sed -n 's/.*libz\.so\.1 .*=> //p' | head -n 1)

expect() {
	local code=$1 text=$2 got
	shift 2
	"$zwire" lab --quick --rounds 1 --levels 1 --lib "first=$system" --json "$dir/result.json" "$@" >"$dir/out" 2>&1
	got=$?
	if [ $got -ne "$code" ] || ! grep -qF -- "$text" "$dir/out"; then
		echo "FAILED: $*: exit $got, wanted $code and '$text'"
		cat "$dir/out"
		failed=1
	fi
}

# A name that has to be escaped, one in a folder, one that is small, one that does not shrink.
root=$dir/root
mkdir -p "$root/a folder" "$dir/empty"
seq 1 20000 >"$root/a folder/50% & more?.txt"
{ echo '<html>'; seq 1 3000; } >"$root/page.html"
head -c 20000 /dev/urandom >"$root/photo.jpg"
expect 0 'page.html, 13,' --root "$root"
python3 - "$dir/result.json" <<-'END' || { cat "$dir/out"; failed=1; }
	import json, sys
	document = json.load(open(sys.argv[1]))
	assert {b["name"] for b in document["bodies"]} == {"a folder/50% & more?.txt", "page.html", "photo.jpg", "3 files in rotation"}, document["bodies"]
	cells = {(r["body"], r["arm"]): r for r in document["results"]}
	for body in "a folder/50% & more?.txt", "page.html":
	    assert cells[body, "level 1"]["is_measured"] and cells[body, "level 1"]["content_encoding"] == "gzip", cells
	for arm in "off", "level 1":
	    assert cells["photo.jpg", arm]["wire_bytes"] == 20000 and cells["photo.jpg", arm]["content_encoding"] == "", cells
END
python3 "$here/report_page.py" "$dir/result.json" "$dir/report.html" || failed=1

expect 3 'nothing to measure in' --root "$dir/empty"
expect 3 'cannot read' --root "$dir/nonexistent"
expect 3 'cannot read' --include "$dir/nonexistent"
expect 3 'given as --url-list' --url-list "$dir/nonexistent"
echo '# nothing' >"$dir/urls"
expect 3 'no URL in' --url-list "$dir/urls"

(cd "$root" && exec python3 -u -m http.server --bind 127.0.0.1 0) >"$dir/server" 2>&1 &
server=$!
for _ in $(seq 100); do
	port=$(sed -n 's/.*port \([0-9]*\).*/\1/p' "$dir/server")
	[ -n "$port" ] && break
	sleep 0.1
done
printf '# ours\nhttp://127.0.0.1:%s/page.html?x=1\n\nhttp://127.0.0.1:%s/a%%20folder/\n' "$port" "$port" >"$dir/urls"
expect 0 '001-page.html, 13,' --url-list "$dir/urls"
grep -q '002-index.html' "$dir/out" || { echo 'FAILED: no page for a folder'; cat "$dir/out"; failed=1; }
printf 'http://127.0.0.1:%s/missing\n' "$port" >"$dir/urls"
expect 3 'status 404' --url-list "$dir/urls"

[ $failed -eq 0 ] && echo 'zwire lab: own files and URLs as expected'
exit $failed
