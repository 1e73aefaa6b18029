#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Serves a tree that zwire precompress has been through with the real NGINX: gzip_static on; and gzip_static always with
# gunzip and no originals. Every byte must be right, while files change and runs are killed too. Skipped (77) without nginx.
set -u

zwire=$1
. "$(dirname "$0")/static_nginx.bash"
nginx -V 2>&1 | grep -q http_gzip_static_module && nginx -V 2>&1 | grep -q http_gunzip_module || { echo 'nginx without gzip_static or gunzip: skipped'; exit 77; }
writer=''
stop_others() { [ -z "$writer" ] || kill "$writer" 2>/dev/null; }

mkdir -p "$dir/on/a/b" "$dir/always"
for i in $(seq 30); do
	seq "$i" $((i * 150)) >"$dir/on/a/n$i.js"
	{ echo '<html>'; seq "$((i * 7))" $((i * 90 + 40)); } >"$dir/on/a/b/p$i.html"
done
seq 1 600000 >"$dir/on/large.txt"
head -c 20000 /dev/urandom >"$dir/on/noise.js"
ln -s a/n1.js "$dir/on/link.js"
cp -a "$dir/on/." "$dir/expected"
cp -a "$dir/on/." "$dir/always"

"$zwire" precompress -q -l 9 "$dir/on" "$dir/always" || fail 'precompress'
# always + gunzip: the originals of all that has a twin can go
find "$dir/always" -name '*.gz' -print0 | while IFS= read -r -d '' twin; do rm "${twin%.gz}"; done
[ "$(find "$dir/always" -type f ! -name '*.gz' | wc -l)" = 1 ] || fail 'noise.js alone should have no twin'

start_nginx 2 "$dir/on" "$dir/always"

cat >"$dir/get.py" <<-'EOP'
	import gzip, http.client, os, random, sys, time
	mode, port, root = sys.argv[1], int(sys.argv[2]), sys.argv[3]
	connection = http.client.HTTPConnection("127.0.0.1", port)
	def get(path, encoding):
	    connection.request("GET", "/" + path, headers={"Accept-Encoding": encoding} if encoding else {})
	    response = connection.getresponse()
	    body = response.read()
	    assert response.status == 200, (path, response.status)
	    is_gzip = response.getheader("Content-Encoding") == "gzip"
	    return (gzip.decompress(body) if is_gzip else body), is_gzip
	if mode == "all":
	    count = zipped = 0
	    for folder, _, names in os.walk(root):
	        for name in names:
	            path = os.path.relpath(os.path.join(folder, name), root)
	            want = open(os.path.join(root, path), "rb").read()
	            for encoding in ("gzip", ""):
	                body, is_gzip = get(path, encoding)
	                assert body == want, (path, encoding)
	                assert is_gzip == (encoding == "gzip" and name != "noise.js"), (path, encoding, is_gzip)
	                count += 1
	                zipped += is_gzip
	    assert zipped == 62, zipped
	    print(count, "responses,", zipped, "with gzip")
	else:                                    # files change: every response is one whole version of its file
	    end = time.monotonic() + float(sys.argv[4])
	    count = zipped = 0
	    while time.monotonic() < end:
	        i = random.randint(1, 30)
	        body, is_gzip = get("a/n%d.js" % i, "gzip")
	        version = int(body.split(b"\n", 1)[0])
	        assert body == b"".join(b"%d\n" % k for k in range(version, version + 3000)) or version == i, (i, version)
	        count += 1
	        zipped += is_gzip
	    assert count > 100 and zipped > 10, (count, zipped)
	    print(count, "responses while files changed and runs were killed,", zipped, "with gzip")
EOP
python3 "$dir/get.py" all "$on" "$dir/expected" || fail 'gzip_static on'
rm -f "$dir/expected/noise.js"
python3 "$dir/get.py" all "$always" "$dir/expected" || fail 'gzip_static always, gunzip on'

# Files are replaced all the while, three shards run at once, and each is killed at a random moment.
(while :; do for i in $(seq 30); do v=$((RANDOM + 1000)); seq $v $((v + 2999)) >"$dir/new"; mv "$dir/new" "$dir/on/a/n$i.js"; done; done) & writer=$!
(for _ in $(seq 12); do
	started=()
	for k in 1 2 3; do "$zwire" precompress -q -l 9 --shard $k/3 "$dir/on" 2>/dev/null & started+=($!); done
	for one in "${started[@]}"; do sleep "0.$((RANDOM % 2))$((RANDOM % 10))"; kill -9 "$one" 2>/dev/null; done
	wait "${started[@]}" 2>/dev/null
done) & runs=$!
python3 "$dir/get.py" change "$on" "$dir/on" 4 || fail 'files change, runs are killed'
wait $runs
kill $writer; wait $writer 2>/dev/null; writer=''
"$zwire" precompress -q -l 9 "$dir/on" || fail 'the last run'
"$zwire" precompress -q --check "$dir/on" || fail 'the last check'
find "$dir/on" -name '*.gz' -print0 | while IFS= read -r -d '' twin; do gzip -dc "$twin" | cmp -s - "${twin%.gz}" || echo "$twin"; done >"$dir/wrong"
[ ! -s "$dir/wrong" ] || fail "twins that hold something else: $(cat "$dir/wrong")"
rm -rf "$dir/expected"; mkdir "$dir/expected"; tar cf - -C "$dir/on" --exclude='*.gz' . | tar xf - -C "$dir/expected"
python3 "$dir/get.py" all "$on" "$dir/expected" || fail 'gzip_static on, in the end'
! grep -E '\[(alert|crit|emerg|error)\]' "$dir/logs/error.log" || fail 'error.log'

[ $failed -eq 0 ] && echo 'zwire precompress under NGINX: every byte right'
exit $failed
