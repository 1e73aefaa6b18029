# SPDX-License-Identifier: Zlib
# static_nginx.bash - for scripts that serve twins by the real NGINX: a directory that goes at the end, with what was started; one port
# with gzip_static on, and one with always and gunzip. Sourced. Sets dir, failed, and by start_nginx on, always and nginx_pid.
PATH=$PATH:/usr/sbin:/sbin
command -v nginx >/dev/null && command -v python3 >/dev/null || { echo 'nginx or python3 is missing: skipped'; exit 77; }
dir=$(mktemp -d) || exit 1
nginx_pid='' failed=0
stop_others() { :; }                         # of the script: what it started itself
stop() {
	stop_others
	[ -z "$nginx_pid" ] || { kill -QUIT "$nginx_pid" 2>/dev/null; wait "$nginx_pid" 2>/dev/null; }
	rm -rf "$dir"
}
trap stop EXIT
chmod 755 "$dir"
mkdir -p "$dir/logs" "$dir/temp"

fail() { echo "FAILED: $*"; failed=1; }
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

start_nginx() { # WORKERS ROOT-OF-ON ROOT-OF-ALWAYS
	on=$(free_port) always=$(free_port)
	cat >"$dir/nginx.conf" <<-EOC
		daemon off; worker_processes $1; pid $dir/nginx.pid; error_log $dir/logs/error.log notice;
		events { worker_connections 128; }
		http {
		    access_log off; default_type application/octet-stream;
		    client_body_temp_path $dir/temp; proxy_temp_path $dir/temp; fastcgi_temp_path $dir/temp; uwsgi_temp_path $dir/temp; scgi_temp_path $dir/temp;
		    server { listen 127.0.0.1:$on; root $2; gzip_static on; }
		    server { listen 127.0.0.1:$always; root $3; gzip_static always; gunzip on; }
		}
	EOC
	nginx -p "$dir" -c "$dir/nginx.conf" 2>"$dir/logs/start" & nginx_pid=$!
	for _ in $(seq 100); do (echo >"/dev/tcp/127.0.0.1/$always") 2>/dev/null && break; sleep 0.05; done
}
