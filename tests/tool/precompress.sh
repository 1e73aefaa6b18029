#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Runs zwire precompress on trees of a real file system: what becomes of each kind of file, attributes, links, odd names,
# types, sharding, --check, --prune, --force, files that change, disks that are full, kill -9.
set -u

zwire=$1
PATH=$PATH:/usr/sbin:/sbin
dir=$(mktemp -d) || exit 1
mounted=''
finish() { [ -z "$mounted" ] || umount "$mounted"; chmod -R u+rwX "$dir"; rm -rf "$dir"; }
trap finish EXIT
failed=0
root=$([ "$(id -u)" -eq 0 ] && echo yes || echo no)

fail() {
	echo "FAILED: $*"
	failed=1
}

# expect CODE TEXT ARGS...: TEXT must be in what it says; '' for anything
expect() {
	local code=$1 text=$2 got
	shift 2
	"$zwire" precompress "$@" >"$dir/out" 2>&1
	got=$?
	if [ $got -ne "$code" ] || ! grep -qF -- "$text" "$dir/out"; then
		fail "zwire precompress $*: exit $got, wanted $code and '$text'; it said:"
		cat "$dir/out"
	fi
}

text() { seq "$1" "$(($1 + 2000))"; }
same() { gzip -dc <"$1.gz" 2>/dev/null | cmp -s - "$1" || fail "$1.gz does not hold $1: $2"; }
absent() { [ ! -e "$1" ] && [ ! -L "$1" ] || fail "$1 is there: $2"; }
there() { [ -e "$1" ] || fail "$1 is not there: $2"; }
no_temps() { [ -z "$(find "$1" -name '.zwire*')" ] || fail "$2: temporary files stay: $(find "$1" -name '.zwire*')"; }
# every twin in the tree holds its file, and is whole
all_same() {
	local twin
	while IFS= read -r -d '' twin; do
		gzip -dc <"$twin" 2>/dev/null | cmp -s - "${twin%.gz}" || fail "$2: $twin does not hold its file"
	done < <(find "$1" -name "*.gz" ! -name release.tar.gz -type f -print0)
}
fresh() { chmod -R u+rwX "$dir/t" 2>/dev/null; rm -rf "$dir/t"; mkdir -p "$dir/t"; }

# ---- usage ----------------------------------------------------------------------------------------------------------
expect 0 '--shard K/N' --help
expect 2 'which folder?'
expect 2 '--watch does not go with --check' --watch --check "$dir"
expect 2 'unknown option --fast' --fast
expect 2 '--level wants 1 to 12' --level 13 "$dir"
expect 2 '--level needs a value' --level
expect 2 '--shard wants K/N' --shard 3/2 "$dir"
expect 2 '--shard wants K/N' --shard 0/2 "$dir"
expect 2 '--min-gain wants' --min-gain 101% "$dir"
expect 2 '--types and --add-types want' --types a,,b "$dir"
expect 2 '--types-from and --types are two lists' --types js --types-from x "$dir"
expect 2 '--max-stale wants 0 to 3600' --watch --max-stale 1s "$dir"
expect 2 '--max-stale wants 0 to 3600' --watch --max-stale 3601 "$dir"
expect 2 '--max-stale is for --watch' --max-stale 1 "$dir"
expect 3 'cannot be read' --types-from "$dir/nowhere.conf" "$dir"
expect 3 'cannot open the folder' "$dir/nowhere"
expect 3 'cannot write' --json "$dir/nowhere/x.json" "$dir"

