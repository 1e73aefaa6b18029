/* SPDX-License-Identifier: Zlib */
/* content_sample.h - what kind of bytes an input has, from a few of them. */
#ifndef ZW_DEFLATE_CONTENT_SAMPLE_H
#define ZW_DEFLATE_CONTENT_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#define CONTENT_LEAST_BYTES 4096u            /* fewer are not looked at */
#define CONTENT_SAMPLE_BYTES 256u

/* Of CONTENT_SAMPLE_BYTES sampled bytes. */
struct zw_content {
	uint16_t digits;                         /* '0' to '9' */
	uint16_t blanks;                         /* space and control characters */
};

/* Of p[0..n); zeros when n < CONTENT_LEAST_BYTES. */
struct zw_content zw_content_sample(const uint8_t *p, size_t n);

#endif
