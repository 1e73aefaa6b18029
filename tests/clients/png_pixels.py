# SPDX-License-Identifier: Zlib
"""png_pixels.py make DIRECTORY - writes four PNG images;  png_pixels.py sum FILE - the SHA-256 of a PNG's pixels.

8 bits per channel, not interlaced; on the zlib that Python has.
"""
import hashlib
import struct
import sys
import zlib

CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}


def chunk(name, data):
    return struct.pack('>I', len(data)) + name + data + struct.pack('>I', zlib.crc32(name + data))


def make(directory):
    for color, channels in CHANNELS.items():
        width, height, noise, rows = 211, 157, 1, b''
        for y in range(height):
            row = bytearray()
            for x in range(width * channels):
                noise = (noise * 1103515245 + 12345) % 2**31
                row.append((noise >> 16) % 256 if x > width and y > height * 3 // 4 else (x // 3 + y * 2) % 256)
            rows += b'\0' + bytes(row)
        with open(f'{directory}/type{color}.png', 'wb') as f:
            f.write(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', width, height, 8, color, 0, 0, 0)) +
                    chunk(b'IDAT', zlib.compress(rows, 6)) + chunk(b'IEND', b''))


def paeth(a, b, c):
    pa, pb, pc = abs(b - c), abs(a - c), abs(a + b - 2 * c)
    return a if pa <= pb and pa <= pc else b if pb <= pc else c


def pixels(data):
    at, idat = 8, b''
    while at < len(data):
        size, name = struct.unpack_from('>I4s', data, at)
        body = data[at + 8:at + 8 + size]
        assert struct.unpack_from('>I', data, at + 8 + size)[0] == zlib.crc32(name + body), name
        if name == b'IHDR':
            width, height, depth, color, _, _, interlaced = struct.unpack('>IIBBBBB', body)
            assert depth == 8 and not interlaced
        elif name == b'IDAT':
            idat += body
        at += 12 + size
    raw, n, out = zlib.decompress(idat), CHANNELS[color], b''
    above = bytearray(width * n)
    for y in range(height):
        kind, *row = raw[y * (width * n + 1):(y + 1) * (width * n + 1)]
        for x in range(len(row)):
            a, b, c = row[x - n] if x >= n else 0, above[x], above[x - n] if x >= n else 0
            row[x] = (row[x] + (0, a, b, (a + b) // 2, paeth(a, b, c))[kind]) % 256
        above = row
        out += bytes(row)
    return f'{width}x{height} type {color} {hashlib.sha256(out).hexdigest()}'


if sys.argv[1] == 'make':
    make(sys.argv[2])
else:
    print(pixels(open(sys.argv[2], 'rb').read()))
