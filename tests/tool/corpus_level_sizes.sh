#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# level_sizes.sh on what bench/corpus/fetch has brought, tuning and judging; skipped, and why, when it has not.
# usage: corpus_level_sizes.sh ZWIRE [CORPUS]
set -u

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) || exit 1
corpus=${2:-$(cd "$here/../.." && pwd)/build/corpus}
failed=0
for set in tuning judging; do
	if [ ! -d "$corpus/$set" ]; then
		echo "skipped: $corpus/$set is not there; bench/corpus/fetch brings it, from the npm registry" >&2
		exit 77
	fi
	bash "$here/level_sizes.sh" "$1" "$corpus/$set" || failed=1
done
exit $failed