# ---- what becomes of each kind of file ------------------------------------------------------------------------------
fresh
t=$dir/t
mkdir -p "$t/a/b" "$t/folder.js" "$t/x.css.gz"
text 1 >"$t/index.html"
text 5 >"$t/a/b/app.js"
head -c 5000 /dev/urandom >"$t/noise.js"
: >"$t/empty.css"
gzip -c "$t/index.html" >"$t/zipped.js"
text 9 >"$t/page.bin"
text 9 >"$t/UPPER.HTML"
text 9 >"$t/x.css"
text 9 >"$t/has.css"; echo brotli >"$t/has.css.br"
text 3 >"$t/odd"$'\n'"name.js"
text 4 >"$t/bad"$'\xff\xfe'"utf8.js"
long=$(printf 'n%.0s' $(seq 252)); text 2 >"$t/${long:0:249}.js"; text 2 >"$t/${long:0:250}.js"; text 2 >"$t/${long:0:251}.c"
mkfifo "$t/fifo.js"
python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$t/s.js"
ln -s ring2.js "$t/ring1.js"; ln -s ring1.js "$t/ring2.js"; ln -s self.js "$t/self.js"
echo 'a download' | gzip >"$t/release.tar.gz"
echo gone | gzip >"$t/gone.js.gz"
ln -s . "$t/loop"; ln -s /etc "$t/etc"; ln -s nowhere.js "$t/dangling.js"
ln -s a/b/app.js "$t/link.js"; ln -s link.js "$t/alink2.js"; ln -s alink2.js "$t/alink1.js"
ln "$t/index.html" "$t/hard.html"
chmod 640 "$t/index.html"
touch -d '2020-02-02 02:02:02.123456789' "$t/a/b/app.js"
expect 0 'brotli' --json - "$t" && python3 - "$dir/out" <<-'EOP' || fail 'the manifest'
	import json, sys
	files = {f.get("path", f.get("path_hex")): f for f in json.load(open(sys.argv[1]))["files"]}
	by = {k.rsplit("/", 1)[-1]: v for k, v in files.items()}
	assert by["index.html"]["action"] == "made" and by["index.html"]["crc32"], by["index.html"]
	assert by["zipped.js"]["action"] == "skipped" and by["zipped.js"]["format"] == "gzip"
	assert by["noise.js"]["action"] == by["empty.css"]["action"] == by["page.bin"]["action"] == "skipped"
	assert by["gone.js"]["action"] == "left" and by["gone.js"]["problem"]
	assert by["x.css"]["action"] == "left" and by["x.css"]["problem"]
	assert by["link.js"]["action"] == by["alink1.js"]["action"] == by["alink2.js"]["action"] == "linked"
	assert "odd\nname.js" in by and any("badfffe".encode().hex()[:6] in k for k in by)
	long = [v for k, v in by.items() if k.startswith("nnn")]
	assert sorted(v["action"] for v in long) == ["left", "made", "skipped"], long
	assert all("too long" in v["reason"] and not v["problem"] for v in long if v["action"] == "left")
	assert not any(k in by for k in ("fifo.js", "s.js", "folder.js")), by.keys()
EOP
same "$t/index.html" new; same "$t/a/b/app.js" new; same "$t/UPPER.HTML" new; same "$t/has.css" new
same "$t/odd"$'\n'"name.js" 'a newline in its name'; same "$t/bad"$'\xff\xfe'"utf8.js" 'no UTF-8'
same "$t/${long:0:249}.js" 'a name of 252 bytes'
same "$t/link.js" link; same "$t/alink1.js" 'link to a link'; same "$t/hard.html" 'hard link'
[ "$(readlink "$t/link.js.gz")" = a/b/app.js.gz ] || fail 'the link is not replicated'
for f in noise.js empty.css zipped.js page.bin fifo.js has.css.br folder.js loop etc dangling.js s.js ring1.js ring2.js self.js; do absent "$t/$f.gz" 'it should have no twin'; done
there "$t/gone.js.gz" 'removed without --prune'; there "$t/release.tar.gz" 'a download'
[ "$(stat -c '%a %Y %y' "$t/a/b/app.js.gz")" = "$(stat -c '%a %Y %y' "$t/a/b/app.js")" ] || fail 'time or mode'
[ "$(stat -c '%a' "$t/index.html.gz")" = 640 ] || fail 'mode 640'
[ "$(stat -c '%h' "$t/hard.html.gz")" = 1 ] || fail 'twins of hard links share a file'
[ "$(head -c 10 "$t/index.html.gz" | od -An -tx1 | tr -d ' ')" = 1f8b0800000000000203 ] || fail "header: $(head -c 10 "$t/index.html.gz" | od -An -tx1)"
no_temps "$t" 'a whole run'

