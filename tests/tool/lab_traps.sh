#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Every way of measuring something else than gzip, set up on purpose: zwire lab must refuse the arm with its reason and
# measure the others. Likewise one library that is none, that crashes, or that writes a wrong stream.
# Skipped (77) where nginx, wrk, ab or a compiler is missing.
# usage: lab_traps.sh ZWIRE
set -u

zwire=$1
here=$(cd "$(dirname "$0")" && pwd)
PATH=$PATH:/usr/sbin:/sbin
for program in nginx wrk ab cc; do
	type -P $program >/dev/null || { echo "$program is missing"; exit 77; }
done
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
export TMPDIR=$dir/tmp
mkdir "$TMPDIR"
failed=0
system=$(ldconfig -p | sed -n 's/.*libz\.so\.1 .*=> //p' | head -n 1)

fail() {
	echo "FAILED: $*"
	failed=1
}

# lab NAME CODE OPTIONS...: runs it into NAME.json and NAME.out.
lab() {
	local name=$1 code=$2 got
	shift 2
	"$zwire" lab --quick --rounds 1 --json "$dir/$name.json" "$@" >"$dir/$name.out" 2>&1
	got=$?
	[ $got -eq "$code" ] || { fail "$name: exit $got, wanted $code"; cat "$dir/$name.out"; }
	[ -z "$(ls -A "$TMPDIR")" ] || fail "$name: files stay"
	[ ! -e "$dir/report.html" ] || python3 "$here/report_page.py" "$dir/$name.json" "$dir/report.html" || fail "$name: the page"
	rm -f "$dir/report.html"
}

# says NAME PYTHON: an expression over cell(body, arm, library), each cell of the result, and libraries by name.
says() {
	python3 - "$dir/$1.json" "$2" <<-'END' || { fail "$1: not true: $2"; cat "$dir/$1.out"; }
		import json, sys
		document = json.load(open(sys.argv[1]))
		cells = {(r["body"], r["arm"], r["library"]): r for r in document["results"]}
		names = {"cell": lambda *key: cells[key], "cells": cells, "libraries": {l["name"]: l for l in document["libraries"]}}
		sys.exit(not eval(sys.argv[2], names))
	END
}

only="--levels 1 --lib first=$system"

# The trap that is in every run: ab speaks HTTP/1.0.
echo 'gzip_types text/css application/octet-stream;' >"$dir/types.conf"
lab types 1 $only --include "$dir/types.conf"
says types "'application/json, is not listed in gzip_types' in cell('data.json', 'level 1', 'first')['refused']"
says types "not cell('data.json', 'level 1', 'first')['is_measured'] and 'requests_per_s' not in cell('data.json', 'level 1', 'first')"
says types "cell('page.html', 'level 1', 'first')['is_measured'] and cell('data.json', 'off', 'first')['is_measured']"
says types "'HTTP/1.0' in cell('page.html', 'level 1, ab, 1.1', 'first')['refused'] and 'gzip_http_version' in cell('page.html', 'level 1, ab, 1.1', 'first')['refused']"

echo 'gzip_min_length 100000;' >"$dir/length.conf"
lab length 1 $only --include "$dir/length.conf"
says length "'70123 bytes are below gzip_min_length, which is 100000' in cell('page.html', 'level 1', 'first')['refused']"
says length "cell('data.json', 'level 1', 'first')['is_measured']"

echo 'deny all;' >"$dir/deny.conf"
lab deny 1 $only --include "$dir/deny.conf"
says deny "all('status 403' in c['refused'] for c in cells.values())"

echo 'rewrite ^/level1/(.*)$ /off/$1 last;' >"$dir/off.conf"
lab off 1 $only --include "$dir/off.conf"
says off "'look for gzip off' in cell('page.html', 'level 1', 'first')['refused']"

# The body is not the file: something on its way changed it.
if nginx -V 2>&1 | grep -q with-http_sub_module; then
	printf 'sub_filter "<" "<<";\nsub_filter_once on;\n' >"$dir/sub.conf"
	lab sub 1 $only --include "$dir/sub.conf"
	says sub "'WRONG BYTES' in cell('page.html', 'level 1', 'first')['refused'] and 'WRONG BYTES' in cell('page.html', 'off', 'first')['refused']"
