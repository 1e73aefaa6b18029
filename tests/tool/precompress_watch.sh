#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# zwire precompress --watch beside the real NGINX, under load: all files are rewritten every two seconds, in place or replaced; folders
# come, move and go; the watcher's queue overflows. No response may hold what its file was more than --max-stale before; in the end every
# twin is there and right. Skipped (77) without nginx.
set -u

zwire=$1
here=$(dirname "$0")
. "$(dirname "$0")/static_nginx.bash"
watch_pid=''
stop_others() { [ -z "$watch_pid" ] || { kill -KILL "$watch_pid" 2>/dev/null; wait "$watch_pid" 2>/dev/null; }; }
mkdir -p "$dir/www/a" "$dir/outside"
count=${ZWIRE_WATCH_FILES:-300}
for i in $(seq "$count"); do seq 0 3000 >"$dir/www/a/f$i.js"; done
"$zwire" precompress -q -l 1 --no-sync "$dir/www" || fail 'the twins to begin with'
start_nginx 1 "$dir/www" "$dir/www"

start_watch() { "$zwire" precompress --watch -q -l 9 "$@" "$dir/www" >>"$dir/watch.out" 2>&1 & watch_pid=$!; }
stop_watch() {
	kill -TERM $watch_pid
	wait $watch_pid; local code=$?
	watch_pid=''
	[ $code -eq 0 ] || { fail "SIGTERM: exit $code"; cat "$dir/watch.out"; }
	[ -z "$(find "$dir/www" -name '.zwire*')" ] || fail 'temporary files stay'
}
all_right() { # every file has a twin that holds it
	python3 - "$dir/www" 2>"$dir/not-right" <<-'EOP'
		import gzip, os, sys
		for folder, _, names in os.walk(sys.argv[1]):
		    for name in names:
		        path = os.path.join(folder, name)
		        if name.endswith(".js"):
		            assert gzip.open(path + ".gz").read() == open(path, "rb").read(), path
	EOP
}
until_true() { # WHAT COMMAND...: within a minute
	local what=$1
	shift
	for _ in $(seq 300); do "$@" && return 0; sleep 0.2; done
	fail "$what"
	return 1
}
soon() { until_true "$1: a twin is missing or wrong" all_right || tail -n 1 "$dir/not-right"; }
gone() { [ ! -e "$1" ]; }

# ---- what was there before: stale twins go, right ones stay as they are ------------------------------------------------
seq 1 3001 >"$dir/www/a/f1.js"
touch "$dir/www/a/f2.js"                     # another time, the same bytes
chmod 640 "$dir/www/a/f3.js"; chmod 644 "$dir/www/a/f3.js"
inodes=$(stat -c %i "$dir/www/a/f2.js.gz" "$dir/www/a/f3.js.gz" "$dir/www/a/f4.js.gz" | tr '\n' ' ')
start_watch
soon 'the first run'
[ "$inodes" = "$(stat -c %i "$dir/www/a/f2.js.gz" "$dir/www/a/f3.js.gz" "$dir/www/a/f4.js.gz" | tr '\n' ' ')" ] || fail 'right twins were made again at the start'

# ---- all files rewritten every two seconds, under load -----------------------------------------------------------------
wrk='' seconds=${ZWIRE_WATCH_SECONDS:-8}
command -v wrk >/dev/null && { wrk -t1 -c8 -d"$seconds" -H 'Accept-Encoding: gzip' "http://127.0.0.1:$on/a/f1.js" >"$dir/wrk.out" 2>&1 & wrk=$!; }
python3 "$here/precompress_load.py" "$on" "$always" "$dir/www/a" "$count" "$seconds" "${ZWIRE_WATCH_EVERY:-2}" || fail 'under load'
[ -z "$wrk" ] || { wait $wrk; ! grep -i 'non-2xx' "$dir/wrk.out" || fail 'wrk saw errors'; }
soon 'after the load'
if [ -n "${ZWIRE_WATCH_ONLY_LOAD:-}" ]; then
	stop_watch
	grep 'Requests/sec' "$dir/wrk.out" 2>/dev/null
	exit $failed
