#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""Writes src/inflate/fixed_tables.c: the decode tables of RFC 1951 3.2.6 in the layout of src/inflate/decode_entry.h."""

LITLEN_ROOT, DIST_BITS, DIST_ROOT = 10, 5, 8
NOT_LITERAL, SPLIT, INDEX_SHIFT = 1 << 7, 1 << 6, 2
SPECIAL = NOT_LITERAL | SPLIT | 1 << 31
ONE_BYTE = 1 << 30
DIST_SPECIAL, DIST_INVALID = 1 << 31, 1 << 30
LITLEN_STEP, DIST_STEP = 0x10001, 0x101


def reverse(value, bits):
    return int(format(value, "0%db" % bits)[::-1], 2)


def bases(first, groups):
    """(base, extra bits) of consecutive symbols; groups: how many symbols share an extra-bit count, from 0 up."""
    out, base = [], first
    for extra, count in enumerate(groups):
        for _ in range(count):
            out.append((base, extra))
            base += 1 << extra
    return out


LENGTHS = bases(3, [8, 4, 4, 4, 4, 4])[:28] + [(258, 0)]
DISTANCES = bases(1, [4] + [2] * 13)


def litlen_constant(symbol):
    if symbol < 256:
        return symbol << 8 | ONE_BYTE
    if symbol == 256:
        return SPECIAL | 0x1000
    if symbol > 285:
        return SPECIAL | 0x2000
    base, extra = LENGTHS[symbol - 257]
    return NOT_LITERAL | SPLIT | (base - 3) << 8 | INDEX_SHIFT << 16 | extra << 24 | extra


def dist_constant(symbol):
    if symbol > 29:
        return DIST_SPECIAL | DIST_INVALID
    base, extra = DISTANCES[symbol]
    return base << 16 | (base - 1) >> extra << 14 | extra


def table(lengths, index_bits, constant, step):
    entries, code = [None] * (1 << index_bits), 0
    for bits in range(1, index_bits + 1):
        code <<= 1
        for symbol, length in enumerate(lengths):
            if length == bits:
                for high in range(1 << (index_bits - bits)):
                    entries[reverse(code, bits) | high << bits] = constant(symbol) + bits * step
                code += 1
    return entries


def show(name, entries):
    rows = [", ".join("0x%08x" % e for e in entries[i:i + 10]) for i in range(0, len(entries), 10)]
    return "\t.%s = {\n\t\t%s\n\t},\n" % (name, ",\n\t\t".join(rows))


def main():
    litlen = [8] * 144 + [9] * 112 + [7] * 24 + [8] * 8
    print("/* SPDX-License-Identifier: Zlib */")
    print("/* fixed_tables.c - the decode tables of the fixed code.  Made by tools/make_fixed_tables.py: do not edit. */")
    print('#include "inflate/decode_entry.h"\n')
    print("const struct zw_decode_tables zw_fixed_tables = {")
    print("\t.used_entries = %d," % ((1 << LITLEN_ROOT) + (1 << DIST_ROOT)))
    print(show("dist", table([DIST_BITS] * 32, DIST_ROOT, dist_constant, DIST_STEP)), end="")
    print(show("litlen", table(litlen, LITLEN_ROOT, litlen_constant, LITLEN_STEP)), end="")
    print("};")


main()