# ---- again: nothing; --check -----------------------------------------------------------------------------------------
before=$(find "$t" -printf '%p %i %C@\n' | sort | cksum)
expect 0 '' -v "$t"
[ "$before" = "$(find "$t" -printf '%p %i %C@\n' | sort | cksum)" ] || fail 'the second run changed something'
expect 1 'orphaned' --check "$t"
expect 1 'too long to get .gz' --check "$t"
rmdir "$t/x.css.gz"
expect 0 '' --prune "$t"
absent "$t/gone.js.gz" --prune; there "$t/release.tar.gz" '--prune takes downloads'; same "$t/x.css" 'a folder went'
expect 0 'check: 0 problems' --check "$t"

# ---- stale, broken, missing, unreadable: found by --check, which writes nothing; then mended -------------------------
damage() { # NAME COMMAND...: afterwards --check must say NAME
	local what=$1
	shift
	"$@"
	before=$(find "$t" -printf '%p %i %C@\n' | sort | cksum)
	expect 1 "$what" --check "$t"
	expect 0 'would be' --dry-run "$t"
	[ "$before" = "$(find "$t" -printf '%p %i %C@\n' | sort | cksum)" ] || fail "--check or --dry-run wrote: $what"
	expect 0 '' "$t"
	expect 0 'check: 0 problems' --check "$t"
	all_same "$t" "$what"
}
keep_time() { touch -r "$t/index.html" "$dir/stamp"; "$@"; touch -r "$dir/stamp" "$t/index.html"; }
change_same_size() { sed -i 's/^1999$/9991/' "$t/index.html"; }
cut_short() { truncate -s -1 "$t/index.html.gz"; }
flip() { printf '\xff' | dd of="$t/index.html.gz" bs=1 seek=300 conv=notrunc status=none; }
not_gzip() { echo 'no gzip' >"$t/index.html.gz"; }
through_link() { rm "$t/index.html.gz"; echo precious >"$dir/precious"; ln -s "$dir/precious" "$t/index.html.gz"; }
damage stale keep_time change_same_size
damage stale cut_short
damage missing rm "$t/index.html.gz"
damage broken not_gzip
damage 'is a link' through_link
[ "$(cat "$dir/precious")" = precious ] || fail 'wrote through a link'
damage unreadable chmod 600 "$t/UPPER.HTML.gz"
flip
expect 1 broken --check "$t"
expect 0 '1 made' --verify "$t"
all_same "$t" 'a flipped byte'
touch -d 2001-01-01 "$t/index.html.gz"
expect 0 '1 adjusted' "$t"
[ "$(stat -c %y "$t/index.html.gz")" = "$(stat -c %y "$t/index.html")" ] || fail 'the time is not mended'
ln "$t/index.html.gz" "$dir/other-name"; touch -d 2001-01-01 "$t/index.html.gz"
expect 0 '1 adjusted' "$t"
[ "$(stat -c %Y "$dir/other-name")" = "$(date -d 2001-01-01 +%s)" ] || fail 'changed a file through its hard link'

# ---- a file that no longer shrinks loses its stale twin; a link whose target has none loses its own -------------------
head -c 3000 /dev/urandom >"$t/index.html"; head -c 3000 /dev/urandom >"$t/a/b/app.js"
expect 0 removed "$t"
absent "$t/index.html.gz" 'it does not shrink'; absent "$t/link.js.gz" 'its target has no twin'; absent "$t/alink1.js.gz" 'a chain'

