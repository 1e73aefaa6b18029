#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# PHP's zlib extension: strings, incremental contexts, files, stream filters and ob_gzhandler; what one library wrote the
# other reads.
# Debian: php-cli
. "$(dirname "$0")/common.sh"
need php php-cli
need curl curl
php=$(command -v php)
$php -m | grep -qx zlib || skip "this PHP has no zlib"
mkdir -p "$work/mine" "$work/theirs" "$work/html"
trip=$here/php_round_trip.php
proved_on_it "$php" -n "$trip" write "$work/mine" || fail "writing"
on_it "$php" -n "$trip" read "$work/mine" || fail "reading its own"
"$php" -n "$trip" read "$work/mine" || fail "the system's zlib reads what was written"
"$php" -n "$trip" write "$work/theirs" && on_it "$php" -n "$trip" read "$work/theirs" || fail "reading what the system's zlib wrote"

# ob_gzhandler, in PHP's own server.
make_files "$work/html"
cat >"$work/router.php" <<'PHP'
<?php
ini_set('zlib.output_compression_level', $_GET['level']);
ob_start('ob_gzhandler');
foreach (str_split(file_get_contents(__DIR__ . '/html' . parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH)), 3000) as $n => $piece) {
	echo $piece;
	if ($n % 4 == 3)
		ob_flush();
}
PHP
port=$(free_port)
LD_LIBRARY_PATH=$libdir "$php" -n -S "127.0.0.1:$port" "$work/router.php" >"$work/server.log" 2>&1 &
pids+=($!)
wait_for_port "$port"
count=0
cd "$work/html" || exit 1
for file in text1.html text2.html text4.html numbers.txt noise.txt zeros.bin; do
	for level in 1 6 9; do
		curl -sS --fail --compressed -D "$work/head" -o "$work/body" "http://127.0.0.1:$port/$file?level=$level" || fail "ob_gzhandler: $file"
		cmp "$file" "$work/body" || fail "ob_gzhandler changed $file at level $level"
		grep -qi '^content-encoding: gzip' "$work/head" || fail "ob_gzhandler did not compress $file"
		count=$((count + 1))
	done
done
grep -qF "$libdir/libz.so.1" "/proc/${pids[0]}/maps" || fail "PHP's server does not run on $libdir/libz.so.1"
say "$count answers of ob_gzhandler"
