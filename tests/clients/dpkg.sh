#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# dpkg-deb packs and unpacks with gzip; apt-get reads a gzipped index and fetches the package, all in a directory.
. "$(dirname "$0")/common.sh"
need dpkg-deb dpkg

make_files "$work/root/usr/share/zwire-test"
mkdir -p "$work/root/DEBIAN" "$work/repo"
cat >"$work/root/DEBIAN/control" <<CONTROL
Package: zwire-test
Version: 1.0
Architecture: all
Maintainer: Nobody <nobody@example.com>
Description: a package made to be taken apart
CONTROL
for level in 1 6 9; do
	proved_on_it dpkg-deb --root-owner-group -Zgzip -z$level -b "$work/root" "$work/repo/zwire-test_1.0_all.deb" >/dev/null ||
		fail "dpkg-deb -b at level $level"
	rm -rf "$work/mine" "$work/theirs"
	on_it dpkg-deb -x "$work/repo/zwire-test_1.0_all.deb" "$work/mine" || fail "dpkg-deb -x"
	dpkg-deb -x "$work/repo/zwire-test_1.0_all.deb" "$work/theirs" || fail "dpkg-deb -x on the system's zlib"
	diff -r "$work/root/usr" "$work/mine/usr" && diff -r "$work/mine" "$work/theirs" || fail "other files at level $level"
done
dpkg-deb -Zgzip -z9 -b "$work/root" "$work/theirs.deb" >/dev/null && on_it dpkg-deb -x "$work/theirs.deb" "$work/mine2" &&
	diff -r "$work/mine" "$work/mine2" || fail "a package made by the system's zlib"
say "dpkg-deb packs and unpacks"

command -v apt-get >/dev/null || exit 0
cd "$work/repo" || exit 1
{
	dpkg-deb -f zwire-test_1.0_all.deb
	echo "Filename: ./zwire-test_1.0_all.deb"
	echo "Size: $(stat -c %s zwire-test_1.0_all.deb)"
	echo "SHA256: $(sha256sum zwire-test_1.0_all.deb | cut -d' ' -f1)"
	echo
	for i in $(seq 2000); do     # an index as long as a real one
		printf 'Package: filler-%d\nVersion: %d\nArchitecture: all\nFilename: ./f%d.deb\nSize: 1\nSHA256: %064d\nDescription: filler\n\n' $i $i $i $i
	done
} >"$work/Packages"
gzip -9c "$work/Packages" >Packages.gz
mkdir -p "$work/apt/state/lists/partial" "$work/apt/cache/archives/partial" "$work/apt/etc"
chmod -R a+rX "$work"
echo "deb [trusted=yes] file:$work/repo ./" >"$work/apt/etc/sources.list"
apt_options=(-o Dir::State="$work/apt/state" -o Dir::State::status=/dev/null -o Dir::Cache="$work/apt/cache"
	-o Dir::Etc::sourcelist="$work/apt/etc/sources.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::Etc::preferencesparts=/dev/null
	-o APT::Sandbox::User=root -o Acquire::Languages=none -o Acquire::GzipIndexes=true -o Debug::NoLocking=true)
touch "$work/apt/state/status"
proved_on_it apt-get -q "${apt_options[@]}" update >"$work/apt.log" 2>&1 || { cat "$work/apt.log" >&2; fail "apt-get update"; }
cd "$work" || exit 1
on_it apt-get -q "${apt_options[@]}" download zwire-test >"$work/apt.log" 2>&1 || { cat "$work/apt.log" >&2; fail "apt-get download"; }
cmp zwire-test_1.0_all.deb repo/zwire-test_1.0_all.deb || fail "apt-get fetched something else"
say "apt-get reads a gzipped index of 2001 packages and fetches from it"
