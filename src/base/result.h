/* SPDX-License-Identifier: Zlib */
/* result.h - how the inside of the library says what happened; only src/abi/ knows zlib's numbers. */
#ifndef ZW_BASE_RESULT_H
#define ZW_BASE_RESULT_H

enum zw_result {
	ZW_OK,               /* progress was made */
	ZW_STREAM_DONE,      /* the trailer has been checked or written */
	ZW_NEED_DICTIONARY,  /* inflate: the header names a dictionary that was not given yet */
	ZW_BAD_DATA,         /* the input is not a valid stream */
	ZW_NO_MEMORY,        /* zalloc returned NULL */
	ZW_BAD_CALL,         /* the caller broke the contract */
	ZW_NO_PROGRESS       /* nothing to read or nowhere to write; call again */
};

/* What a resumable stage is waiting for. */
enum zw_step { ZW_STEP_GO, ZW_STEP_NEED_INPUT, ZW_STEP_NEED_OUTPUT, ZW_STEP_DONE, ZW_STEP_BAD };

/* Flush modes, in zlib's order and with zlib's values (asserted in src/abi/). */
enum zw_flush { ZW_FLUSH_NONE, ZW_FLUSH_PARTIAL, ZW_FLUSH_SYNC, ZW_FLUSH_FULL, ZW_FLUSH_FINISH, ZW_FLUSH_BLOCK, ZW_FLUSH_TREES };

/* What surrounds the DEFLATE data. */
enum zw_format { ZW_RAW, ZW_ZLIB, ZW_GZIP };

#endif
