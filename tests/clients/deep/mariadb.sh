#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# MariaDB: InnoDB's page compression and compressed rows, COMPRESS(), compressed columns and protocol on a throw-away
# server; its files are then read by a server on the system's zlib.
# Debian: mariadb-server
. "$(dirname "$0")/../common.sh"
need mariadbd mariadb-server
need mariadb-install-db mariadb-server
ldd "$(command -v mariadbd)" | grep -q 'libz\.so\.1' || skip "this server has a zlib of its own"
port=$(free_port)
cd "$work" || exit 1
user=$(id -un)
mariadb-install-db --no-defaults --datadir="$work/data" --user="$user" --auth-root-authentication-method=normal --skip-test-db >log 2>&1 || { tail -20 log >&2; fail "mariadb-install-db"; }
start() {      # start RUNNER: its process becomes the server
	"$1" mariadbd --no-defaults --datadir="$work/data" --user="$user" --socket="$work/s" --pid-file="$work/pid" --port="$port" \
		--bind-address=127.0.0.1 --innodb-compression-algorithm=zlib --innodb-compression-level=6 --innodb-flush-log-at-trx-commit=0 \
		--innodb-buffer-pool-size=8M >>server.log 2>&1 &
	server=$!
	pids+=("$server")
	for i in $(seq 200); do sql -e 'select 1' >/dev/null 2>&1 && return; sleep 0.1; done
	tail -20 server.log >&2
	fail "the server does not answer"
}
stop() { sql -e shutdown && wait "$server"; }
sql() { mariadb --no-defaults --socket="$work/s" -u root -N "$@"; }
directly() { exec "$@"; }
on_it_in_place() { exec env LD_LIBRARY_PATH="$libdir" "$@"; }
start on_it_in_place
grep -qF "$libdir/libz.so.1" "/proc/$server/maps" || fail "mariadbd does not run on $libdir/libz.so.1"
sql <<'SQL' || fail "filling"
create database d; use d;
create table pages (i int primary key, hash char(32), words text) engine=innodb page_compressed=1 page_compression_level=6;
create table rows4 (i int primary key, hash char(32), words text) engine=innodb row_format=compressed key_block_size=4;
create table cols (i int primary key, hash char(32), words text compressed) engine=innodb;
insert into pages select seq, md5(seq), repeat(concat('text ', seq % 100), 20) from seq_1_to_30000;
insert into rows4 select * from pages;
insert into cols select * from pages;
update rows4 set words = concat(words, ' longer') where i % 7 = 0;
update pages set words = concat(words, ' longer') where i % 7 = 0;
update cols set words = concat(words, ' longer') where i % 7 = 0;
create table packed (i int primary key, z longblob) engine=innodb;
insert into packed select i, compress(words) from pages;
SQL
sum_of() { sql -e "select count(*), sum(crc32(concat(i, hash, words))) from d.$table"; }
table=pages want=$(sum_of)
sums() {
	for table in pages rows4 cols; do [ "$(sum_of)" = "$want" ] || fail "$1: other rows in $table"; done
	[ "$(sql -e 'select count(*) from d.packed join d.pages using (i) where uncompress(z) = words')" = 30000 ] || fail "$1: COMPRESS()"
	sql -e 'check table d.pages, d.rows4, d.cols extended' | grep -v 'OK$' >&2 && fail "$1: check table"
	return 0
}
sums "on this libz"
on_it mariadb --no-defaults --socket="$work/s" -u root -N --compress -e 'select * from d.pages order by i' | md5sum >mine
mariadb --no-defaults --socket="$work/s" -u root -N -e 'select * from d.pages order by i' | md5sum | cmp - mine || fail "the compressed protocol"
sleep 1
compressed=$(sql -e "select variable_value > 0 from information_schema.global_status where variable_name = 'Innodb_num_pages_page_compressed'")
[ "$compressed" = 1 ] || say "no page was written compressed yet"
stop || fail "shutdown"
start directly
sums "what was written, on the system's zlib"
sql -e 'update d.pages set hash = md5(hash) where i % 5 = 0; update d.rows4 set hash = md5(hash) where i % 5 = 0; update d.cols set hash = md5(hash) where i % 5 = 0; replace into d.packed select i, compress(words) from d.pages'
table=pages want=$(sum_of)
stop || fail "shutdown"
start on_it_in_place
sums "what the system's zlib wrote, on this libz"
stop || fail "shutdown"
grep -iE '\[ERROR\]|corrupt' server.log >&2 && fail "errors in the log"
say "90000 rows and 30000 packed values on both"
