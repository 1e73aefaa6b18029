#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# What docs/precompress.md says about memory: so much for each of --threads, whatever the tree and its files are. Skipped (77) without python3,
# and with sanitizers, which have memory of their own.
set -eu
zwire=$1
command -v python3 >/dev/null || { echo 'python3 is missing: skipped'; exit 77; }
! grep -qa __asan_init "$zwire" || { echo 'built with a sanitizer: skipped'; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 - "$zwire" "$dir" <<'EOP'
import os, random, subprocess, sys, time
zwire, folder = sys.argv[1:]
MB = 1 << 20
BASE = 12                                    # MB: the program, its libraries, stacks that were touched


def bound(level, threads):                   # MB, as docs/precompress.md has it
    return BASE + threads * ((22 if level > 9 else 1) + 9)


def peak(level, threads, *arguments):        # MB
    process = subprocess.Popen([zwire, "precompress", "-q", "-l", str(level), "--threads", str(threads), *arguments, folder + "/t"])
    high = 0
    while process.poll() is None:            # the kernel keeps the peak, so the last look counts; wait4() would tell of this program's
        try:
            with open("/proc/%d/status" % process.pid) as f:
                status = dict(line.split(":", 1) for line in f)
        except (FileNotFoundError, ProcessLookupError):
            continue
        if status["Name"].strip() == "zwire" and "VmHWM" in status:
            high = max(high, int(status["VmHWM"].split()[0]))
        time.sleep(0.005)
    assert process.returncode == 0, process.returncode
    return high / 1024


def fresh():
    subprocess.run(["rm", "-rf", folder + "/t"], check=True)
    os.makedirs(folder + "/t")


failed = False


def judge(what, got, limit):
    global failed
    print("%-60s %6.1f MB, at most %d" % (what, got, limit))
    failed |= got > limit


random.seed(1)
fresh()
for i in range(12):                          # the largest that are compressed in memory
    with open("%s/t/f%d.txt" % (folder, i), "wb") as f:
        f.write(random.getrandbits(8 * 2 * MB).to_bytes(2 * MB, "little").hex().encode())
for level, threads in ((9, 1), (9, 2), (12, 1)):
    for n in os.listdir(folder + "/t"):
        if n.endswith(".gz"):
            os.unlink(folder + "/t/" + n)
    judge("12 files of 4 MiB, level %d, %d thread(s)" % (level, threads), peak(level, threads), bound(level, threads))
fresh()
with open(folder + "/t/large.txt", "wb") as f:       # far larger than what it may take
    for _ in range(256):
        f.write(b"0123456789abcdef" * (MB // 16))
judge("a file of 256 MiB, level 9, 1 thread", peak(9, 1), bound(9, 1))
os.truncate(folder + "/t/large.txt", 48 * MB)
judge("a file of 48 MiB, level 12, 1 thread", peak(12, 1, "--force", "--no-sync"), bound(12, 1))
subprocess.run("gzip -dc %s/t/large.txt.gz | cmp - %s/t/large.txt" % (folder, folder), shell=True, check=True)
peaks = []
for count in (500, 15000):                   # the tree's size
    fresh()
    for i in range(count):
        os.makedirs("%s/t/d%d" % (folder, i // 100), exist_ok=True)
        with open("%s/t/d%d/%d.txt" % (folder, i // 100, i), "wb") as f:
            f.write(b"%d some text, some text, some text, some text\n" % i * 4)
    peaks.append(peak(1, 1, "--no-sync"))
judge("15,000 files of 200 bytes, level 1 (%.1f MB with 500)" % peaks[0], peaks[1], peaks[0] + 6)
sys.exit(failed)
EOP
echo 'zwire precompress: memory as stated'
