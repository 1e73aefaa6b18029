# SPDX-License-Identifier: Zlib
# common.sh - sourced by every client script: NAME.sh LIBDIR, where LIBDIR holds one libz.so.1 and nothing else.
# Exit codes of a script: 0 the program works on that library, 1 it does not, 2 wrong usage, 77 the program is missing.
set -u
PATH=$PATH:/usr/sbin:/sbin
script=$(basename "$0" .sh)
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

[ $# -ge 1 ] && [ -e "$1/libz.so.1" ] || { echo "usage: $0 LIBDIR    (a directory with libz.so.1)" >&2; exit 2; }
libdir=$(cd "$1" && pwd -P)
work=$(mktemp -d "${TMPDIR:-/tmp}/zwire-$script-XXXXXX") || exit 1
pids=()

say() { printf '%s: %s\n' "$script" "$*"; }
fail() { printf '%s: FAILED: %s\n' "$script" "$*" >&2; exit 1; }
skip() { printf '%s: skipped: %s\n' "$script" "$*" >&2; exit 77; }
need() { command -v "$1" >/dev/null 2>&1 || skip "no $1 here (Debian package $2)"; }

# Ends what this script started, by pid, and removes its directory; also on Ctrl-C.
clean_up() {
	local pid
	for pid in "${pids[@]}"; do
		kill "$pid" 2>/dev/null
		wait "$pid" 2>/dev/null
	done
	rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Runs a command on the library under test.
on_it() { LD_LIBRARY_PATH=$libdir "$@"; }

# Runs a command on the library under test and proves by the dynamic linker's own log that this file, and no other libz,
# was mapped by one of its processes.
proved_on_it() {
	local status logs="$work/ld.log"
	rm -f "$logs".*
	LD_DEBUG=libs LD_DEBUG_OUTPUT=$logs LD_LIBRARY_PATH=$libdir "$@"
	status=$?
	grep -qsF "calling init: $libdir/libz.so.1" "$logs".* || fail "$1 does not run on $libdir/libz.so.1"
	if grep -hs 'calling init: .*/libz\.so' "$logs".* | grep -qvF "$libdir/libz.so.1"; then
		fail "$1 maps another libz as well"
	fi
	return $status
}

# A TCP port of the loopback that nobody listens on.
free_port() {
	local port
	for port in $(shuf -i 20000-32000 -n 50 2>/dev/null || seq 20111 37 22000); do
		(exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "$port"; return; }
	done
	fail "no free port"
}

# wait_for_port PORT: until somebody listens, at most five seconds.
wait_for_port() {
	local i
	for i in $(seq 100); do
		(exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null && return
		sleep 0.05
	done
	fail "nobody listens on port $1"
}

# make_files DIRECTORY: texts and noise of many sizes, the same every time.
make_files() {
	mkdir -p "$1/sub"
	awk -v dir="$1" 'BEGIN {
		srand(7)
		n = split("the server request response of header body and cache worker stream for buffer module value", w, " ")
		for (f = 0; f < 40; f++) {
			file = dir (f % 3 ? "/text" : "/sub/text") f ".html"
			lines = int(exp(rand() * 7))
			for (l = 0; l < lines; l++) {
				line = "<p class=\"c" int(rand() * 20) "\">"
				for (k = 0; k < 12; k++) line = line w[1 + int(rand() * n)] " "
				print line "</p>" > file
			}
			close(file)
		}
	}'
	head -c 300000 /dev/zero >"$1/zeros.bin"
	: >"$1/empty"
	# noise that does not compress, and is the same every time
	awk 'BEGIN { srand(3); for (i = 0; i < 60000; i++) printf "%c", 33 + int(rand() * 90) }' >"$1/noise.txt"
	seq 1 40000 >"$1/numbers.txt"
}
