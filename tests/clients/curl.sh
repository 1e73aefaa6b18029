#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# curl --compressed against a local NGINX that compresses with the system's zlib.
. "$(dirname "$0")/common.sh"
need curl curl
need nginx nginx
port=$(free_port)
make_files "$work/html"
find "$work" -type d -exec chmod 755 {} +
cat >"$work/nginx.conf" <<CONF
daemon off;
$([ "$(id -u)" -eq 0 ] && echo 'user root;')
pid $work/nginx.pid;
error_log $work/error.log;
events { worker_connections 64; }
http {
	access_log off;
	client_body_temp_path $work/t1; proxy_temp_path $work/t2; fastcgi_temp_path $work/t3;
	uwsgi_temp_path $work/t4; scgi_temp_path $work/t5;
	default_type text/html;
	gzip on; gzip_types *; gzip_min_length 0; gzip_comp_level 9;
	server { listen 127.0.0.1:$port; root $work/html; }
}
CONF
nginx -p "$work" -e "$work/error.log" -c "$work/nginx.conf" &
pids+=($!)
wait_for_port "$port"

count=0
cd "$work/html" || exit 1
while read -r file; do
	on_it curl -sS --fail --compressed -D "$work/head" -o "$work/body" "http://127.0.0.1:$port/$file" || fail "curl $file"
	cmp "$file" "$work/body" || fail "$file is not what the server has"
	[ ! -s "$file" ] || grep -qi '^content-encoding: gzip' "$work/head" || fail "$file was not compressed"
	count=$((count + 1))
done < <(find . -type f | sed 's|^\./||')
proved_on_it curl -sS --compressed -o /dev/null "http://127.0.0.1:$port/numbers.txt" || fail "curl"
say "$count files"