# ---- the smaller of old and new -----------------------------------------------------------------------------------
fresh
text 1 >"$t/a.js"
expect 0 '1 made' --level 1 "$t"; one=$(stat -c %s "$t/a.js.gz")
expect 0 '1 kept' --level 12 "$t"
expect 0 '1 made' --force --level 12 "$t"; twelve=$(stat -c %s "$t/a.js.gz")
[ "$twelve" -lt "$one" ] || fail "--force: $twelve is not less than $one"
expect 0 '1 kept' --force --level 1 "$t"
[ "$(stat -c %s "$t/a.js.gz")" = "$twelve" ] || fail '--force made it larger'
expect 0 '1 removed' --force --min-gain 99% "$t"
expect 0 'not in the list' -v --types html "$t"
expect 0 '1 made' --types html --add-types js "$t"
cp "$t/a.js" "$t/plain"
expect 0 '1 made' --all-types "$t"

# ---- types from NGINX's configuration -----------------------------------------------------------------------------------
fresh
mkdir "$dir/conf" "$dir/conf/sites"
echo 'types { text/html html; text/css css; application/javascript js; image/svg+xml svg; image/png png; application/wasm wasm; }' >"$dir/conf/mime.types"
echo 'http { include mime.types; default_type application/octet-stream; gzip_types text/css; include sites/*; }' >"$dir/conf/nginx.conf"
echo 'server { gzip_static on; location /app { gzip_types application/javascript; } }' >"$dir/conf/sites/one"
for f in a.html a.css a.js a.svg b.svg a.wasm README; do text 1 >"$t/$f"; done
printf '\x89PNG\r\n\x1a\n' | cat - "$t/a.css" >"$t/a.png"
expect 0 '8 files, 3 made, 5 skipped' --types-from "$dir/conf/nginx.conf" "$t"
grep -qF 'NGINX does not compress .svg (image/svg+xml): 2 files of 17,796 bytes' "$dir/out" || { fail 'uncovered svg'; cat "$dir/out"; }
grep -qF 'NGINX does not compress .wasm (application/wasm): 1 file' "$dir/out" || fail 'uncovered wasm'
[ "$(grep -c 'NGINX does not' "$dir/out")" = 2 ] || { fail 'png and README are no gain'; cat "$dir/out"; }
for f in a.html a.css a.js; do same "$t/$f" '--types-from'; done
absent "$t/a.svg.gz" 'not in gzip_types'
expect 0 'NGINX sends it as a type that is not in gzip_types: image/svg+xml' -v --types-from "$dir/conf/nginx.conf" "$t"
expect 0 '2 made' --types-from "$dir/conf/nginx.conf" --add-types svg "$t"
echo 'events { }' >"$dir/conf/nginx.conf"
expect 0 'has no gzip_types' --types-from "$dir/conf/nginx.conf" "$t"
expect 0 'has no gzip_static on' --types-from "$dir/conf/nginx.conf" "$t"
echo 'http { include sites/*;' >"$dir/conf/nginx.conf"
expect 3 'nginx.conf:2: the file ends within a block' --types-from "$dir/conf/nginx.conf" "$t"

# ---- a file of more than 4 MB goes from disk to disk, and gives the same ----------------------------------------------
fresh
seq 1 900000 >"$t/large.txt"
for level in 9 10; do
	expect 0 '1 made' --force --level $level "$t"; same "$t/large.txt" "level $level"
done
cmp -s <(head -c 10 "$t/large.txt.gz") <(printf '\x1f\x8b\x08\0\0\0\0\0\x02\x03') || cmp -s <(head -c 9 "$t/large.txt.gz") <(printf '\x1f\x8b\x08\0\0\0\0\0\0') || fail 'header of a large file'
expect 0 'check: 0 problems' --check "$t"
no_temps "$t" 'a large file'

# ---- shards: each file in exactly one, all together everything --------------------------------------------------------
fresh
for i in $(seq 60); do mkdir -p "$t/d$((i % 7))"; text "$i" >"$t/d$((i % 7))/f$i.js"; done
ln -s d1/f1.js "$t/l.js"
for k in 1 2 3 4 5; do
	"$zwire" precompress -l 6 --shard $k/5 --json "$dir/shard$k.json" "$t" >"$dir/out" 2>&1 &
