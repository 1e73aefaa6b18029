#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Apache's mod_deflate: responses compressed at three levels, a compressed request body unpacked for a CGI program, and a
# stored .gz unpacked for a client that cannot read it.
# Debian: apache2-bin curl
. "$(dirname "$0")/common.sh"
need apache2 apache2-bin
need curl curl
modules=/usr/lib/apache2/modules
[ -e "$modules/mod_deflate.so" ] || skip "no mod_deflate.so here (Debian package apache2-bin)"
port=$(free_port)
make_files "$work/html"
mkdir -p "$work/cgi" "$work/packed"
cat >"$work/cgi/echo" <<'CGI'
#!/bin/sh
# mod_cgi reads nothing before the whole body is sent
body=$(mktemp) && cat >"$body" && printf 'Content-Type: application/octet-stream\r\n\r\n' && cat "$body"
rm -f "$body"
CGI
for file in "$work"/html/*.txt "$work"/html/text1.html; do gzip -9c "$file" >"$work/packed/$(basename "$file").gz"; done
find "$work" -type d -exec chmod 755 {} +
chmod 755 "$work/cgi/echo"
user='' && [ "$(id -u)" -eq 0 ] && user="User nobody
Group nogroup"
cat >"$work/apache.conf" <<CONF
ServerRoot $work
ServerName localhost
DefaultRuntimeDir $work
PidFile $work/apache.pid
ErrorLog $work/error.log
LogLevel info
Listen 127.0.0.1:$port
$user
StartServers 2
$(for m in mpm_prefork authz_core dir mime filter deflate cgi alias setenvif headers; do
	[ -e $modules/mod_$m.so ] && echo "LoadModule ${m}_module $modules/mod_$m.so"
done)
TypesConfig /etc/mime.types
AddEncoding x-gzip .gz
DocumentRoot $work/html
<Directory $work>
	Require all granted
</Directory>
SetOutputFilter DEFLATE
<IfDefine one>
	DeflateCompressionLevel 1
</IfDefine>
<IfDefine nine>
	DeflateCompressionLevel 9
	DeflateMemLevel 9
	DeflateWindowSize 15
	DeflateBufferSize 1000
</IfDefine>
ScriptAlias /cgi $work/cgi
Alias /packed $work/packed
<Location /cgi>
	SetInputFilter DEFLATE
</Location>
<Location /packed>
	SetOutputFilter INFLATE
</Location>
CONF
[ -e /etc/mime.types ] || sed -i '/^TypesConfig/s|.*|TypesConfig /dev/null|' "$work/apache.conf"
count=0
cd "$work/html" || exit 1
for level in one six nine; do
	: >"$work/error.log"
	# in a session of its own, because it ends by a signal to its process group
	LD_LIBRARY_PATH=$libdir setsid apache2 -D FOREGROUND -D $level -f "$work/apache.conf" 2>"$work/start.log" &
	server=$!
	pids+=("$server")
	wait_for_port "$port"
	grep -qF "$libdir/libz.so.1" "/proc/$server/maps" || fail "apache2 does not run on $libdir/libz.so.1"
	grep 'libz\.so' "/proc/$server/maps" | grep -qvF "$libdir/libz.so.1" && fail "apache2 maps another libz as well"
	while read -r file; do
		curl -sS --fail --compressed -D "$work/head" -o "$work/body" "http://127.0.0.1:$port/$file" || { cat "$work/error.log" >&2; fail "GET $file"; }
		cmp "$file" "$work/body" || fail "$file is not what the server has"
		[ ! -s "$file" ] || grep -qi '^content-encoding: gzip' "$work/head" || fail "$file was not compressed"
		count=$((count + 1))
	done < <(find . -type f | sed 's|^\./||')
	for file in numbers.txt noise.txt text1.html sub/text3.html; do
		gzip -6c "$file" >"$work/request.gz"
		curl -sS --fail -H 'Content-Encoding: gzip' -H 'Content-Type: text/plain' --data-binary "@$work/request.gz" -o "$work/body" \
			"http://127.0.0.1:$port/cgi/echo" || { cat "$work/error.log" >&2; fail "POST $file"; }
		cmp "$file" "$work/body" || fail "the request body $file arrived changed"
		count=$((count + 1))
	done
	for file in "$work"/packed/*.gz; do
		curl -sS --fail -H 'Accept-Encoding:' -D "$work/head" -o "$work/body" "http://127.0.0.1:$port/packed/$(basename "$file")" || fail "GET packed"
		grep -qi '^content-encoding' "$work/head" && fail "$file was not unpacked"
		gzip -dc "$file" | cmp - "$work/body" || fail "$file was unpacked to something else"
		count=$((count + 1))
	done
	# a damaged request body must not pass for a whole one
	head -c 300 "$work/request.gz" | sed 's/\x00/\xff/g' >"$work/damaged.gz"
	status=$(curl -sS -H 'Content-Encoding: gzip' -H 'Content-Type: text/plain' --data-binary "@$work/damaged.gz" -o "$work/body" -w '%{http_code}' "http://127.0.0.1:$port/cgi/echo")
	[ "$status" != 200 ] || ! cmp -s sub/text3.html "$work/body" || fail "a damaged request passed"
	kill "$server"
	wait "$server" 2>/dev/null
	grep -E 'Zlib error|segfault|exit signal' "$work/error.log" | grep -v 'inflate' >&2 && fail "the error log has errors"
done
say "$count requests at three levels"
