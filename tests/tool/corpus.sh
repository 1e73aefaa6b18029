#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# The lists of bench/corpus, and bench/corpus/fetch with an npm that is a script: no network is used.
# usage: corpus.sh ZWIRE
set -u

zwire=$1
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd) || exit 1
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failed=0
export PYTHONDONTWRITEBYTECODE=1

# ---- the lists: form, sizes, kinds, no source in both, and the entries that need no download are what they say --------
"$zwire" bench --dump "$dir/dump" || failed=1
python3 - "$top/bench/corpus" "$dir/dump" <<-'EOF' || failed=1
	import os, re, sys, zlib
	corpus, dump = sys.argv[1:]
	sys.path.insert(0, corpus)
	import made
	def package(source, path):                   # what must not be in both sets
	    return path.partition(":")[0] if source == "made" else source.rpartition("@")[0] or source
	sets = {}
	for name in ("tuning", "judging"):
	    rows = [line.split() for line in open(os.path.join(corpus, name + ".list"), encoding="ascii") if not line.startswith("#")]
	    assert all(len(row) == 6 for row in rows), name
	    names = [row[0] for row in rows]
	    assert len(set(names)) == len(names) >= 28, (name, len(names))
	    assert len({tuple(row[4:]) for row in rows}) == len(rows), name
	    assert len({row[3] for row in rows}) == len(rows), name
	    for body, kind, size, crc, source, path in rows:
	        assert body.rpartition(".")[2] == kind and kind in ("html", "json", "js", "css", "svg"), body
	        assert 1000 <= int(size) <= 1 << 20 and re.fullmatch("[0-9a-f]{8}", crc), body
	        assert re.fullmatch(r"made|zwire|npm:(@[\w.-]+/)?[\w.-]+@\d+\.\d+\.\d+", source), source
	        data = made.make(path) if source == "made" else open(os.path.join(dump, path), "rb").read() if source == "zwire" else None
	        assert data is None or (len(data), "%08x" % zlib.crc32(data)) == (int(size), crc), (body, len(data), zlib.crc32(data))
	    small, middle, large = ([row for row in rows if low < int(row[2]) <= high] for low, high in
	                            ((0, 8192), (8192, 102400), (102400, 1 << 20)))
	    assert len(small) >= 6 and len(middle) >= 8 and len(large) >= 8, (name, len(small), len(middle), len(large))
	    assert len([row for row in small if row[1] == "json"]) >= 3, name
	    for kind, least in (("html", 6), ("json", 6), ("js", 5), ("css", 3), ("svg", 3)):
	        assert len([row for row in rows if row[1] == kind]) >= least, (name, kind)
	    sets[name] = {package(row[4], row[5]) for row in rows}
	    if name == "judging":
	        assert {"data.json", "api-2k.json", "page.html", "rows.html", "items.json"} <= {row[5] for row in rows if row[4] == "zwire"}
	assert not sets["tuning"] & sets["judging"], sets["tuning"] & sets["judging"]
EOF
[ $failed -eq 0 ] || echo 'FAILED: the lists'

# ---- fetch, in a tree of its own with lists of its own ------------------------------------------------------------------
tree=$dir/tree
mkdir -p "$tree/bench/corpus" "$dir/bin" "$dir/packages/package"
cp "$top/bench/corpus/fetch" "$top/bench/corpus/made.py" "$tree/bench/corpus/"
printf 'alpha beta gamma\n' >"$dir/packages/package/a.html"
printf '{"list": [{"x/y": 1, "name": "\\u00e9"}]}\n' >"$dir/packages/package/a.json"
tar -czf "$dir/packages/some-1.2.3.tgz" -C "$dir/packages" package
cat >"$dir/bin/npm" <<EOF
#!/bin/sh
echo "\$*" >>"$dir/npm-calls"
for word; do [ "\$before" = --pack-destination ] && place=\$word; before=\$word; done
[ "\$before" = some@1.2.3 ] || { echo 'npm error 404 no such package' >&2; exit 1; }
cp "$dir/packages/some-1.2.3.tgz" "\$place/" && echo some-1.2.3.tgz
EOF
chmod +x "$dir/bin/npm"

