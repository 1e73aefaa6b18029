#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# git: a generated repository is written, cloned, repacked and checked on this libz, then checked on the system's.
. "$(dirname "$0")/common.sh"
need git git
export HOME=$work GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@example.com GIT_COMMITTER_NAME=t \
	GIT_COMMITTER_EMAIL=t@example.com GIT_AUTHOR_DATE=@1700000000 GIT_COMMITTER_DATE=@1700000000

cd "$work" || exit 1
proved_on_it git init -q -b main repo || fail "git init"
cd repo || exit 1
for commit in 1 2 3 4 5 6 7 8; do
	make_files "d$commit"
	for f in d*/text*.html; do echo "<!-- commit $commit -->" >>"$f"; done
	on_it git add -A && on_it git commit -qm "commit $commit" || fail "git commit"
done
want=$(git rev-parse 'HEAD^{tree}')

on_it git fsck --full --strict >"$work/fsck.log" 2>&1 || { cat "$work/fsck.log" >&2; fail "git fsck"; }
for level in 1 6 9; do
	on_it git -c core.compression=$level -c pack.compression=$level repack -qadfF || fail "git repack at level $level"
	on_it git fsck --full >"$work/fsck.log" 2>&1 || { cat "$work/fsck.log" >&2; fail "git fsck after repack at level $level"; }
done
on_it git gc -q --aggressive --prune=now || fail "git gc"
on_it git clone -q --no-local . "$work/clone" 2>"$work/clone.log" || { cat "$work/clone.log" >&2; fail "git clone"; }
[ "$(on_it git -C "$work/clone" rev-parse 'HEAD^{tree}')" = "$want" ] || fail "the clone has another tree"
diff -r --exclude=.git . "$work/clone" || fail "the clone has other files"

proved_on_it git -c tar.tar.gz.command='git archive gzip' archive --format=tar.gz -9 -o "$work/tree.tar.gz" HEAD || fail "git archive"
mkdir "$work/tree" && tar -xzf "$work/tree.tar.gz" -C "$work/tree" && diff -r --exclude=.git . "$work/tree" || fail "the archive has other files"

# And the other library reads what this one wrote.
git -C "$work/clone" fsck --full --strict >"$work/fsck.log" 2>&1 || { cat "$work/fsck.log" >&2; fail "git fsck on the system's zlib"; }
git clone -q --no-local . "$work/clone2" 2>/dev/null && on_it git -C "$work/clone2" fsck --full >/dev/null 2>&1 || fail "a clone by the system's zlib"
say "$(git count-objects -v | sed -n 's/^in-pack: //p') objects, tree $want"
