#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# bench/peers/build where it cannot work: it must say why and exit with 3, and leave no half library.
# usage: peers.sh (any argument is ignored)
set -u

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd) || exit 1
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failed=0

# A tree of its own, and a PATH with the basic tools but no cargo; then with a cargo that reaches no registry.
mkdir -p "$dir/tree/bench/peers" "$dir/bin" "$dir/home"
cp "$top/bench/peers/build" "$dir/tree/bench/peers/build"
for tool in bash env dirname mkdir rm mv cp cat tail head sed find nproc cmake cc; do
	path=$(type -P $tool) && ln -s "$path" "$dir/bin/$tool"
done

# expect CODE TEXT ARGUMENT...
expect() {
	local code=$1 text=$2 got
	shift 2
	env -i PATH="$dir/bin" HOME="$dir/home" bash "$dir/tree/bench/peers/build" "$@" >"$dir/out" 2>&1
	got=$?
	if [ $got -ne "$code" ] || ! grep -qF -- "$text" "$dir/out"; then
		echo "FAILED: bench/peers/build $*: exit $got, wanted $code and '$text'; it said:"
		cat "$dir/out"
		failed=1
	fi
}

expect 2 'unknown argument --fast' --fast
expect 0 'zlib-ng' --help
expect 3 'cargo was not found'
printf '#!/bin/sh\necho "error: no route to the registry" >&2\nexit 101\n' >"$dir/bin/cargo"
chmod +x "$dir/bin/cargo"
expect 3 'no route to the registry'
[ -z "$(find "$dir/tree/build" -name 'libz.so*')" ] || { echo 'FAILED: a library was left'; failed=1; }

[ $failed -eq 0 ] && echo 'bench/peers/build: all as expected'
exit $failed
