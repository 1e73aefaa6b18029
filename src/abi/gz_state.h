/* SPDX-License-Identifier: Zlib */
/* gz_state.h - an open gzip file.  Files: gz_open.c (open, close, errors), gz_read.c, gz_write.c, gz_seek.c.
 * All of it works through the public inflate() and deflate(), as a program could. */
#ifndef ZW_ABI_GZ_STATE_H
#define ZW_ABI_GZ_STATE_H

#include "zlib.h"

#include "base/arch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GZ_BUFFER_BYTES     8192u            /* the default of gzbuffer() */
#define GZ_BUFFER_MIN_BYTES    8u
#define GZ_IO_MAX_BYTES (1u << 30)           /* as much as one read() or write() is asked for */
#define GZ_WINDOW_BITS (MAX_WBITS + 16)      /* a gzip header and trailer */
#define GZ_MEM_LEVEL 8

#if defined(Z_LARGE64)
#define GZ_LSEEK lseek64                     /* off_t may be 32 bits wide */
#else
#define GZ_LSEEK lseek
#endif

enum gz_direction { GZ_READS, GZ_WRITES };

/* Where the bytes that a reader gives come from. */
enum gz_source {
	GZ_SOURCE_UNKNOWN,                       /* the next bytes of the file decide */
	GZ_SOURCE_PLAIN,                         /* the file as it is */
	GZ_SOURCE_MEMBER                         /* inflate(), in a gzip member */
};

struct gz_state {
	struct gzFile_s shown;                   /* first: the gzgetc() macro takes bytes from here */
	enum gz_direction direction;
	int       fd;
	char     *path;                          /* for messages */
	unsigned  wanted_bytes;                  /* gzbuffer() */
	unsigned  buffer_bytes;                  /* the same once buffers exist, 0 before */
	uint8_t  *in;                            /* reading: buffer_bytes of the file; writing: 2 * buffer_bytes of the caller */
	uint8_t  *out;                           /* reading: 2 * buffer_bytes for the caller; writing: buffer_bytes for the file */
	bool      plain;                         /* what gzdirect() says */
	bool      stalled;                       /* a non-blocking file had nothing; error is then Z_ERRNO but not final */

	/* reading */
	enum gz_source source;
	bool      gzip_only;                     /* mode 'G': a file without a gzip header is an error */
	bool      after_member;                  /* what follows may be garbage */
	bool      file_ended;                    /* read() has returned 0, or the rest is garbage */
	bool      past_end;                      /* what gzeof() says: more was asked for than there is */
	z_off64_t start;                         /* where in the file gzrewind() goes */
	int       later_error;                   /* to be reported when the bytes before it have been taken; Z_OK: none */
	const char *later_text;

	/* writing */
	int       level;
	int       strategy;
	bool      member_finished;               /* the next byte starts a new member */
	const uint8_t *unwritten;                /* first byte of out that the file has not got */

	bool      skip_pending;                  /* gzseek() is done when the next byte is read or written */
	z_off64_t skip_bytes;

	int       error;
	char     *message;                       /* owned; NULL when there is none */
	z_stream  strm;
};

ZW_INLINE struct gz_state *gz_state_of(gzFile file)
{
	return (struct gz_state *)file;
}

/* True when nothing more can be done with the file: an error other than its early end or a stall. */
ZW_INLINE bool gz_failed(const struct gz_state *g)
{
	return g->error != Z_OK && g->error != Z_BUF_ERROR && !g->stalled;
}

/* The state if file is open for reading or writing, else NULL. */
struct gz_state *zw_gz_reader(gzFile file);
struct gz_state *zw_gz_writer(gzFile file);

/* Sets the error and its text (copied; NULL: none).  A final error also takes the bytes away that gzgetc() sees. */
void zw_gz_set_error(struct gz_state *g, int code, const char *text);

/* Notes errno after a failed read() or write(); a stall is not final.  Leaves errno as it was. */
void zw_gz_set_errno(struct gz_state *g);

/* A new call may go on after a stall: forgets it. */
void zw_gz_forget_stall(struct gz_state *g);

/* Puts a reader or writer where it was after opening. */
void zw_gz_start_over(struct gz_state *g);

/* gz_write.c: writes what is held back and frees the compressor; the caller closes the file. Returns an error code. */
int zw_gz_finish_writing(struct gz_state *g);

#endif
