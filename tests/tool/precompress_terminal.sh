#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# What zwire precompress shows at a terminal: one line that is written over, with the total and the time left, no wider than the
# terminal; nothing of it elsewhere, nor with -q. Skipped (77) without python3.
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing: skipped'; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 - "$1" "$dir" <<'EOP'
import fcntl, os, pty, random, re, struct, subprocess, sys, termios
zwire, folder = sys.argv[1:]
random.seed(1)
for i in range(12):                          # more than a second of work on any machine, the first run with --force too
    with open("%s/f%d.txt" % (folder, i), "wb") as f:
        f.write(random.getrandbits(8 << 20).to_bytes(1 << 20, "little").hex().encode())


def run(columns, *arguments):
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen([zwire, "precompress", "--threads", "1", *arguments, folder], stdout=subprocess.PIPE, stderr=theirs)
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:                      # the other end is closed
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    said = process.stdout.read().decode()
    assert process.wait() == 0, shown
    return shown.decode(), said


shown, said = run(200)
lines = [l for l in shown.split("\r\x1b[K") if l]
print(lines[len(lines) // 2])
assert len(lines) > 3, shown
whole = re.compile(r"^\d+ of 12 files, [\d,]+ -> [\d,]+ bytes \(\d+\.\d % saved\), \d+\.\d MB/s(, (\d+:)?\d+:\d\d left)?$")
assert all(whole.match(l) for l in lines[1:]), lines
assert sum(l.endswith(" left") for l in lines) > 2, lines
assert shown.endswith("\r\x1b[K"), "the line stays: %r" % shown[-80:]
done = [int(l.split()[0]) for l in lines[1:]]
assert done == sorted(done) and done[-1] <= 12, done
assert re.match(r"^12 files, 12 made in \d+\.\d\d s\ntwins: [\d,]+ -> [\d,]+ bytes, \d+\.\d % saved\n$", said), said
shown, _ = run(40, "--force")
lines = [l for l in shown.split("\r\x1b[K") if l]
assert lines and all(len(l) < 40 for l in lines), lines
assert run(200, "-q", "--force") == ("", ""), "-q shows something"
shown = subprocess.run([zwire, "precompress", "--threads", "1", "--force", folder], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
assert shown.returncode == 0 and not shown.stderr, "progress where nobody watches: %r" % shown.stderr
EOP
echo 'zwire precompress at a terminal: all as expected'