fi

# ---- folders come, get another name, leave the tree; files go ----------------------------------------------------------
mkdir -p "$dir/www/new/deep"; seq 5000 >"$dir/www/new/deep/n.js"
soon 'a new folder'
mv "$dir/www/new" "$dir/www/moved"; seq 6000 >"$dir/www/moved/deep/n.js"
soon 'a folder with another name'
cp -r "$dir/www/moved" "$dir/outside/came"; seq 7000 >"$dir/outside/came/deep/n.js"      # its twin is stale when it comes
mv "$dir/outside/came" "$dir/www/came"
soon 'a folder with a stale twin'
mv "$dir/www/moved" "$dir/outside/left"
seq 8000 >"$dir/www/came/deep/n.js"; soon 'after a folder left'
before=$(find "$dir/outside" -printf '%p %i %C@\n' | sort | cksum)
seq 9000 >"$dir/outside/left/deep/n.js.new"; mv "$dir/outside/left/deep/n.js.new" "$dir/outside/left/deep/m.txt"
seq 8100 >"$dir/www/came/deep/n.js"; soon 'after a change in a folder that left'
[ ! -e "$dir/outside/left/deep/m.txt.gz" ] || fail 'made a twin out of the tree'
rm -r "$dir/www/came"
[ "$before" != '' ] || fail 'nothing to compare'

# ---- the kernel's queue overflows: more events than it holds, while the watcher stands still -----------------------------
overflow() {
	local limit
	kill -STOP $watch_pid
	limit=$(cat /proc/sys/fs/inotify/max_queued_events)
	if [ "$limit" -le 70000 ]; then
		python3 - "$dir/www" "$limit" <<-'EOP'
			import os, sys
			for i in range(int(sys.argv[2]) // 2 + 2000):
			    name = "%s/a/x%d.tmp" % (sys.argv[1], i)
			    os.close(os.open(name, os.O_CREAT | os.O_WRONLY)); os.unlink(name)
		EOP
	else
		echo "fs.inotify.max_queued_events is $limit: no overflow"
	fi
	for i in $(seq 20); do seq $((i * 9 + $1)) 4000 >"$dir/www/a/f$i.js"; done
	touch -r "$dir/www/a/f30.js" "$dir/stamp"; seq 77 3077 >"$dir/www/a/f30.js"; touch -r "$dir/stamp" "$dir/www/a/f30.js"  # the same time
	mkdir -p "$dir/www/late$1"; seq "$1" 3000 >"$dir/www/late$1/l.js"
	kill -CONT $watch_pid
}
overflow 1; soon 'after an overflow'
stop_watch

# ---- --max-stale 0: what may be stale goes unread; --prune: the twin of a file that is gone goes too ----------------------
start_watch --max-stale 0 --prune
soon 'with --max-stale 0'
overflow 2; soon 'an overflow with --max-stale 0'
rm "$dir/www/a/f5.js"
until_true '--prune: the twin of a file that is gone stays' gone "$dir/www/a/f5.js.gz"
stop_watch
! grep -v 'longer than --max-stale' "$dir/watch.out" || fail 'it said something else'
"$zwire" precompress -q --check "$dir/www" || fail 'the last check'

# ---- without its folder there is nothing to watch ------------------------------------------------------------------------
start_watch
soon 'a third time'
mv "$dir/www" "$dir/old"
for _ in $(seq 100); do rm -rf "$dir/old" 2>/dev/null && break; done      # until the watcher has nothing left to make in it
wait $watch_pid; code=$?; watch_pid=''
[ $code -eq 3 ] || fail "the folder is gone: exit $code"

[ $failed -eq 0 ] && echo 'zwire precompress --watch: nothing stale for longer than --max-stale'
exit $failed