fi

# NGINX that will not start.
echo 'no_such_directive on;' >"$dir/broken.conf"
lab broken 3 $only --include "$dir/broken.conf"
grep -q 'unknown directive "no_such_directive"' "$dir/broken.out" || fail 'broken: NGINX was not quoted'

# A libz whose deflate() does what WHAT says, and is otherwise the system's.
make_library() {
	mkdir "$dir/$1"
	sed 's/libz\.so\.1/libq.so.1/g' "$(readlink -f "$system")" >"$dir/$1/libq.so.1"
	cat >"$dir/$1/shim.c" <<-'END'
		#define _GNU_SOURCE
		#include <dlfcn.h>
		#include <stdlib.h>
		struct stream { const unsigned char *next_in; unsigned avail_in; unsigned long total_in; unsigned char *next_out; };
		static int level_now;
		int deflateInit2_(void *s, int level, int method, int bits, int memory, int strategy, const char *version, int size)
		{
			int (*next)(void *, int, int, int, int, int, const char *, int);
			*(void **)&next = dlsym(RTLD_NEXT, "deflateInit2_");
			level_now = level;
			return next(s, level, method, bits, memory, strategy, version, size);
		}
		int deflate(struct stream *s, int flush)
		{
			int (*next)(void *, int), code;
			unsigned char *from = s->next_out;
			*(void **)&next = dlsym(RTLD_NEXT, "deflate");
			if (CRASHES && level_now == 6) abort();
			code = next(s, flush);
			if (!CRASHES && level_now == 6 && s->next_out - from > 100) from[99] ^= 1;
			return code;
		}
	END
	cc -shared -fPIC -O1 "-DCRASHES=$2" -Wl,-soname,libz.so.1 -o "$dir/$1/libz.so.1" "$dir/$1/shim.c" \
		-Wl,--no-as-needed "$dir/$1/libq.so.1" "-Wl,-rpath,$dir/$1" -ldl
}

# Three that fail in a way of their own beside one that works, which must finish.
if make_library crash 1 && make_library wrong 0; then
	echo 'not a library' >"$dir/libz.so.1"
	lab libraries 1 --levels 1,6 --lib "none=$dir/libz.so.1" --lib "first=$system" --lib "crash=$dir/crash/libz.so.1" --lib "wrong=$dir/wrong/libz.so.1"
	says libraries "libraries['none']['broken'] and not libraries['first']['broken'] and not libraries['crash']['broken']"
	says libraries "all(c['is_measured'] for (b, a, l), c in cells.items() if l == 'first' and 'ab' not in a)"
	says libraries "all(c['is_measured'] for (b, a, l), c in cells.items() if l in ('crash', 'wrong') and a in ('level 1', 'gunzip'))"
	says libraries "all('crashed' in c['refused'] for (b, a, l), c in cells.items() if l == 'crash' and a == 'level 6')"
	says libraries "all('WRONG BYTES' in c['refused'] for (b, a, l), c in cells.items() if l == 'wrong' and a == 'level 6')"
else
	fail 'the libraries that go wrong could not be built'
fi

# An NGINX that maps no libz: zlib linked in, here by a program that is NGINX but for the library it was told to use.
cat >"$dir/nginx-static" <<-END
	#!/bin/sh
	exec env -u LD_LIBRARY_PATH $(type -P nginx) "\$@"
END
chmod 755 "$dir/nginx-static"
cp "$system" "$dir/libz-copy.so.1"
lab mapped 3 --levels 1 --lib "first=$dir/libz-copy.so.1" --nginx "$dir/nginx-static"
grep -q 'another libz is mapped' "$dir/mapped.out" || { fail 'mapped: the wrong library was not named'; cat "$dir/mapped.out"; }

[ $failed -eq 0 ] && echo 'zwire lab: each trap refused with its reason'
exit $failed
