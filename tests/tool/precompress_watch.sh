#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# zwire precompress --watch beside the real NGINX: all files are replaced every second or are written in place, folders come and go, the
# watcher's queue overflows. No response may hold what its file was a second before; in the end every twin is there and right.
# Skipped (77) without nginx.
set -u

zwire=$1
PATH=$PATH:/usr/sbin:/sbin
command -v nginx >/dev/null && command -v python3 >/dev/null || { echo 'nginx or python3 is missing: skipped'; exit 77; }
dir=$(mktemp -d) || exit 1
nginx_pid='' watch_pid=''
stop() {
	[ -z "$watch_pid" ] || { kill -KILL "$watch_pid" 2>/dev/null; wait "$watch_pid" 2>/dev/null; }
	[ -z "$nginx_pid" ] || { kill -QUIT "$nginx_pid" 2>/dev/null; wait "$nginx_pid" 2>/dev/null; }
	rm -rf "$dir"
}
trap stop EXIT
chmod 755 "$dir"
failed=0
fail() { echo "FAILED: $*"; failed=1; }
mkdir -p "$dir/www/a" "$dir/logs" "$dir/temp"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat >"$dir/nginx.conf" <<-EOC
	daemon off; pid $dir/nginx.pid; error_log $dir/logs/error.log notice;
	events { worker_connections 128; }
	http {
	    access_log off;
	    client_body_temp_path $dir/temp; proxy_temp_path $dir/temp; fastcgi_temp_path $dir/temp; uwsgi_temp_path $dir/temp; scgi_temp_path $dir/temp;
	    server { listen 127.0.0.1:$port; root $dir/www; gzip_static on; }
	}
EOC
for i in $(seq 20); do seq 0 3000 >"$dir/www/a/f$i.js"; done
echo stale | gzip >"$dir/www/a/f1.js.gz"
nginx -p "$dir" -c "$dir/nginx.conf" 2>"$dir/logs/start" & nginx_pid=$!
for _ in $(seq 100); do (echo >"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break; sleep 0.05; done
"$zwire" precompress --watch -q -l 9 "$dir/www" >"$dir/watch.out" 2>&1 & watch_pid=$!

all_right() { # every file has a twin that holds it
	local file
	while IFS= read -r -d '' file; do
		gzip -dc "$file.gz" 2>/dev/null | cmp -s - "$file" || return 1
	done < <(find "$1" -name '*.js' -print0)
}
soon() { # the watcher gets there within 20 s
	for _ in $(seq 100); do all_right "$dir/www" && return 0; sleep 0.2; done
	fail "$1: a twin is missing or wrong"
}
soon 'the first run'

python3 - "$port" "$dir/www" <<-'EOP' || fail 'under load'
	import gzip, http.client, os, random, sys, threading, time
	port, root = int(sys.argv[1]), sys.argv[2]
	versions = {i: [(0.0, 0)] for i in range(1, 21)}       # when each version was in place at the latest
	done = False
	def body(version):
	    return b"".join(b"%d\n" % k for k in range(version, version + 3000))
	def write():
	    version = 1
	    while not done:
	        for i in versions:
	            path = "%s/a/f%d.js" % (root, i)
	            version += 1
	            if i % 4:
	                with open(path + ".new", "wb") as f:
	                    f.write(body(version))
	                os.rename(path + ".new", path)
	            else:                            # in place: a reader may see a part, but no old version later on
	                with open(path, "wb") as f:
	                    f.write(body(version))
	            versions[i].append((time.monotonic(), version))
	        time.sleep(1)
	writer = threading.Thread(target=write)
	writer.start()
	count = zipped = stale = 0
	slowest = 0.0
	try:
	    connection = http.client.HTTPConnection("127.0.0.1", port)
	    end = time.monotonic() + 8
	    while time.monotonic() < end:
	        i = random.randint(1, 20)
	        asked = time.monotonic()
	        connection.request("GET", "/a/f%d.js" % i, headers={"Accept-Encoding": "gzip"})
	        response = connection.getresponse()
	        data = response.read()
	        assert response.status == 200, response.status
	        if response.getheader("Content-Encoding") == "gzip":
	            zipped += 1
	            data = gzip.decompress(data)
	            version = int(data.split(b"\n", 1)[0])
	            assert version == 0 or data == body(version), (i, version)
	            later = [when for when, v in versions[i] if v > version]
	            if later:
	                slowest = max(slowest, asked - later[0])
	                stale += asked - later[0] > 1.0
	        count += 1
	finally:
	    done = True
	    writer.join()
	print(count, "responses,", zipped, "with gzip; the oldest was replaced %.0f ms before it was asked for" % (1000 * slowest))
	assert stale == 0, stale
	assert count > 200 and zipped > 50, (count, zipped)
EOP
soon 'after the load'
mkdir -p "$dir/www/new/deep"; seq 5000 >"$dir/www/new/deep/n.js"
soon 'a new folder'
mv "$dir/www/new" "$dir/www/moved"; seq 6000 >"$dir/www/moved/deep/n.js"
soon 'a folder with another name'
rm -r "$dir/www/moved"
kill -STOP $watch_pid                        # it misses events; more than its queue may hold where that can be found out
limit=$(cat /proc/sys/fs/inotify/max_queued_events)
if [ "$limit" -le 70000 ]; then
	python3 - "$dir/www" "$limit" <<-'EOP'
		import os, sys
		for i in range(int(sys.argv[2]) // 2 + 2000):
		    name = "%s/a/x%d.tmp" % (sys.argv[1], i)
		    os.close(os.open(name, os.O_CREAT | os.O_WRONLY)); os.unlink(name)
	EOP
fi
for i in $(seq 20); do seq $((i * 9)) 4000 >"$dir/www/a/f$i.js"; done
kill -CONT $watch_pid
soon 'after an overflow'
kill -TERM $watch_pid
wait $watch_pid; code=$?
watch_pid=''
[ $code -eq 0 ] || { fail "SIGTERM: exit $code"; cat "$dir/watch.out"; }
[ -z "$(find "$dir/www" -name '.zwire*')" ] || fail 'temporary files stay'
[ ! -s "$dir/watch.out" ] || { echo 'it said:'; head "$dir/watch.out"; }
"$zwire" precompress -q --check "$dir/www" || fail 'the last check'

[ $failed -eq 0 ] && echo 'zwire precompress --watch: never stale for a second'
exit $failed
