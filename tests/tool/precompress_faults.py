# SPDX-License-Identifier: Zlib
"""Runs zwire precompress again and again, each time with one fault (fault_preload.c), and looks at what it leaves.

After a fault: a twin is whole and holds its file, or the run said that it could not do that file and ended with 1.
After a kill: a twin is whole. In both cases the next run mends everything and leaves no temporary file.
After a file changed while it was read: its twin holds what it is now, or there is none; nothing outside the tree changed."""
import errno, gzip, os, shutil, subprocess, sys, tempfile

zwire, compiler, source = sys.argv[1:]
work = tempfile.mkdtemp()
tree, hit, outside = work + "/tree", work + "/hit", work + "/outside"
library = work + "/fault_preload.so"
failed = 0


def fail(text):
    global failed
    failed += 1
    print("FAILED:", text)


def run(call, at, what, *arguments, command=None):
    """Exit code and output of one run, and whether the fault came."""
    environment = dict(os.environ, LD_PRELOAD=library, ZWIRE_FAULT_TREE=tree, ZWIRE_FAULT_CALL=call, ZWIRE_FAULT_AT=str(at),
                       ZWIRE_FAULT_DO=str(what), ZWIRE_FAULT_HIT=hit, ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0")
    if command:
        environment["ZWIRE_FAULT_RUN"] = command
    if os.path.exists(hit):
        os.unlink(hit)
    done = subprocess.run([zwire, "precompress", "--threads", "1", "-l", "1", *arguments, tree], env=environment,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout.decode(errors="replace"), os.path.exists(hit)


def text(seed):
    return b"".join(b"%d\n" % i for i in range(seed, seed + 900))


def put(name, data):
    with open(tree + "/" + name, "wb") as f:
        f.write(data)


large = b"".join(b"%d, " % i for i in range(700000))     # more than 4 MB: from disk to disk


def fresh(with_large):
    shutil.rmtree(tree, ignore_errors=True)
    os.makedirs(tree + "/a")
    put("new.js", text(1))
    put("a/stale.css", text(2))
    put("a/stale.css.gz", gzip.compress(text(3)))
    put("broken.html", text(4))
    put("broken.html.gz", gzip.compress(text(4))[:-20])
    put("right.txt", text(5))
    put("right.txt.gz", gzip.compress(text(5)))
    put("noise.js", os.urandom(300))
    put("noise.js.gz", gzip.compress(b"old"))
    put("gone.xml.gz", gzip.compress(b"gone"))
    os.symlink("new.js", tree + "/link.js")
    if with_large:
        put("large.txt", large)


def read(path):
    with open(path, "rb") as f:
        return f.read()


def look(name):
    """What is there under name.gz: None, 'half', or what it decodes to."""
    try:
        data = read(tree + "/" + name + ".gz")
    except FileNotFoundError:
        return None
    try:
        return gzip.decompress(data)
    except Exception:
        return "half"


wanted = ["new.js", "a/stale.css", "broken.html", "right.txt", "link.js"]
before = {"a/stale.css": text(3), "broken.html": "half", "noise.js": b"old"}


def names(with_large):
    return wanted + (["large.txt"] if with_large else [])


def temporary():
    return [n for _, _, files in os.walk(tree) for n in files if n.startswith(".zwire")]


def mended(why, with_large):
    done = subprocess.run([zwire, "precompress", "-l", "1", "--no-sync", "--prune", tree], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0 or temporary() or os.path.exists(tree + "/gone.xml.gz") or look("noise.js") is not None or any(
            look(n) != read(tree + "/" + n) for n in names(with_large)):
        fail("%s: the next run does not mend it: %d %s %s" % (why, done.returncode, temporary(), done.stdout.decode()))


deep = int(os.environ.get("ZWIRE_TEST_PERCENT", "100")) > 100
step_of_large = 1 if deep else 9             # which calls are tried where there are hundreds


def faults(call, what, with_large):
    at = 1
    count = 0
    while True:
        fresh(with_large)
        code, output, was_hit = run(call, at, what, "--prune")
        if not was_hit:
            if code != 0:
                fail("%s without a fault: exit %d: %s" % (call, code, output))
            return count
        at += step_of_large if with_large else 1
        count += 1
        why = "%s %d, %s" % (call, count, errno.errorcode[what])
        if code not in (0, 1):
            fail("%s: exit %d: %s" % (why, code, output))
        for name in names(with_large) + ["noise.js"]:
            got = look(name)
            right = got == read(tree + "/" + name) if name != "noise.js" else got is None
            told = name in output or "reading the folder" in output or (name == "link.js" and "new.js" in output)
            if not right and not (code == 1 and told):
                fail("%s: %s.gz is wrong or missing, and exit is %d: %s" % (why, name, code, output))
            if got is not None and not right and got != before.get(name):
                fail("%s: %s.gz holds neither its file nor what it held before" % (why, name))
        if temporary() and call not in ("unlinkat", "flock", "any"):
            fail("%s: temporary files stay: %s" % (why, temporary()))
        mended(why, with_large)


def kills(with_large):
    at = 1
    count = 0
    while True:
        fresh(with_large)
        code, output, was_hit = run("any", at, "kill", "--prune")
        if not was_hit:
            return count
        at += step_of_large if with_large else 1
        count += 1
        for name in names(with_large) + ["noise.js"]:
            got = look(name)
            path = tree + "/" + name
            if got is not None and got != before.get(name) and got != read(path):
                fail("killed before call %d: %s.gz" % (at, name))
        mended("killed before call %d" % at, with_large)


def changes(what, command, check, data, size):
    """command runs before each call on the tree once; check says what is wrong afterwards."""
    at = 1
    count = 0
    while True:
        shutil.rmtree(tree, ignore_errors=True)
        shutil.rmtree(outside, ignore_errors=True)
        os.makedirs(tree + "/a")
        os.makedirs(outside)
        with open(outside + "/secret.js", "wb") as f:
            f.write(b"secret" * 5000)
        put("a/f.js", data)
        if count % 2:
            put("a/f.js.gz", gzip.compress(b"stale"))
        code, output, was_hit = run("any", at, "run", command=command)
        if not was_hit:
            return count
        at += step_of_large if size == "large" else 1
        count += 1
        wrong = check(code, output)
        if os.listdir(outside) != ["secret.js"] or read(outside + "/secret.js") != b"secret" * 5000:
            wrong = "something outside the tree changed"
        if not wrong and temporary():
            wrong = "temporary files stay"
        if wrong:
            fail("%s, %s bytes, before call %d: %s (exit %d): %s" % (what, size, at, wrong, code, output))


def is_right(code, output):
    if code != 0:
        return "not done"
    return None if look("a/f.js") == read(tree + "/a/f.js") else "the twin is wrong or missing"


def is_absent(code, output):
    got = look("a/f.js")
    return None if got in (None, b"stale") else "a twin of a file that is gone"


def is_safe(code, output):
    try:
        data = read(tree + "/a/f.js")
    except OSError:
        data = None
    got = look("a/f.js")
    return None if got in (None, data) else "a wrong twin"


try:
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    total = 0
    for call in ("openat", "pread", "write", "fsync", "renameat", "unlinkat", "fchmod", "fchown", "futimens", "flock", "fstat", "fstatat",
                 "fdopendir", "readdir", "symlinkat", "readlinkat", "flistxattr"):
        count = faults(call, errno.EIO, False)
        if call in ("pread", "write"):
            count += faults(call, errno.EIO, True)
        total += count
        if not count:
            fail("%s was never called" % call)
    for call, what in (("openat", errno.EACCES), ("openat", errno.EMFILE), ("openat", errno.EROFS), ("write", errno.ENOSPC),
                       ("write", errno.EDQUOT), ("fsync", errno.ENOSPC), ("renameat", errno.EACCES), ("renameat", errno.EROFS),
                       ("unlinkat", errno.EPERM), ("futimens", errno.EPERM), ("fchown", errno.EPERM), ("flock", errno.ENOLCK)):
        total += faults(call, what, False)
    print(total, "faults")
    killed = kills(False) + kills(True)
    print("killed", killed, "times")
    swaps = 0
    for size, data in (("small", text(9)), ("large", large)):
        f = tree + "/a/f.js"
        for what, command, check in (
                ("it grows", "echo more >>%s" % f, is_right),
                ("it shrinks", "truncate -s 5000 %s" % f, is_right),
                ("it is replaced", "cp %s %s.n && echo x >>%s.n && mv %s.n %s" % (f, f, f, f, f), is_right),
                ("it is replaced by one of the same time", "touch -r %s %s/stamp; echo 7 | dd of=%s bs=1 conv=notrunc 2>/dev/null; "
                 "touch -r %s/stamp %s; rm %s/stamp" % (f, work, f, work, f, work), is_right),
                ("it vanishes", "rm %s" % f, is_absent),
                ("it becomes a link", "ln -s %s/secret.js %s.n && mv -T %s.n %s" % (outside, f, f, f), is_safe),
                ("it becomes a folder", "rm %s && mkdir %s" % (f, f), is_absent),
                ("it becomes a FIFO", "rm %s && mkfifo %s" % (f, f), is_absent),
                ("its folder becomes a link", "mv %s/a %s/b && ln -s %s %s/a" % (tree, tree, outside, tree), is_safe)):
            if size == "large" and what not in ("it grows", "it vanishes", "it is replaced"):
                continue
            swaps += changes(what, command, check, data, size)
    print("changed", swaps, "times while it was read")
finally:
    shutil.rmtree(work, ignore_errors=True)
print("zwire precompress with faults: %s" % ("all as expected" if not failed else "%d failures" % failed))
sys.exit(1 if failed else 0)