done
wait
python3 - "$dir"/shard?.json <<-'EOP' || fail 'shards'
	import json, sys
	seen = [f["path"] for name in sys.argv[1:] for f in json.load(open(name))["files"]]
	assert len(seen) == len(set(seen)) == 61, (len(seen), len(set(seen)))
	assert all(len(json.load(open(name))["files"]) for name in sys.argv[1:])
EOP
expect 0 'check: 0 problems' --check "$t"
same "$t/l.js" 'a link in a shard'
if command -v parallel >/dev/null; then
	find "$t" -name '*.gz' -delete
	parallel -j 3 "$zwire" precompress -q -l 6 --shard {}/7 --json "$dir/parallel{}.json" "$t" ::: $(seq 7) || fail 'GNU parallel'
	python3 - "$t" "$dir"/parallel?.json <<-'EOP' || fail 'GNU parallel: not every file in exactly one shard'
		import json, os, sys
		made = sorted(f["path"] for name in sys.argv[2:] for f in json.load(open(name))["files"] if f["action"] in ("made", "linked"))
		there = sorted(os.path.join(d, n) for d, _, names in os.walk(sys.argv[1]) for n in names if not n.endswith(".gz"))
		assert made == there and len(made) == 61, (len(made), len(there))
	EOP
	expect 0 'check: 0 problems' --check "$t"
fi
# a shard that was interrupted goes on: what it has done is not done again
find "$t" -name '*.gz' -delete
expect 0 '' -l 6 --shard 2/5 --json "$dir/first.json" "$t"
stat -c '%n %i' "$(find "$t" -name '*.gz' | sort | head -n 1)" >"$dir/kept"
rm "$(find "$t" -name '*.gz' -type f | sort | tail -n 1)"
expect 0 '1 made' -l 6 --shard 2/5 "$t"
[ "$(stat -c '%n %i' "$(cut -d ' ' -f 1 "$dir/kept")")" = "$(cat "$dir/kept")" ] || fail 'a shard did again what it had done'

# ---- thousands of files in one folder ---------------------------------------------------------------------------------
fresh
python3 - "$t" <<-'EOP'
	import os, sys
	for i in range(6000):
	    with open("%s/%d.json" % (sys.argv[1], i), "wb") as f:
	        f.write(b'{"number": %d, "number again": %d}' % (i, i) * 5)
EOP
expect 0 '6,000 files, 6,000 made' -l 1 --no-sync "$t"
expect 0 'check: 0 problems' --check "$t"

# ---- few threads can be had: those that compute come first (not with a sanitizer, which needs the memory that is limited) -----
few_threads() { (ulimit -s 262144 && ulimit -v 1000000 && "$@"); }
if few_threads "$zwire" --version >/dev/null 2>&1; then
	fresh
	for i in 1 2 3 4 5; do text $i >"$t/$i.txt"; done
	few_threads "$zwire" precompress -l 1 --threads 2 "$t" >"$dir/out" 2>&1 || fail "few threads: $(cat "$dir/out")"
	expect 0 'check: 0 problems' --check "$t"
fi

# ---- extended attributes, where the file system has them ----------------------------------------------------------------
fresh
text 1 >"$t/x.js"
if python3 -c 'import os, sys; os.setxattr(sys.argv[1], "user.label", b"web")' "$t/x.js" 2>/dev/null; then
	expect 0 '1 made' "$t"
	python3 -c 'import os, sys; assert os.getxattr(sys.argv[1], "user.label") == b"web"' "$t/x.js.gz" || fail 'the extended attribute is lost'
else
	echo 'no extended attributes on this file system: not tested'
fi

# ---- what cannot be written ---------------------------------------------------------------------------------------
if [ $root = yes ] && mkdir -p "$dir/small" && mount -t tmpfs -o size=96k tmpfs "$dir/small" 2>/dev/null; then
	mounted=$dir/small
	for i in 1 2 3 4; do text "$i" >"$mounted/f$i.txt"; done
	echo stale | gzip >"$mounted/f1.txt.gz"
	head -c 200000 /dev/zero >"$mounted/filler" 2>/dev/null
	expect 1 'No space left' "$mounted"
	no_temps "$mounted" 'a full disk'; all_same "$mounted" 'a full disk'
	absent "$mounted/f1.txt.gz" 'stale, and the disk is full'
	rm "$mounted/filler"
	umount "$mounted"; mounted=''
