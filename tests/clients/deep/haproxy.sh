#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# HAProxy's compression in front of a small server; many responses at the same time, so that its pools of streams are used
# again.  Debian builds HAProxy with SLZ: then Debian's source of the same package is built here with zlib.
# Debian: haproxy curl python3 gcc make libc6-dev
. "$(dirname "$0")/../common.sh"
need haproxy haproxy
need curl curl

# The upstream sources as the distribution keeps them, by this machine's own apt sources but without touching them or any package.
build_haproxy() {
	local apt=$work/apt mirror keys=/usr/share/keyrings/debian-archive-keyring.gpg suite
	suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
	mirror=${ZWIRE_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | grep -v -e security -e updates | head -n 1)}
	[ -e "$keys" ] && [ -n "$suite" ] && [ -n "$mirror" ] && command -v make >/dev/null || return
	mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial" "$work/source"
	: >"$apt/status"
	echo "deb-src [signed-by=$keys] $mirror $suite main" >"$apt/sources.list"
	(cd "$apt" && apt-get -q -o Dir::Etc::SourceList="$apt/sources.list" -o Dir::Etc::SourceParts=/dev/null -o Dir::State="$apt/state" \
		-o Dir::State::status="$apt/status" -o Dir::Cache="$apt/cache" -o Debug::NoLocking=true -o Acquire::Languages=none \
		-o APT::Sandbox::User="$(id -un)" -o APT::Get::Only-Source=true update &&
		apt-get -q -o Dir::Etc::SourceList="$apt/sources.list" -o Dir::Etc::SourceParts=/dev/null -o Dir::State="$apt/state" \
			-o Dir::State::status="$apt/status" -o Dir::Cache="$apt/cache" -o APT::Sandbox::User="$(id -un)" \
			source --download-only haproxy) >"$work/build.log" 2>&1 || return
	tar -C "$work/source" --strip-components=1 -xf "$apt"/haproxy_*.orig.tar.* || return
	make -C "$work/source" -j "$(nproc)" TARGET=linux-glibc USE_ZLIB=1 USE_SLZ= USE_THREAD=1 CC="${CC:-gcc}" >>"$work/build.log" 2>&1
}

if ! haproxy -vv | grep -q '+ZLIB'; then
	build_haproxy || { tail -n 5 "$work/build.log" >&2; skip "this HAProxy is built with $(haproxy -vv | grep -o '+SLZ' || echo 'no zlib'), and Debian's source could not be built with zlib"; }
	PATH=$work/source:$PATH
	haproxy -vv | grep -q '+ZLIB' || fail "HAProxy was built without zlib"
fi
say "$(haproxy -v | head -n 1)"
port=$(free_port)
make_files "$work/html"
cat >"$work/server.py" <<'PY'
import http.server, socketserver, sys
class Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def log_message(self, *args): pass
    def guess_type(self, path): return 'text/html'
class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 128
Server(('127.0.0.1', int(sys.argv[1])), Handler).serve_forever()
PY
backend=$(free_port)
(cd "$work/html" && exec /usr/bin/python3 "$work/server.py" "$backend" 2>/dev/null) &
pids+=($!)
wait_for_port "$backend"
count=0
for setting in '1 gzip' '6 gzip' '9 deflate' '9 raw-deflate'; do
	port=$(free_port)
	cat >"$work/haproxy.cfg" <<CONF
global
	tune.comp.maxlevel ${setting% *}
	maxconn 200
	nbthread 2
defaults
	mode http
	timeout connect 5s
	timeout client 20s
	timeout server 20s
frontend f
	bind 127.0.0.1:$port
	compression algo ${setting#* }
	compression type text/html
	default_backend b
backend b
	server s 127.0.0.1:$backend
CONF
	LD_LIBRARY_PATH=$libdir haproxy -db -f "$work/haproxy.cfg" 2>"$work/log" &
	server=$!
	pids+=("$server")
	wait_for_port "$port"
	grep -qF "$libdir/libz.so.1" "/proc/$server/maps" || fail "haproxy does not run on $libdir/libz.so.1"
	for round in 1 2; do
		rm -rf "$work/got" && mkdir "$work/got"
		(cd "$work/html" && find . -type f -size +0) | sed 's|^\./||' | while read -r file; do
			printf 'url = "http://127.0.0.1:%s/%s"\noutput = "%s"\n' "$port" "$file" "$work/got/${file//\//_}"
		done >"$work/urls"
		curl -sS --no-progress-meter --fail --compressed --parallel --parallel-max 40 -K "$work/urls" || { cat "$work/log" >&2; fail "curl with $setting"; }
		for got in "$work"/got/*; do
			file=$(basename "$got") && file=${file/#sub_/sub/}
			cmp "$work/html/$file" "$got" || fail "$file came back changed with $setting in round $round"
			count=$((count + 1))
		done
	done
	case $setting in
	*raw-deflate) want=deflate ;;
	*) want=${setting#* } ;;
	esac
	curl -sS --compressed -o /dev/null -D "$work/head" "http://127.0.0.1:$port/numbers.txt" && grep -qi "^content-encoding: $want" "$work/head" ||
		fail "not compressed with $setting"
	kill "$server"
	wait "$server" 2>/dev/null
done
say "$count responses"
