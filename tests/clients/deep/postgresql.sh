#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# PostgreSQL: pg_dump's compressed custom and directory formats from a throw-away server, restored and compared.
# Debian: postgresql
. "$(dirname "$0")/../common.sh"
bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
[ -n "$bin" ] && [ -x "$bin/initdb" ] || skip "no initdb here (Debian package postgresql)"
as_user=()
if [ "$(id -u)" -eq 0 ]; then      # the server refuses root
	id nobody >/dev/null 2>&1 || skip "no user nobody here"
	as_user=(setpriv --reuid "$(id -u nobody)" --regid "$(id -g nobody)" --clear-groups)
	chown nobody "$work"
fi
chmod 755 "$work"
port=$(free_port)
cd "$work" || exit 1
${as_user[@]+"${as_user[@]}"} "$bin/initdb" -D "$work/data" -U tester -A trust -N >log 2>&1 || { cat log >&2; fail "initdb"; }
LD_LIBRARY_PATH=$libdir ${as_user[@]+"${as_user[@]}"} "$bin/postgres" -D "$work/data" -p "$port" -k "$work" -c listen_addresses=127.0.0.1 -c fsync=off >server.log 2>&1 &
pids+=($!)
wait_for_port "$port"
export PGHOST=$work PGPORT=$port PGUSER=tester
for i in $(seq 100); do psql -qc 'select 1' postgres >/dev/null 2>&1 && break; sleep 0.1; done
grep -qF "$libdir/libz.so.1" "/proc/${pids[0]}/maps" || say "the server itself does not need libz"
createdb from || { cat server.log >&2; fail "createdb"; }
psql -q from <<'SQL' || fail "filling"
create table t as select i, md5(i::text) as hash, repeat('text ' || i % 100, 20) as words from generate_series(1, 20000) i;
create index on t (i);
create table u as select i, case when i % 3 = 0 then null else i * 1.5 end as x from generate_series(1, 5000) i;
SQL
sum_of() { psql -qAtc "select md5(string_agg(t::text, '' order by i)) from t union all select md5(string_agg(u::text, '' order by i)) from u" "$1"; }
want=$(sum_of from)
count=0
for level in 1 6 9; do
	rm -rf mine.d
	proved_on_it "$bin/pg_dump" -Fc -Z $level -f mine.dump from || fail "pg_dump -Fc -Z $level"
	on_it "$bin/pg_dump" -Fd -Z $level -j 2 -f mine.d from || fail "pg_dump -Fd"
	on_it "$bin/pg_dump" -Fp -Z $level -f mine.sql.gz from || fail "pg_dump -Fp"
	"$bin/pg_dump" -Fc -Z $level -f theirs.dump from || fail "pg_dump on the system's zlib"
	for dump in mine.dump mine.d theirs.dump; do
		for runner in on_it env; do
			createdb to && $runner "$bin/pg_restore" -d to $dump || fail "pg_restore of $dump at level $level"
			[ "$(sum_of to)" = "$want" ] || fail "$dump restored other rows"
			dropdb to
			count=$((count + 1))
		done
	done
	createdb to && gzip -dc mine.sql.gz | psql -q to >/dev/null && [ "$(sum_of to)" = "$want" ] && dropdb to || fail "the plain dump"
	# a base backup compressed by the server, and by the client
	for where in client server; do
		rm -rf backup
		on_it "$bin/pg_basebackup" -D backup -Ft -Z $where-gzip:level=$level -X none -c fast -h 127.0.0.1 >log 2>&1 || { cat log >&2; fail "pg_basebackup $where"; }
		tar -tzf backup/base.tar.gz | grep -q PG_VERSION || fail "the backup of $where"
		count=$((count + 1))
	done
done
say "$count dumps and backups"
