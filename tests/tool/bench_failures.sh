#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Libraries that crash, hang up, write a wrong stream or are no libz: zwire bench says which one and why, and finishes with the
# others.  usage: bench_failures.sh ZWIRE
set -u

zwire=$1
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failed=0
PATH=$PATH:/usr/sbin:/sbin
type -P cc >/dev/null || { echo 'cc is missing'; exit 77; }
system=$(readlink -f "$(ldconfig -p | sed -n 's/.*libz\.so\.1 .*=> //p' | head -n 1)")
cp "$system" "$dir/true.so"
"$zwire" bench --dump "$dir/bodies" || exit 1

fail() {
	echo "FAILED: $*"
	cat "$dir/out"
	failed=1
}

# bench CODE OPTIONS...: runs it into out and result.json; one body unless others are named.
bench() {
	local code=$1 got
	shift
	rm -f "$dir/result.json"
	"$zwire" bench --time 1 --rounds 2 --json "$dir/result.json" "$@" >"$dir/out" 2>&1
	got=$?
	[ $got -eq "$code" ] || fail "bench $*: exit $got, wanted $code"
}

# says PYTHON: an expression over rows(library, level) and libraries by name.
says() {
	python3 - "$dir/result.json" "$1" <<-'END' || fail "not true: $1"
		import json, sys
		document = json.load(open(sys.argv[1]))
		names = {"libraries": {l["name"]: l for l in document["libraries"]}, "document": document, "all": all, "any": any, "len": len,
		         "rows": lambda library, level=None: [r for r in document["results"] if r["library"] == library and r.get("level") == level]}
		sys.exit(not eval(sys.argv[2], names))
	END
}

# make NAME WHAT: a libz that does WHAT in deflate() or inflate() and is otherwise the system's.
make() {
	mkdir "$dir/$1"
	cat >"$dir/shim.c" <<-'END'
		#define _GNU_SOURCE
		#include <dlfcn.h>
		#include <stdlib.h>
		#include <unistd.h>
		struct stream { const unsigned char *next_in; unsigned avail_in; unsigned long total_in; unsigned char *next_out; unsigned avail_out; unsigned long total_out; };
		static void *find(const char *name)
		{
			static void *handle;
			if (!handle) handle = dlopen(TRUE_LIBZ, RTLD_NOW | RTLD_LOCAL);
			return handle ? dlsym(handle, name) : NULL;
		}
		static int level_now;
		const char *zlibVersion(void) { return ((const char *(*)(void))find("zlibVersion"))(); }
		int deflateInit2_(void *s, int level, int a, int b, int c, int d, const char *v, int z)
		{ level_now = level; return ((int (*)(void *, int, int, int, int, int, const char *, int))find("deflateInit2_"))(s, level, a, b, c, d, v, z); }
		int inflateInit2_(void *s, int b, const char *v, int z) { return ((int (*)(void *, int, const char *, int))find("inflateInit2_"))(s, b, v, z); }
		int deflateEnd(void *s) { return ((int (*)(void *))find("deflateEnd"))(s); }
		int inflateEnd(void *s) { return ((int (*)(void *))find("inflateEnd"))(s); }
		int deflate(struct stream *s, int flush)
		{
			unsigned char *from = s->next_out;
			int code;
			if (level_now == 6) { BEFORE }
			code = ((int (*)(struct stream *, int))find("deflate"))(s, flush);
			if (level_now == 6) { AFTER }
			return code;
		}
		int inflate(struct stream *s, int flush)
		{
			int code = ((int (*)(struct stream *, int))find("inflate"))(s, flush);
			INFLATED
			return code;
		}
	END
	cc -w -shared -fPIC -O1 "-DTRUE_LIBZ=\"$dir/true.so\"" "${@:2}" -Wl,-soname,libz.so.1 -o "$dir/$1/libz.so.1" "$dir/shim.c" -ldl || exit 1
}

make crash -DBEFORE='abort();' -DAFTER= -DINFLATED=
make leaves -DBEFORE='_exit(7);' -DAFTER= -DINFLATED=
make wrong -DBEFORE= -DAFTER='if (s->next_out - from > 100) from[99] ^= 1;' -DINFLATED=
make refuses -DBEFORE='return -2;' -DAFTER= -DINFLATED=
make stuck -DBEFORE='return 0;' -DAFTER= -DINFLATED=
make varies -DBEFORE= -DAFTER='static int n; if (code == 1 && n++ % 2) { s->total_out += 1; s->next_out += 1; }' -DINFLATED=
make deaf -DBEFORE= -DAFTER= -DINFLATED='if (code == 1) abort();'
echo 'not a library' >"$dir/libz.so.1"
libm=$(ldconfig -p | sed -n 's/.*libm\.so\.6 .*=> //p' | head -n 1)

libraries=(--lib "first=$system")
for name in crash leaves wrong refuses stuck varies deaf; do libraries+=(--lib "$name=$dir/$name/libz.so.1"); done
for how in mixed repeated; do
	bench 1 "${libraries[@]}" --lib "none=$dir/libz.so.1" --lib "math=$libm" --levels 1,6 --bodies $how "$dir/bodies/1k.html" "$dir/bodies/page.html"
	says "all('failed' not in r and r['mb_per_s'] > 0 for level in (None, 1, 6) for r in rows('first', level))"
	says "len(rows('first', 1)) == len(rows('first', 6)) == len(rows('first')) == 2"
	says "all('failed' not in r for l in ('crash', 'leaves', 'wrong', 'refuses', 'stuck', 'varies') for level in (1, None) for r in rows(l, level))"
	says "all('it crashed: signal 6' in r['failed'] for r in rows('crash', 6)) and all('exit code 7' in r['failed'] for r in rows('leaves', 6))"
	says "all('WRONG BYTES' in r['failed'] for r in rows('wrong', 6)) and all('deflate returned -2' in r['failed'] for r in rows('refuses', 6))"
	says "all('failed' in r for r in rows('stuck', 6)) and all('failed' in r for r in rows('varies', 6))"
	says "all('failed' not in r for level in (1, 6) for r in rows('deaf', level)) and all('it crashed' in r['failed'] for r in rows('deaf'))"
	says "'no libz' in libraries['math']['left_out'] and libraries['none']['left_out'] and not libraries['crash']['left_out']"
	says "not any(m['library'] in ('crash', 'wrong') and m.get('level') == 6 for m in document['means'])"
	grep -q 'first.*1.00' "$dir/out" || fail "$how: no table"
