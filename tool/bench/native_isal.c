/* SPDX-License-Identifier: Zlib */
/* native_isal.c - ISA-L's igzip.  Its structs are the caller's, so its header is needed to build this.
 * The stateless functions take a whole buffer and copy nothing; the level's buffer has the library's default size. */
#include "bench/native.h"

#include <assert.h>
#include <isa-l/igzip_lib.h>
#include <string.h>

#define ISAL_LEVEL_MAX 3

static const char *const names[] = { "isal_deflate_stateless_init", "isal_deflate_stateless", "isal_inflate_init",
				     "isal_inflate_stateless", NULL };

/* In the order of names. */
static struct {
	void (*deflate_init)(struct isal_zstream *);
	int (*deflate)(struct isal_zstream *);
	void (*inflate_init)(struct inflate_state *);
	int (*inflate)(struct inflate_state *);
} library;

static const uint16_t pack_flags[WIRE_FORMAT_COUNT] = { IGZIP_GZIP, IGZIP_ZLIB, IGZIP_DEFLATE };
static const uint32_t unpack_flags[WIRE_FORMAT_COUNT] = { ISAL_GZIP, ISAL_ZLIB, ISAL_DEFLATE };
static const uint32_t buffer_bytes[ISAL_LEVEL_MAX + 1] = { ISAL_DEF_LVL0_DEFAULT, ISAL_DEF_LVL1_DEFAULT, ISAL_DEF_LVL2_DEFAULT,
							   ISAL_DEF_LVL3_DEFAULT };

static uint8_t level_buffer[ISAL_DEF_LVL3_DEFAULT > ISAL_DEF_LVL2_DEFAULT ? ISAL_DEF_LVL3_DEFAULT : ISAL_DEF_LVL2_DEFAULT];

static void take(void *const addresses[])
{
	static_assert(sizeof library == (sizeof names / sizeof names[0] - 1) * sizeof(void *), "one name for each function");
	memcpy(&library, addresses, sizeof library);
}

static size_t pack(int level, enum zw_wire_format format, const uint8_t *in, size_t in_bytes, uint8_t *out, size_t out_max_bytes)
{
	static struct isal_zstream stream;

	if (level < 0 || level > ISAL_LEVEL_MAX || in_bytes > UINT32_MAX || out_max_bytes > UINT32_MAX)
		return 0;
	library.deflate_init(&stream);
	stream.level = (uint32_t)level;
	stream.level_buf = level ? level_buffer : NULL;
	stream.level_buf_size = buffer_bytes[level];
	stream.end_of_stream = 1;
	stream.gzip_flag = pack_flags[format];
	stream.next_in = (uint8_t *)(uintptr_t)in;
	stream.avail_in = (uint32_t)in_bytes;
	stream.next_out = out;
	stream.avail_out = (uint32_t)out_max_bytes;
	return library.deflate(&stream) == COMP_OK && !stream.avail_in ? stream.total_out : 0;
}

static size_t unpack(enum zw_wire_format format, const uint8_t *in, size_t in_bytes, uint8_t *out, size_t out_max_bytes)
{
	static struct inflate_state state;

	if (in_bytes > UINT32_MAX || out_max_bytes > UINT32_MAX)
		return 0;
	library.inflate_init(&state);
	state.crc_flag = unpack_flags[format];
	state.next_in = (uint8_t *)(uintptr_t)in;
	state.avail_in = (uint32_t)in_bytes;
	state.next_out = out;
	state.avail_out = (uint32_t)out_max_bytes;
	return library.inflate(&state) == ISAL_DECOMP_OK && state.block_state == ISAL_BLOCK_FINISH ? state.total_out : 0;
}

const struct zw_native zw_native_isal = { "isal", names, take, pack, unpack };
