#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# zwire bench with libraries that are called by their own functions, formats, levels that not all have, and means.
# Native libraries that are made here, and that are wrong, must be caught; the real ones are run where they are installed.
# usage: bench_native.sh ZWIRE
set -u

zwire=$1
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failed=0
PATH=$PATH:/usr/sbin:/sbin
system=$(ldconfig -p | sed -n 's/.*libz\.so\.1 .*=> //p' | head -n 1)

# expect CODE TEXT ARGUMENT... - runs zwire bench; its exit code must be CODE and its output hold TEXT.
expect() {
	local code=$1 text=$2 got
	shift 2
	"$zwire" bench --time 1 --rounds 2 "$@" >"$dir/out" 2>&1
	got=$?
	if [ $got -ne "$code" ] || { [ -n "$text" ] && ! grep -qF -- "$text" "$dir/out"; }; then
		echo "FAILED: zwire bench $*: exit $got, wanted $code and '$text'; it said:"
		cat "$dir/out"
		failed=1
	fi
}

# ---- formats of a libz: the same deflate stream, and 18, 6 or no bytes around it -------------------------------------
"$zwire" bench --dump "$dir/bodies" || exit 1
cp "$system" "$dir/libz-copy.so.1"
for format in gzip zlib raw; do
	expect 0 ", $format" --lib "a=$system" --lib "b=$dir/libz-copy.so.1" --harness 1,3 --format $format --levels 6 \
		--json "$dir/$format.json" "$dir/bodies/1k.html" "$dir/bodies/25k.html"
done
python3 - "$dir" <<-'EOF' || { echo 'FAILED: the formats'; failed=1; }
	import json, sys
	sizes = {}
	for format in ("gzip", "zlib", "raw"):
	    results = json.load(open("%s/%s.json" % (sys.argv[1], format)))["results"]
	    assert len(results) == 2 * 2 * 4, len(results)
	    assert {r["format"] for r in results if r["mode"].endswith("-one")} == {format}
	    assert {r["format"] for r in results if r["mode"].endswith("-nginx")} == {"gzip"}
	    sizes[format] = [r["output_bytes"] for r in results if r["mode"] == "deflate-one"]
	assert sizes["gzip"] == [n + 18 for n in sizes["raw"]] and sizes["zlib"] == [n + 6 for n in sizes["raw"]], sizes
EOF

# ---- means by size and by kind ---------------------------------------------------------------------------------------
mkdir "$dir/mixed"
cp "$dir/bodies"/{300b.json,1k.html,25k.html,page.html,rows.html} "$dir/mixed"
expect 0 'means, to A' --lib "a=$system" --lib "b=$dir/libz-copy.so.1" --harness 1 --levels 6 --json "$dir/means.json" "$dir/mixed"
python3 - "$dir/means.json" <<-'EOF' || { echo 'FAILED: the means'; failed=1; }
	import json, math, sys
	document = json.load(open(sys.argv[1]))
	bodies = {b["name"]: b["bytes"] for b in document["bodies"]}
	means = {(m["mode"], m["class"]): m for m in document["means"]}
	assert {m["library"] for m in document["means"]} == {"b"}
	want = {"all": 5, "to 4 KB": 2, "to 100 KB": 2, "above": 1, "json": 1, "html": 4}
	assert {key: m["bodies"] for key, m in means.items()} == {(mode, name): count for name, count in want.items()
	                                                          for mode in ("deflate-one", "inflate-one")}, means.keys()
	for mode in ("deflate-one", "inflate-one"):
	    rows = [r for r in document["results"] if r["mode"] == mode and r["library"] == "b"]
	    for name, test in (("all", lambda r: True), ("to 4 KB", lambda r: bodies[r["body"]] <= 4096),
	                       ("html", lambda r: r["body"].endswith("html")), ("above", lambda r: bodies[r["body"]] > 102400)):
	        ratios = [r["speed_to_first"] for r in rows if test(r)]
	        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
	        got = means[mode, name]                # written with 6 digits
	        assert abs(got["speed_to_first"] - mean) < 2e-5 * mean, (mode, name, got, mean)
	        assert got["worst_speed_to_first"] == min(ratios)
	        assert got["speed_to_first_low"] <= got["speed_to_first_high"]
	assert means["deflate-one", "all"]["size_to_first"] == 1 and "size_to_first" not in means["inflate-one", "all"]