done

# The first library is the one that fails: the others have their speeds, but nothing to be compared with.
bench 1 --lib "wrong=$dir/wrong/libz.so.1" --lib "second=$system" --levels 6 --only deflate "$dir/bodies/page.html"
says "'WRONG BYTES' in rows('wrong', 6)[0]['failed'] and rows('second', 6)[0]['mb_per_s'] > 0"

# One whose inflate() crashes, or is wrong, takes no figure from the only other library.
for name in deaf lies; do
	[ $name = deaf ] || make lies -DBEFORE= -DAFTER= -DINFLATED='if (code == 1) s->next_out[-1] ^= 1;'
	bench 1 --lib "first=$system" --lib "$name=$dir/$name/libz.so.1" --levels 6 "$dir/bodies/1k.html"
	says "all(rows(l, 6)[0]['mb_per_s'] > 0 for l in ('first', '$name')) and 'failed' not in rows('first')[0] and 'failed' in rows('$name')[0]"
done

# One response by itself: a new process for each, first cold, then warm.
bench 1 --single "${libraries[@]}" --levels 6 "$dir/bodies/1k.html"
says "all(len(r['cold_us']['rounds']) == 2 and min(r['cold_us']['rounds'] + r['warm_us']['rounds']) > 0 for level in (6, None) for r in rows('first', level))"
says "all('failed' in r for l in ('crash', 'refuses') for r in rows(l, 6))"
grep -q 'cold/warm' "$dir/out" || fail 'no table of single responses'

# Pieces, buffers, windows and memory as they are given.
bench 0 --lib "a=$system" --levels 6 --harness 2,3 --chunk 1000 --output-buffer 512 --window-bits 12 --mem-level 3 "$dir/bodies/page.html"
says "{r['mode'] for r in document['results']} == {'deflate-chunks', 'deflate-nginx', 'inflate-nginx'}"
says "document['shape'] == {'chunk_bytes': 1000, 'output_buffer_bytes': 512, 'window_bits': 12, 'mem_level': 3}"
says "{r['nginx_budget_bytes'] for r in rows('a', 6) if r['mode'] == 'deflate-nginx'} == {8208 + (4 << 12) + (512 << 3)}"
small=$(python3 -c 'import json, sys; print([r["output_bytes"] for r in json.load(open(sys.argv[1]))["results"] if r["mode"] == "deflate-chunks"][0])' "$dir/result.json")
bench 0 --lib "a=$system" --levels 6 --harness 2 "$dir/bodies/page.html"
says "all(r['output_bytes'] < $small for r in rows('a', 6))"

# What names the file beyond doubt, and what its worker needed.
says "libraries['a']['sha256'] == '$(sha256sum <"$system" | cut -d' ' -f1)' and libraries['a']['soname'] == 'libz.so.1' and libraries['a']['file'] == '$system'"
id=$(readelf -n "$system" 2>/dev/null | sed -n 's/.*Build ID: //p')
[ -z "$id" ] || says "libraries['a']['build_id'] == '$id'"
says "all(r['peak_rss_kb'] > 500 for r in document['results'])"
says "all(r['instructions_per_response'] > 70123 for r in document['results']) if not document['instructions_uncounted'] else not any('instructions_per_response' in r for r in document['results'])"
grep -q 'peak resident memory' "$dir/out" || fail 'nothing about memory'

# A library that asks for more than NGINX has prepared is told what each generation makes of it; the system's fits in all of them.
bench 0 --lib "a=$system" --levels 6 --only deflate "$dir/bodies/page.html"
says "all(set(r['nginx_verdicts'].values()) == {'fits'} and len(r['nginx_verdicts']) == 4 for r in document['results'])"
grep -q 'within budget' "$dir/out" || fail 'no verdict on the budget'

# Bodies from the network, and what is wrong with them.
(cd "$dir/bodies" && exec python3 -u -m http.server --bind 127.0.0.1 0) >"$dir/server" 2>&1 &
server=$!
trap 'kill $server; rm -rf "$dir"' EXIT
for _ in $(seq 100); do
	port=$(sed -n 's/.*port \([0-9]*\).*/\1/p' "$dir/server")
	[ -n "$port" ] && break
	sleep 0.1
done
bench 0 --lib "a=$system" --levels 6 --url "http://127.0.0.1:$port/1k.html"
says "[b['name'] for b in document['bodies']] == ['001-1k.html'] and document['bodies'][0]['bytes'] == 1024"
grep -q 'sends them uncompressed' "$dir/out" || fail 'nothing about what the site serves'
bench 3 --lib "a=$system" --url "http://127.0.0.1:$port/missing"
grep -q 'status 404' "$dir/out" || fail 'the status was not said'
bench 3 --lib "a=$system" --url "http://127.0.0.1:1/"
mkdir "$dir/empty"
bench 3 --lib "a=$system" "$dir/empty"
grep -q 'nothing to measure in' "$dir/out" || fail 'an empty directory'

[ $failed -eq 0 ] && echo 'zwire bench: each failure told, the others measured'
exit $failed