fi
if [ $root = yes ] && command -v setpriv >/dev/null; then
	fresh
	chmod 755 "$dir"
	text 1 >"$t/open.js"; text 2 >"$t/secret.js"; chmod 600 "$t/secret.js"; chmod 777 "$t"; mkdir -m 700 "$t/closed"; mkdir -m 755 "$t/fixed"; text 3 >"$t/fixed/f.js"
	cp "$zwire" "$dir/zwire"
	setpriv --reuid 65534 --regid 65534 --clear-groups "$dir/zwire" precompress "$t" >"$dir/out" 2>&1
	[ $? -eq 1 ] || fail "another user's files: wanted exit 1"
	[ "$(grep -c 'Permission denied' "$dir/out")" = 3 ] || { fail 'wanted 3 times Permission denied'; cat "$dir/out"; }
	same "$t/open.js" "another user's file"; absent "$t/secret.js.gz" 'it cannot be read'
	no_temps "$t" 'no permission'
fi

# ---- killed at any moment: no half twin, and the next run removes what stays -------------------------------------------
fresh
for i in $(seq 40); do text "$i" >"$t/k$i.js"; done
seq 1 700000 >"$t/large.txt"
halves=0
for round in $(seq "${ZWIRE_KILL_ROUNDS:-40}"); do
	[ $((round % 4)) -ne 0 ] || find "$t" -name '*.gz' -delete
	[ $((round % 3)) -ne 0 ] || for i in $(seq 1 3 40); do text "$((i + round))" >"$t/k$i.js"; done
	"$zwire" precompress -q -l 9 "$t" & pid=$!
	sleep "0.0$((RANDOM % 90 + 10))"
	kill -9 $pid 2>/dev/null
	wait $pid 2>/dev/null
	while IFS= read -r -d '' twin; do        # what is there is whole; of a changed file it may be the old one
		gzip -t "$twin" 2>/dev/null || halves=$((halves + 1))
	done < <(find "$t" -name '*.gz' -print0)
done
[ $halves -eq 0 ] || fail "killed: $halves half twins"
expect 0 '' -l 9 "$t"
all_same "$t" 'after kills'; no_temps "$t" 'after kills'
expect 0 'check: 0 problems' --check "$t"

# ---- a signal in the middle of a large file: it ends soon, nothing stays of it, and a twin that is right stays ----------------
fresh
truncate -s 3G "$t/huge.txt"; text 1 >"$t/z.js"
expect 0 '1 made' --types js "$t"
"$zwire" precompress -l 9 --threads 1 --verify "$t" >"$dir/out" 2>&1 & pid=$!
sleep 1; kill -TERM $pid; wait $pid; code=$?
[ $code -eq 3 ] || fail "a signal in a large file: exit $code"
absent "$t/huge.txt.gz" 'it was interrupted'; same "$t/z.js" 'a right twin'; no_temps "$t" 'a signal in a large file'

# ---- two at once, on files that change all the while -------------------------------------------------------------------
fresh
for i in $(seq 20); do text "$i" >"$t/c$i.js"; done
(for round in $(seq 30); do for i in $(seq 20); do text "$((round * i))" >"$t/c$i.js"; done; done) & writer=$!
for _ in 1 2 3; do
	"$zwire" precompress -q -l 9 "$t" 2>/dev/null & one=$!
	"$zwire" precompress -q -l 6 "$t" 2>/dev/null & two=$!
	wait $one $two
done
wait $writer
expect 0 '' "$t"
all_same "$t" 'two at once'; no_temps "$t" 'two at once'
expect 0 'check: 0 problems' --check "$t"

[ $failed -eq 0 ] && echo 'zwire precompress: all as expected'
exit $failed