write_lists() { # a.html's size and CRC-32
	printf '# a comment\na.html html %s npm:some@1.2.3 a.html\n%s\n' "$1" \
		'a.json json 21 9c566e8b npm:some@1.2.3 a.json#/list/0' >"$tree/bench/corpus/tuning.list"
	printf 'orders-3.json json 1630 %s made orders:3\n1k.html html 1024 a84081f2 zwire 1k.html\n' "$2" >"$tree/bench/corpus/judging.list"
}

search=$dir/bin:$PATH python=
# expect CODE TEXT ARGUMENT...
expect() {
	local code=$1 text=$2 got
	shift 2
	PATH=$search ${python:+"$python"} "$tree/bench/corpus/fetch" "$@" >"$dir/out" 2>&1
	got=$?
	if [ $got -ne "$code" ] || ! grep -qF -- "$text" "$dir/out"; then
		echo "FAILED: bench/corpus/fetch $*: exit $got, wanted $code and '$text'; it said:"
		cat "$dir/out"
		failed=1
	fi
}

# must TEXT COMMAND...
must() {
	local text=$1
	shift
	"$@" || { echo "FAILED: $text"; failed=1; }
}

calls() { [ "$(wc -l <"$dir/npm-calls" 2>/dev/null || echo 0)" -eq "$1" ]; }

write_lists '17 3455eec8' 3975d3c8
expect 0 'Exit: 0 all files are there' --help
expect 2 'unrecognized arguments: --fast' --fast
expect 2 'invalid choice' --only both
expect 3 'Build zwire first' --zwire "$dir/no-zwire" "$dir/c"
expect 0 'judging: 2 files, 2 brought, 0 complaints' --zwire "$zwire" "$dir/c"
must 'a.html is as in the package' cmp "$dir/c/tuning/a.html" "$dir/packages/package/a.html"
must 'the value at a JSON pointer' [ "$(cat "$dir/c/tuning/a.json")" = '{"x/y":1,"name":"é"}' ]
must 'one npm pack for two files of a package, and none for what is there' calls 1
expect 0 'tuning: 2 files, 0 brought, 0 complaints' --zwire "$zwire" "$dir/c"
must 'the second run downloads nothing' calls 1
echo more >>"$dir/c/tuning/a.html"
expect 0 'tuning: 2 files, 1 brought, 0 complaints' --only tuning "$dir/c"
must 'a damaged file is brought again' cmp "$dir/c/tuning/a.html" "$dir/packages/package/a.html"
touch "$dir/c/tuning/stray.html"
expect 1 'stray.html is not in the list' --only tuning "$dir/c"
rm "$dir/c/tuning/stray.html"

write_lists '17 3455eec9' 3975d3c8
expect 1 'a.html: 17 bytes, CRC-32 3455eec8, the list wants 17 bytes, CRC-32 3455eec9' --only tuning "$dir/c"
must 'a file that is not what the list says is not left' [ ! -e "$dir/c/tuning/a.html" ]
write_lists '17 3455eec8' 3975d3c9
expect 1 'orders:3 of made has changed' --only judging --zwire "$zwire" "$dir/c"
sed -i 's/ a.html$/ none.html/' "$tree/bench/corpus/tuning.list"
expect 1 'a.html: not there' --only tuning "$dir/c"
sed -i 's/some@1.2.3/some@9.9.9/' "$tree/bench/corpus/tuning.list"
expect 3 'npm error 404 no such package' --only tuning "$dir/c"
echo 'b.html html many 00000000 made orders:3' >"$tree/bench/corpus/tuning.list"
expect 3 'tuning.list, line 1: wants NAME' --only tuning "$dir/c"
echo '../b.html html 1 00000000 made orders:3' >"$tree/bench/corpus/tuning.list"
expect 3 'tuning.list, line 1: wants NAME' --only tuning "$dir/c"
echo 'b.html html 1 00000000 ftp:some a' >"$tree/bench/corpus/tuning.list"
expect 3 'unknown source ftp:some' --only tuning "$dir/c"
write_lists '17 3455eec8' 3975d3c8
rm "$dir/bin/npm"
search=$dir/bin python=$(python3 -c 'import sys; print(sys.executable)')
expect 3 'Is npm installed' --only tuning "$dir/empty"

[ $failed -eq 0 ] && echo 'bench/corpus: all as expected'
exit $failed