EOF

# ---- native libraries that are wrong, and one that drags a libz in -----------------------------------------------------
cat >"$dir/native.c" <<-'EOF'
	#include <stddef.h>
	#include <string.h>
	static char one;
	void *libdeflate_alloc_compressor(int level) { (void)level; return &one; }
	void *libdeflate_alloc_decompressor(void) { return &one; }
	static size_t pack(const char *in, size_t n, char *out, size_t max) { size_t k = PACK; memcpy(out, in, k < n ? k : n); return k; }
	static int unpack(char *out, size_t *n) { memset(out, 'x', 1024); *n = 1024; return UNPACK; }
	#define BOTH(name) \
	size_t libdeflate_##name##_compress(void *c, const char *in, size_t n, char *out, size_t max) { (void)c; return pack(in, n, out, max); } \
	int libdeflate_##name##_decompress(void *d, const char *in, size_t m, char *out, size_t max, size_t *n) \
	{ (void)d; (void)in; (void)m; (void)max; return unpack(out, n); }
	BOTH(gzip) BOTH(zlib) BOTH(deflate)
EOF
make_native() { cc -w -shared -fPIC "$@" "$dir/native.c" -o "$dir/libdeflate.so.0" || { echo 'FAILED: cc'; exit 1; }; }
run_wrong() { expect "$1" "$2" --lib "a=$system" --lib "b=$dir/libz-copy.so.1" --native "libdeflate=$dir/libdeflate.so.0" --harness 1 --only "$3" "$dir/bodies/1k.html"; }
make_native -DPACK=100 -DUNPACK=0
run_wrong 1 'WRONG BYTES' deflate
run_wrong 1 'inflate gave 1024 bytes that are not the body of 1024' inflate
make_native -DPACK=0 -DUNPACK=3
run_wrong 1 'compression failed' deflate
run_wrong 1 'decompression failed' inflate
make_native -DPACK=100 -DUNPACK=0 -Wl,--no-as-needed "$system"
run_wrong 1 'left out: another libz is mapped' deflate
sed -i 's/_decompress(/_unpack(/' "$dir/native.c"
make_native -DPACK=100 -DUNPACK=0
run_wrong 1 'has no libdeflate_gzip_decompress, so it is no libdeflate' deflate

expect 1 'has no zwire_compress, so it is no zwire-native' --native "zwire-native=$system" --harness 1 "$dir/bodies/1k.html"

# ---- the real ones ---------------------------------------------------------------------------------------------------
natives=() found=
for name in libdeflate isal zwire-native; do
	"$zwire" bench --lib "a=$system" --native $name --harness 1 --levels 12 --time 1 --rounds 1 "$dir/bodies/1k.html" >"$dir/out" 2>&1 &&
		natives+=(--native $name) found="$found $name"
done
for format in gzip zlib raw; do
	expect 0 'decoded by another library' --lib "a=$system" ${natives[@]+"${natives[@]}"} --harness 1,3 --format $format --levels 1,3,12 \
		--json "$dir/native.json" "$dir/bodies/1k.html" "$dir/bodies/page.html" "$dir/bodies/random.bin"
	python3 - "$dir/native.json" $found <<-'EOF' || { echo "FAILED: $format with$found"; failed=1; }
		import json, sys
		document, found = json.load(open(sys.argv[1])), sys.argv[2:]
		assert [l["api"] for l in document["libraries"]] == ["zlib"] + found
		rows = document["results"]
		assert {r["library"] for r in rows if r["harness"] == "3"} == {"a"}
		levels = {"a": {1, 3, 9}, "libdeflate": {1, 3, 12}, "isal": {1, 3}, "zwire-native": {12}}
		for library in ["a"] + found:
		    one = [r for r in rows if r["library"] == library and r["mode"] == "deflate-one"]
		    assert {r["level"] for r in one} == levels[library], (library, one)
		    inflated = [r for r in rows if r["library"] == library and r["mode"] == "inflate-one"]
		    assert len(inflated) == (0 if library == "zwire-native" else 3), library
		    assert all(r["is_first"] == (library == "a") for r in one)
		    assert {r["group_level"] for r in one if r["level"] == 9} <= {12}
	EOF
done

[ $failed -eq 0 ] && echo "zwire bench with native libraries: all as expected; real ones:${found:- none}"
exit $failed
