/* SPDX-License-Identifier: Zlib */
/* combine.h - the checksum of two byte strings in a row from the checksums of the two.  Pure; any thread. */
#ifndef ZW_CHECKSUM_COMBINE_H
#define ZW_CHECKSUM_COMBINE_H

#include <stdint.h>

/* The Adler-32 of first and second together; second_bytes is the length of the second.  Both values are in range. */
uint32_t zw_adler32_combine(uint32_t first, uint32_t second, uint64_t second_bytes);

/* The operator for a second part of second_bytes bytes: x^(8 * second_bytes) modulo the polynomial, never 0. */
uint32_t zw_crc32_operator(uint64_t second_bytes);

/* The CRC-32 of first and second together, given the operator for the second's length. */
uint32_t zw_crc32_combine(uint32_t first, uint32_t second, uint32_t operator);

#endif
