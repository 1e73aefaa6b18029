#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# zwire precompress on a file system that fails: each call to it fails once, with EIO and others; the process is killed before each
# call; and the file that is read changes, vanishes or becomes something else before each call. Skipped (77) without a compiler or python3.
set -eu
here=$(dirname "$0")
command -v "${CC:-cc}" >/dev/null && command -v python3 >/dev/null || { echo 'a C compiler or python3 is missing: skipped'; exit 77; }
exec python3 "$here/precompress_faults.py" "$1" "${CC:-cc}" "$here/fault_preload.c"
