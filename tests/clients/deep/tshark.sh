#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# tshark reads a gzipped capture, also with random access in two passes, and unpacks a gzipped HTTP body in it.
# Debian: tshark
. "$(dirname "$0")/../common.sh"
need tshark tshark
cd "$work" || exit 1
make_files files
cat files/text1.html files/numbers.txt | head -c 30000 >body
gzip -9c body >body.gz
# a capture of one TCP connection: a request, and a gzipped response cut in segments, between 6000 datagrams
/usr/bin/python3 - <<'PY' || fail "the capture"
import socket, struct
def ip(protocol, payload):
    head = struct.pack('>BBHHHBBH4s4s', 0x45, 0, 20 + len(payload), 1, 0, 64, protocol, 0, socket.inet_aton('10.0.0.1'), socket.inet_aton('10.0.0.2'))
    return b'\2' * 6 + b'\4' * 6 + b'\x08\0' + head + payload
def tcp(sport, dport, seq, ack, flags, data=b''):
    return ip(6, struct.pack('>HHIIBBHHH', sport, dport, seq, ack, 5 << 4, flags, 65535, 0, 0) + data)
body = open('body.gz', 'rb').read()
request = b'GET / HTTP/1.1\r\nHost: example.com\r\n\r\n'
response = b'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n' % len(body) + body
packets = [tcp(4000, 80, 100, 0, 2), tcp(80, 4000, 500, 101, 0x12), tcp(4000, 80, 101, 501, 0x18, request)]
seq = 501
for at in range(0, len(response), 1400):
    part = response[at:at + 1400]
    packets.append(tcp(80, 4000, seq, 101 + len(request), 0x18, part))
    seq += len(part)
for i in range(6000):
    data = b'datagram %d ' % i * 9
    packets.append(ip(17, struct.pack('>HHHH', 5000, 5001 + i % 7, 8 + len(data), 0) + data))
with open('all.pcap', 'wb') as f:
    f.write(struct.pack('<IHHiIII', 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1))
    for n, p in enumerate(packets):
        f.write(struct.pack('<IIII', 1700000000 + n, 0, len(p), len(p)) + p)
PY
export HOME=$work XDG_CONFIG_HOME=$work WIRESHARK_RUN_FROM_BUILD_DIRECTORY=
fields=(-T fields -e frame.number -e frame.len -e udp.dstport -e tcp.seq -e data.data)
tshark -n -r all.pcap "${fields[@]}" >want 2>log || { cat log >&2; fail "tshark on the system's zlib"; }
for level in 1 6 9; do
	gzip -$level -c all.pcap >all.pcap.gz
	proved_on_it tshark -n -r all.pcap.gz "${fields[@]}" >mine 2>log || { cat log >&2; fail "tshark at level $level"; }
	cmp mine want || fail "other packets at level $level"
	on_it tshark -2 -n -r all.pcap.gz "${fields[@]}" 2>log | cmp - want || fail "other packets in two passes at level $level"
done
[ "$(wc -l <want)" -gt 6000 ] || fail "packets are missing"
on_it tshark -q -n -r all.pcap.gz --export-objects "http,$work/objects" >log 2>&1 || { cat log >&2; fail "exporting the body"; }
cmp body "$work"/objects/* || fail "the HTTP body was unpacked to something else"
say "$(wc -l <want) packets"
