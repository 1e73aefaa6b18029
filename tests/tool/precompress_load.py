# SPDX-License-Identifier: Zlib
"""precompress_load.py ON ALWAYS FOLDER COUNT SECONDS EVERY - rewrites fN.js, 1 to COUNT, in FOLDER every EVERY seconds, all of them at
once, and asks NGINX for them all the while: port ON with gzip_static on, port ALWAYS with gzip_static always and gunzip.

Each version of a file is a row of numbers that begins with its own. A response is one whole version, and not one that was
replaced more than a second before it was asked for. A machine that does not let this program run in time does not let the
watcher either, so its own delays are allowed for."""
import gzip, http.client, os, random, sys, threading, time

on, always, folder, count, seconds, every = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], int(sys.argv[4]), float(sys.argv[5]), float(sys.argv[6])
MAX_STALE_S = 1.0
done = threading.Event()
lock = threading.Lock()
versions = {i: [(0.0, 0)] for i in range(1, count + 1)}      # when each version was in place at the latest
seen = {"responses": 0, "gzip": 0, "rounds": 0, "stale": 0}
oldest = delay = 0.0
wrong = []


def body(version):
    return b"".join(b"%d\n" % k for k in range(version, version + 3000))


def write():
    version = 100000
    while not done.wait(every):
        bodies = [body(version + i) for i in range(1, count + 1)]     # before, so that the files change at once
        for i in versions:
            path = "%s/f%d.js" % (folder, i)
            version += 1
            if i % 4:
                with open(path + ".new", "wb") as f:
                    f.write(bodies[i - 1])
                os.rename(path + ".new", path)
            else:                            # in place: a reader may see a part, but no old version later on
                with open(path, "r+b") as f:
                    f.write(bodies[i - 1])
            versions[i].append((time.monotonic(), version))
        seen["rounds"] += 1


def sleep_badly():
    global delay
    while not done.is_set():
        start = time.monotonic()
        time.sleep(0.01)
        delay = max(delay, time.monotonic() - start - 0.01)


def ask(port, encoding):
    global oldest
    connection = http.client.HTTPConnection("127.0.0.1", port)
    end = time.monotonic() + seconds
    while time.monotonic() < end and not wrong:
        i = random.randint(1, count)
        if port == always and i % 4 == 0:
            continue                         # unpacked by NGINX or not, nobody can tell: only whole versions
        asked = time.monotonic()
        connection.request("GET", "/a/f%d.js" % i, headers={"Accept-Encoding": encoding} if encoding else {})
        response = connection.getresponse()
        data = response.read()
        is_gzip = response.getheader("Content-Encoding") == "gzip"
        if response.status != 200:
            wrong.append((i, response.status))
            break
        data = gzip.decompress(data) if is_gzip else data
        with lock:
            seen["responses"] += 1
            seen["gzip"] += is_gzip
        if not is_gzip and i % 4 == 0:
            continue
        version = int(data.split(b"\n", 1)[0])
        if version > 100000 and data != body(version):
            wrong.append((i, version, len(data)))
        later = [when for when, v in versions[i] if v > version]
        if later and version > 0:
            oldest = max(oldest, asked - later[0])


threads = [threading.Thread(target=t, args=a) for t, a in ((write, ()), (sleep_badly, ()), (ask, (on, "gzip")), (ask, (always, "")))]
for t in threads:
    t.start()
for t in threads[2:]:
    t.join()
done.set()
for t in threads[:2]:
    t.join()
print("%d responses, %d with gzip, while %d files were rewritten %d times; the oldest was replaced %.0f ms before it was asked for; "
      "this program's own delay: %.0f ms" % (seen["responses"], seen["gzip"], count, seen["rounds"], 1000 * oldest, 1000 * delay))
assert not wrong, wrong
assert oldest <= MAX_STALE_S + 10 * delay, oldest
assert seen["responses"] > 100 and seen["gzip"] > 20 and seen["rounds"] > 0, seen
