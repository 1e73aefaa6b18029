/* SPDX-License-Identifier: Zlib */
/* deflate_state.h - everything one deflate stream remembers, one sub-struct per stage. */
#ifndef ZW_DEFLATE_DEFLATE_STATE_H
#define ZW_DEFLATE_DEFLATE_STATE_H

#include "base/result.h"
#include "cpu/kernels.h"
#include "deflate/block_build.h"
#include "deflate/block_write.h"
#include "deflate/deflate_memory.h"
#include "deflate/input_window.h"
#include "deflate/levels.h"
#include "deflate/match_finder.h"
#include "deflate/tokens.h"
#include "wrap/gzip_write.h"

#include <stdbool.h>
#include <stdint.h>

enum zw_deflate_status {     /* waits for                                    then      */
	DEFLATE_HEADER,      /* room for the header                              BODY      */
	DEFLATE_BODY,        /* input, and room for blocks                       TRAILER   */
	DEFLATE_TRAILER      /* room for last block and trailer; then all is out           */
};

struct zw_deflate {
	const struct zw_kernels *kernels;
	uint64_t total_in_bytes;
	uint32_t check;                          /* CRC-32 or Adler-32 of the input so far; of the dictionary before the header */
	uint8_t  status;                         /* enum zw_deflate_status */
	uint8_t  format;                         /* enum zw_format */
	uint8_t  window_log2, mem_level;
	int8_t   level;
	uint8_t  strategy;                       /* enum zw_strategy */
	int8_t   last_flush;                     /* of the last call; FLUSH_FORGIVEN or FLUSH_NEVER: see deflate_stream.c */
	int8_t   flushed;                        /* rank of the flush whose marker is out and nothing came since; -1: none */
	bool     flushing;                       /* inside a flush: its block is begun, its marker is not */
	bool     has_dictionary;
	bool     trailer_begun;
	bool     params_due;                     /* what is held is compressed as before; then due_ applies */
	int8_t   due_level;
	uint8_t  due_strategy;
	struct zw_match_params due_params;

	struct zw_gzip_fields  fields;           /* gzip header, filled by the caller while status is DEFLATE_HEADER */
	struct zw_gzip_writer  gzip;
	struct zw_input_window window;
	struct zw_match_finder match;
	struct zw_tokens       tokens;
	struct zw_block_builder builder;
	struct zw_block_writer writer;
};

#endif
