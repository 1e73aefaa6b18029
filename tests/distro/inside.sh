#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# inside.sh [--without] FILE - runs in the chroot of tests/distro/run: NGINX, Python, git, PHP, dpkg and apt work, on a
# FILE that is our libz; with --without, on the system's own.
set -u
ours=yes
[ "$1" != --without ] || { ours=no; shift; }
file=$1
fail() { echo "inside: FAILED: $*" >&2; exit 1; }
work=$(mktemp -d) || exit 1
pid=''
trap '[ -z "$pid" ] || { kill "$pid"; wait "$pid"; } 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1

# Which libz the programs get, asked of the loader.
found=$(python3 -c 'import ctypes, sys; print(hasattr(ctypes.CDLL("libz.so.1"), "zwire_version"))') || fail "python3"
[ "$found" = "$([ $ours = yes ] && echo True || echo False)" ] || fail "the wrong libz is in place"
for program in nginx git php python3 dpkg; do
	path=$(readlink -f "$(command -v $program)")
	ldd "$path" >ldd.log 2>&1 || fail "ldd $program"
	grep -E 'not found|no version information' ldd.log >&2 && fail "$program does not find all it needs"
	errors=$($path --version 2>&1 >/dev/null | grep -i 'version information')
	[ -z "$errors" ] || fail "$errors"
done
grep -q . "$file" || fail "no $file"

python3 - <<'PY' || fail "Python"
import gzip, io, random, tarfile, zipfile, zlib
random.seed(1)
data = b''.join(b'line %d %d\n' % (i, random.randrange(1000)) for i in range(50000))
for level in range(-1, 10):
    for bits in (-15, 9, 15, 31):
        c = zlib.compressobj(level, zlib.DEFLATED, bits)
        packed = c.compress(data[:1000]) + c.flush(zlib.Z_SYNC_FLUSH) + c.compress(data[1000:]) + c.flush()
        assert zlib.decompress(packed, bits) == data
assert gzip.decompress(gzip.compress(data)) == data
z = io.BytesIO()
with zipfile.ZipFile(z, 'w', zipfile.ZIP_DEFLATED) as f:
    f.writestr('a', data)
assert zipfile.ZipFile(z).read('a') == data and zipfile.ZipFile(z).testzip() is None
t = io.BytesIO()
with tarfile.open(fileobj=t, mode='w:gz') as f:
    info = tarfile.TarInfo('a')
    info.size = len(data)
    f.addfile(info, io.BytesIO(data))
t.seek(0)
assert tarfile.open(fileobj=t).extractfile('a').read() == data
open('data', 'wb').write(data)
PY

export HOME=$work GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@example.com GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@example.com
git init -q -b main repo && cd repo && cp -r /usr/share/doc . && cp ../data . && git add -A && git commit -qm one || fail "git commit"
git repack -qadF && git fsck --full --strict >../log 2>&1 || { cat ../log >&2; fail "git repack and fsck"; }
cd .. && git clone -q --no-local repo clone && diff -r --exclude=.git --no-dereference repo clone || fail "git clone"
git -C repo archive --format=tar.gz HEAD | gzip -t || fail "git archive"

php -r '$t = file_get_contents("data"); for ($l = 0; $l < 10; $l++) if (gzdecode(gzencode($t, $l)) !== $t || gzuncompress(gzcompress($t, $l)) !== $t) exit(1);' ||
	php -m | grep -q zlib && php -r 'exit(gzdecode(gzencode("a")) === "a" ? 0 : 1);' || fail "PHP"
gzip -c data | php -r 'exit(gzdecode(stream_get_contents(STDIN)) === file_get_contents("data") ? 0 : 1);' || fail "PHP reads gzip"

port=$((20000 + RANDOM % 10000))
mkdir html && cp data html/data.html && : >html/empty.html && chmod -R a+rX .  "$work"
cat >nginx.conf <<CONF
daemon off; pid $work/pid; user root; error_log $work/error.log info;
events {}
http {
	access_log off; default_type text/html; gzip on; gzip_min_length 0; gzip_comp_level 6;
	client_body_temp_path $work/t1; proxy_temp_path $work/t2; fastcgi_temp_path $work/t3; uwsgi_temp_path $work/t4; scgi_temp_path $work/t5;
	server { listen 127.0.0.1:$port; root $work/html; }
}
CONF
nginx -e "$work/error.log" -c "$work/nginx.conf" &
pid=$!
for i in $(seq 100); do curl -s -o /dev/null "http://127.0.0.1:$port/empty.html" && break; sleep 0.1; done
curl -sS --fail --compressed -D head -o body "http://127.0.0.1:$port/data.html" || { cat error.log >&2; fail "curl"; }
grep -qi '^content-encoding: gzip' head && cmp data body || fail "NGINX's response"
grep -E '\[(alert|emerg|crit|error)\]' error.log >&2 && fail "NGINX's error log"

dpkg-deb -x /var/cache/apt/archives/curl_*.deb deb 2>/dev/null || { apt-get download -q curl >log 2>&1 && dpkg-deb -x curl_*.deb deb; } || fail "dpkg-deb"
mkdir -p pkg/DEBIAN pkg/usr && cp data pkg/usr/ && printf 'Package: t\nVersion: 1\nArchitecture: all\nMaintainer: t <t@example.com>\nDescription: t\n' >pkg/DEBIAN/control
dpkg-deb -Zgzip -b pkg t.deb >/dev/null && dpkg-deb -x t.deb out && cmp data out/usr/data || fail "dpkg-deb with gzip"
apt-get check -q >log 2>&1 || { cat log >&2; fail "apt-get check"; }
echo "inside: Python, git, PHP, NGINX, curl, dpkg and apt work$([ $ours = yes ] && echo ' on this libz')"
