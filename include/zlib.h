/* SPDX-License-Identifier: Zlib */
/* zlib.h - the zlib 1.3.2 interface, as zwire provides it.
 *
 * A program compiled against this header runs with any zlib of the same version, and the other way round.
 *
 * What holds for every function, unless it says otherwise:
 * - lengths are in bytes; a stream works in one thread at a time, different streams in any number of threads at once;
 * - a z_stream * that is NULL, was not initialised, is a copy made with =, or belongs to the other direction gives
 *   Z_STREAM_ERROR and is left alone;
 * - memory given to a function stays the caller's; nothing but the stream's state, from zalloc, is kept;
 * - nothing is printed, no signal is raised, errno is left alone (except by the gz functions, which use files). */
#ifndef ZLIB_H
#define ZLIB_H

#include "zconf.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ZLIB_VERSION "1.3.2"
#define ZLIB_VERNUM 0x1320
#define ZLIB_VER_MAJOR 1
#define ZLIB_VER_MINOR 3
#define ZLIB_VER_REVISION 2
#define ZLIB_VER_SUBREVISION 0

/* Memory for a stream: items * size bytes, aligned for a pointer, NULL if there are none; contents do not matter.  Both
 * get the stream's opaque.  Leave zalloc and zfree 0 for malloc() and free().  Deflate asks once, in deflateInit; inflate
 * once in inflateInit and once when it first needs a window.  zfree may do nothing. */
typedef voidpf (*alloc_func)(voidpf opaque, uInt items, uInt size);
typedef void   (*free_func)(voidpf opaque, voidpf address);

struct internal_state;

typedef struct z_stream_s {
	z_const Bytef *next_in;                  /* caller: next input byte; may be NULL while avail_in is 0 */
	uInt     avail_in;                       /* bytes at next_in */
	uLong    total_in;                       /* bytes taken since the last reset */
	Bytef   *next_out;                       /* caller: where output goes next; never NULL in a call */
	uInt     avail_out;                      /* room at next_out */
	uLong    total_out;                      /* bytes given since the last reset */
	z_const char *msg;                       /* the last error in words, a constant; NULL if there was none */
	struct internal_state FAR *state;        /* the library's */
	alloc_func zalloc;                       /* caller: before Init, see above */
	free_func  zfree;
	voidpf     opaque;
	int     data_type;                       /* deflate: Z_BINARY, Z_TEXT or Z_UNKNOWN; inflate: see inflate() */
	uLong   adler;                           /* Adler-32 or CRC-32 of the uncompressed bytes so far */
	uLong   reserved;
} z_stream;

typedef z_stream FAR *z_streamp;

/* The fields of a gzip header (RFC 1952), for deflateSetHeader() and inflateGetHeader(). */
typedef struct gz_header_s {
	int     text;                            /* nonzero: probably text */
	uLong   time;                            /* seconds since 1970, 0: none */
	int     xflags;                          /* read only: deflate sets 2 for its best and 4 for its fastest level */
	int     os;                              /* 3: Unix, 255: unknown */
	Bytef  *extra;                           /* extra field, or NULL */
	uInt    extra_len;                       /* its length; when reading, the length in the file, which may be more */
	uInt    extra_max;                       /* reading: room at extra */
	Bytef  *name;                            /* file name with its ending zero, or NULL */
	uInt    name_max;                        /* reading: room at name; no zero is added to a name that fills it */
	Bytef  *comment;                         /* likewise */
	uInt    comm_max;
	int     hcrc;                            /* nonzero: the header has a CRC of its own */
	int     done;                            /* reading: 0 not yet, 1 complete, -1 the stream is not gzip */
} gz_header;

typedef gz_header FAR *gz_headerp;

/* flush: what deflate() and inflate() are to do with what they hold back */
#define Z_NO_FLUSH      0                    /* whatever compresses best */
#define Z_PARTIAL_FLUSH 1                    /* all bits out, followed by an empty fixed block of 10 bits */
#define Z_SYNC_FLUSH    2                    /* all bits out to a byte boundary, marked by 00 00 ff ff */
#define Z_FULL_FLUSH    3                    /* the same, and nothing after it refers to anything before it */
#define Z_FINISH        4                    /* this was all: end the stream */
#define Z_BLOCK         5                    /* deflate: end the block; inflate: stop at the next block */
#define Z_TREES         6                    /* inflate: stop after the header of a block, too */

/* what functions return: not negative is progress */
#define Z_OK            0
#define Z_STREAM_END    1                    /* the end of the stream has been read or written */
#define Z_NEED_DICT     2                    /* inflate: give the dictionary whose Adler-32 is in adler, then go on */
#define Z_ERRNO        (-1)                  /* gz functions: see errno */
#define Z_STREAM_ERROR (-2)                  /* the call is wrong */
#define Z_DATA_ERROR   (-3)                  /* the input is */
#define Z_MEM_ERROR    (-4)
#define Z_BUF_ERROR    (-5)                  /* nothing could be done for want of input or room; not fatal, call again */
#define Z_VERSION_ERROR (-6)                 /* compiled against another zlib.h */

#define Z_NO_COMPRESSION      0
#define Z_BEST_SPEED          1
#define Z_BEST_COMPRESSION    9
#define Z_DEFAULT_COMPRESSION (-1)           /* 6 */

#define Z_FILTERED         1                 /* small values with some noise: fewer short matches */
#define Z_HUFFMAN_ONLY     2                 /* no matches */
#define Z_RLE              3                 /* matches with the byte before only */
#define Z_FIXED            4                 /* the fixed code only */
#define Z_DEFAULT_STRATEGY 0

#define Z_BINARY  0
#define Z_TEXT    1
#define Z_ASCII   Z_TEXT
#define Z_UNKNOWN 2

#define Z_DEFLATED 8                         /* the only method */
#define Z_NULL 0
#define zlib_version zlibVersion()

/* ---- which library is this ------------------------------------------------------------------------------------- */

/* The version of the library in use, as ZLIB_VERSION; a constant. */
ZEXTERN const char *ZEXPORT zlibVersion(void);

/* Bits 0-1, 2-3, 4-5, 6-7: sizes of uInt, uLong, pointers, z_off_t (0: 2 bytes, 1: 4, 2: 8, 3: other).  All others, which
 * mark a library that lacks something, are 0 here. */
ZEXTERN uLong ZEXPORT zlibCompileFlags(void);

/* A return code in words; a constant, empty for Z_OK and for unknown codes. */
ZEXTERN const char *ZEXPORT zError(int err);

/* ---- deflate: compression -------------------------------------------------------------------------------------- */

/* deflateInit(strm, level), deflateInit2(strm, level, method, windowBits, memLevel, strategy): macros, below, over these
 * two, which also get ZLIB_VERSION and sizeof(z_stream).
 *
 * strm        zalloc, zfree and opaque set or 0; everything else is set here
 * level       0..9, or Z_DEFAULT_COMPRESSION
 * method      Z_DEFLATED
 * windowBits  9..15: matches reach 2^windowBits bytes back, zlib wrapper; + 16: gzip wrapper; negative: no wrapper.  8
 *             counts as 9 with the zlib wrapper and is refused otherwise.  deflateInit: 15
 * memLevel    1..9: 512 << memLevel bytes for tables.  deflateInit: 8
 * strategy    Z_DEFAULT_STRATEGY .. Z_FIXED
 *
 * Z_OK, Z_MEM_ERROR, Z_VERSION_ERROR (major version or structure size), or Z_STREAM_ERROR (an argument).  All memory is
 * allocated here: at most 8192 + (4 << windowBits) + (512 << memLevel) bytes in one call of zalloc. */
ZEXTERN int ZEXPORT deflateInit_(z_streamp strm, int level, const char *version, int stream_size);
ZEXTERN int ZEXPORT deflateInit2_(z_streamp strm, int level, int method, int windowBits, int memLevel, int strategy,
				  const char *version, int stream_size);

/* Compresses from next_in to next_out until the input is used or the room is; moves all four fields and the totals on.
 * It may hold input back unless flush forbids it.  With a flush, call again with the same flush and more room until
 * avail_out is not 0 on return; with Z_FINISH, until Z_STREAM_END.  The bytes do not depend on the processor.
 *
 * Z_OK: progress.  Z_STREAM_END: all is written, trailer included.  Z_BUF_ERROR: no progress was possible.
 * Z_STREAM_ERROR: next_out is NULL, or next_in is while avail_in is not 0, or other flushes after Z_FINISH. */
ZEXTERN int ZEXPORT deflate(z_streamp strm, int flush);

/* Frees the state.  Z_OK, or Z_DATA_ERROR if the stream was ended early and output was thrown away. */
ZEXTERN int ZEXPORT deflateEnd(z_streamp strm);

/* Makes dictLength bytes (the last 2^windowBits of them count) a past that matches may refer to, without output.  The
 * other side needs the same bytes.  zlib wrapper: only before the first deflate(); adler becomes the dictionary's id.
 * No wrapper: also between blocks that end at a flush.  Z_STREAM_ERROR otherwise, and for gzip. */
ZEXTERN int ZEXPORT deflateSetDictionary(z_streamp strm, const Bytef *dictionary, uInt dictLength);

/* Copies the last bytes of the past, at most 32768, oldest first, to dictionary (if not NULL: 32768 bytes of room), and
 * their number to *dictLength (if not NULL). */
ZEXTERN int ZEXPORT deflateGetDictionary(z_streamp strm, Bytef *dictionary, uInt *dictLength);

/* Makes dest, uninitialised, an equal and independent stream with memory of its own from source's zalloc. */
ZEXTERN int ZEXPORT deflateCopy(z_streamp dest, z_streamp source);

/* Starts a new stream with the same parameters in the same memory.  Keep: the past is kept as well (for the library). */
ZEXTERN int ZEXPORT deflateReset(z_streamp strm);
ZEXTERN int ZEXPORT deflateResetKeep(z_streamp strm);

/* Changes level and strategy from here on.  Input that has been taken is compressed and flushed as by Z_BLOCK first, for
 * which there must be room: Z_BUF_ERROR means there was not, nothing is changed, and the call may be repeated. */
ZEXTERN int ZEXPORT deflateParams(z_streamp strm, int level, int strategy);

/* Search limits for those who know them: good_length, max_lazy and nice_length in bytes, max_chain in tries. */
ZEXTERN int ZEXPORT deflateTune(z_streamp strm, int good_length, int max_lazy, int nice_length, int max_chain);

/* No fewer bytes than one deflate(Z_FINISH) call with sourceLen bytes can give in the state that strm is in; without a
 * valid strm, for any parameters.  The largest value of the type: it does not fit. */
ZEXTERN uLong ZEXPORT deflateBound(z_streamp strm, uLong sourceLen);
ZEXTERN z_size_t ZEXPORT deflateBound_z(z_streamp strm, z_size_t sourceLen);

/* How much is made but not yet written: whole bytes in *pending, 0..7 bits in *bits; either may be NULL. */
ZEXTERN int ZEXPORT deflatePending(z_streamp strm, unsigned *pending, int *bits);

/* In *bits (if not NULL): how many bits of the last byte written are used, 1..8; 0 before any. */
ZEXTERN int ZEXPORT deflateUsed(z_streamp strm, int *bits);

/* Puts the low bits (0..16) of value into the output before anything else; for streams without a wrapper.  Z_BUF_ERROR:
 * no room for them. */
ZEXTERN int ZEXPORT deflatePrime(z_streamp strm, int bits, int value);

/* Sets the gzip header, before the first deflate().  head and all it points to is read until the header is written and
 * must stay until then.  NULL: the default again.  Z_STREAM_ERROR if the stream is not gzip. */
ZEXTERN int ZEXPORT deflateSetHeader(z_streamp strm, gz_headerp head);

/* ---- inflate: decompression ------------------------------------------------------------------------------------ */

/* inflateInit(strm), inflateInit2(strm, windowBits): macros, below, over these two.
 *
 * strm        as in deflateInit; next_in and avail_in are not looked at
 * windowBits  8..15: zlib wrapper with at most this window; 0: with the window its header names; + 16: gzip wrapper;
 *             + 32: zlib or gzip, whichever comes; -8..-15: no wrapper.  inflateInit: 15
 *
 * Z_OK, Z_MEM_ERROR, Z_VERSION_ERROR, Z_STREAM_ERROR. */
ZEXTERN int ZEXPORT inflateInit_(z_streamp strm, const char *version, int stream_size);
ZEXTERN int ZEXPORT inflateInit2_(z_streamp strm, int windowBits, const char *version, int stream_size);

/* Decompresses from next_in to next_out until the input is used, the room is, or the stream ends.  Output is as complete
 * as the input allows, whatever flush says; nothing behind the output that is reported is touched.
 *
 * flush  Z_FINISH: input and room are all there will be (anything but the end is then Z_BUF_ERROR); Z_BLOCK: stop after
 *        the header and after each block; Z_TREES: also after each block's header; others: no difference
 *
 * Z_OK: progress.  Z_STREAM_END: the end, with a right checksum and length; next_in is the first byte after it.
 * Z_NEED_DICT.  Z_DATA_ERROR: wrong input, msg says what; all output before it is good.  Z_BUF_ERROR: no progress.
 * Z_STREAM_ERROR: next_out is NULL, or next_in is while avail_in is not 0.  Z_MEM_ERROR: no window.
 *
 * data_type: unused bits of the last byte taken (0..7), + 64 in the last block, + 128 right after a block, + 256 right
 * after a block's header; exact at the stops of Z_BLOCK and Z_TREES. */
ZEXTERN int ZEXPORT inflate(z_streamp strm, int flush);

/* Frees the state. */
ZEXTERN int ZEXPORT inflateEnd(z_streamp strm);

/* The dictionary after Z_NEED_DICT (Z_DATA_ERROR if its Adler-32 is another), or without a wrapper at any time. */
ZEXTERN int ZEXPORT inflateSetDictionary(z_streamp strm, const Bytef *dictionary, uInt dictLength);

/* As deflateGetDictionary(). */
ZEXTERN int ZEXPORT inflateGetDictionary(z_streamp strm, Bytef *dictionary, uInt *dictLength);

/* Skips input to the next mark of a Z_FULL_FLUSH or Z_SYNC_FLUSH (00 00 ff ff), where inflate() may go on.  Z_OK: found.
 * Z_DATA_ERROR: not in this input.  Z_BUF_ERROR: no input. */
ZEXTERN int ZEXPORT inflateSync(z_streamp strm);

/* As deflateCopy(). */
ZEXTERN int ZEXPORT inflateCopy(z_streamp dest, z_streamp source);

/* Starts a new stream; 2: with another windowBits; Keep: without forgetting the window (for the library). */
ZEXTERN int ZEXPORT inflateReset(z_streamp strm);
ZEXTERN int ZEXPORT inflateReset2(z_streamp strm, int windowBits);
ZEXTERN int ZEXPORT inflateResetKeep(z_streamp strm);

/* Puts the low bits (0..16) of value before the next input byte; bits < 0 forgets all bits that are held. */
ZEXTERN int ZEXPORT inflatePrime(z_streamp strm, int bits, int value);

/* Where the last return stopped: bytes of the current copy still to come in the low 16 bits, and above them how many bits
 * of input the current symbol has used, -1 outside of a symbol.  -65536 for an invalid strm. */
ZEXTERN long ZEXPORT inflateMark(z_streamp strm);

/* Has the gzip header stored in head as it is read; head, and what it points to, must stay until head->done is not 0. */
ZEXTERN int ZEXPORT inflateGetHeader(z_streamp strm, gz_headerp head);

/* Nonzero if inflate() stopped where a Z_SYNC_FLUSH may have been. */
ZEXTERN int ZEXPORT inflateSyncPoint(z_streamp strm);

/* Asks for zeros instead of an error for distances that are too far.  Not supported: Z_DATA_ERROR. */
ZEXTERN int ZEXPORT inflateUndermine(z_streamp strm, int subvert);

/* check 0: checksum and length are not checked from here on; 1: they are again, if the stream has them. */
ZEXTERN int ZEXPORT inflateValidate(z_streamp strm, int check);

/* Entries of the decoding tables in use: a number for the curious. */
ZEXTERN unsigned long ZEXPORT inflateCodesUsed(z_streamp strm);

/* The caller's half of inflateBack().  in: sets *next to more input and returns its length, 0 for none.  out: takes len
 * bytes; not 0 means stop. */
typedef unsigned (*in_func)(void FAR *desc, z_const unsigned char FAR * FAR *next);
typedef int (*out_func)(void FAR *desc, unsigned char FAR *bytes, unsigned len);

/* inflateBackInit(strm, windowBits, window): a macro, below.  windowBits 8..15; window: exactly 2^windowBits bytes that
 * are the caller's and must stay until inflateBackEnd(). */
ZEXTERN int ZEXPORT inflateBackInit_(z_streamp strm, int windowBits, unsigned char FAR *window, const char *version,
				     int stream_size);

/* Decodes one stream without a wrapper, calling in for input (after avail_in bytes at next_in, if next_in is not NULL)
 * and out with pieces of window.  Z_STREAM_END: the end; the unused input is at next_in.  Z_DATA_ERROR.  Z_BUF_ERROR: in
 * had nothing (next_in is then NULL) or out said stop. */
ZEXTERN int ZEXPORT inflateBack(z_streamp strm, in_func in, void FAR *in_desc, out_func out, void FAR *out_desc);
ZEXTERN int ZEXPORT inflateBackEnd(z_streamp strm);

/* ---- whole buffers ---------------------------------------------------------------------------------------------- */

/* Compresses source into dest with a zlib wrapper.  *destLen: room before, length after.  Z_OK, Z_MEM_ERROR, Z_BUF_ERROR
 * (no room: give compressBound(sourceLen)), Z_STREAM_ERROR (level, or NULL with a length).  _z: lengths are z_size_t. */
ZEXTERN int ZEXPORT compress(Bytef *dest, uLongf *destLen, const Bytef *source, uLong sourceLen);
ZEXTERN int ZEXPORT compress2(Bytef *dest, uLongf *destLen, const Bytef *source, uLong sourceLen, int level);
ZEXTERN int ZEXPORT compress_z(Bytef *dest, z_size_t *destLen, const Bytef *source, z_size_t sourceLen);
ZEXTERN int ZEXPORT compress2_z(Bytef *dest, z_size_t *destLen, const Bytef *source, z_size_t sourceLen, int level);

/* No fewer bytes than compress2() can need at any level; the largest value of the type: it does not fit. */
ZEXTERN uLong ZEXPORT compressBound(uLong sourceLen);
ZEXTERN z_size_t ZEXPORT compressBound_z(z_size_t sourceLen);

/* Decompresses a zlib stream.  *destLen as above; *sourceLen: length before, used bytes after.  Z_OK, Z_MEM_ERROR,
 * Z_BUF_ERROR (no room; what fits is in dest), Z_DATA_ERROR (wrong, cut off, or needs a dictionary), Z_STREAM_ERROR. */
ZEXTERN int ZEXPORT uncompress(Bytef *dest, uLongf *destLen, const Bytef *source, uLong sourceLen);
ZEXTERN int ZEXPORT uncompress2(Bytef *dest, uLongf *destLen, const Bytef *source, uLong *sourceLen);
ZEXTERN int ZEXPORT uncompress_z(Bytef *dest, z_size_t *destLen, const Bytef *source, z_size_t sourceLen);
ZEXTERN int ZEXPORT uncompress2_z(Bytef *dest, z_size_t *destLen, const Bytef *source, z_size_t *sourceLen);

/* ---- gzip files ------------------------------------------------------------------------------------------------- */

/* What the gzgetc() macro sees of an open file; programs do not use it. */
struct gzFile_s {
	unsigned have;
	unsigned char *next;
	z_off64_t pos;
};
typedef struct gzFile_s *gzFile;

/* Opens path, or takes over the descriptor fd, which gzclose() will close.
 *
 * mode  one of r (read), w (write), a (append a member); and any of: 0..9 level; f, h, R, F strategy Z_FILTERED,
 *       Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED; T write without compression; G read gzip only; x the file must not exist; e close
 *       on exec; N do not block; others, as b, mean nothing
 *
 * A reader takes files that are not gzip as they are (unless G), any number of members in a row, and ignores garbage
 * after a member.  NULL: bad mode, no memory, or open() failed, which errno then tells. */
ZEXTERN gzFile ZEXPORT gzopen(const char *path, const char *mode);
ZEXTERN gzFile ZEXPORT gzdopen(int fd, const char *mode);

/* Size of the buffers (8192; at least 8), before the first read or write; three times as much is allocated.  0, or -1. */
ZEXTERN int ZEXPORT gzbuffer(gzFile file, unsigned size);

/* Level and strategy for what is written from here on.  Z_OK, Z_STREAM_ERROR, Z_ERRNO, Z_MEM_ERROR. */
ZEXTERN int ZEXPORT gzsetparams(gzFile file, int level, int strategy);

/* Reads len bytes, fewer at the end; returns how many, or -1 for an error before the first of them, a len above INT_MAX,
 * or when a file opened with N has nothing now (errno is EAGAIN).  A file that ends within a member gives its bytes, then
 * 0, and gzerror() and gzclose() say Z_BUF_ERROR; if it grows, gzclearerr() lets reading go on. */
ZEXTERN int ZEXPORT gzread(gzFile file, voidp buf, unsigned len);

/* Like fread(): whole items read; bytes of a last partial item are read, too, but not counted. */
ZEXTERN z_size_t ZEXPORT gzfread(voidp buf, z_size_t size, z_size_t nitems, gzFile file);

/* Writes len bytes; returns len, fewer if a file opened with N is full now, or 0 for an error. */
ZEXTERN int ZEXPORT gzwrite(gzFile file, voidpc buf, unsigned len);
ZEXTERN z_size_t ZEXPORT gzfwrite(voidpc buf, z_size_t size, z_size_t nitems, gzFile file);

/* Like fprintf(): bytes written, or a negative error code; 0, with nothing written, for a text that is not shorter than
 * the buffer. */
ZEXTERN int ZEXPORTVA gzprintf(gzFile file, const char *format, ...);
ZEXTERN int ZEXPORTVA gzvprintf(gzFile file, const char *format, va_list va);

/* Writes a string without its zero; bytes written, or -1. */
ZEXTERN int ZEXPORT gzputs(gzFile file, const char *s);

/* Reads to a newline, which is kept, or len - 1 bytes, or the end, and adds a zero.  NULL: no byte was read. */
ZEXTERN char *ZEXPORT gzgets(gzFile file, char *buf, int len);

/* One byte: its value, or -1.  gzgetc() is also a macro.  gzungetc() puts one back, to be read next, at most twice the
 * buffer size in a row. */
ZEXTERN int ZEXPORT gzputc(gzFile file, int c);
ZEXTERN int ZEXPORT gzgetc(gzFile file);
ZEXTERN int ZEXPORT gzgetc_(gzFile file);
ZEXTERN int ZEXPORT gzungetc(int c, gzFile file);

/* Compresses and writes all that is held back, as deflate() does with this flush; Z_FINISH ends the member.  An error
 * code. */
ZEXTERN int ZEXPORT gzflush(gzFile file, int flush);

/* Moves to an uncompressed position (SEEK_SET, SEEK_CUR): the new one, or -1.  Writers only go forward and write zeros;
 * readers going back start over. */
ZEXTERN z_off_t ZEXPORT gzseek(gzFile file, z_off_t offset, int whence);

/* A reader goes to where it was when opened: 0, or -1. */
ZEXTERN int ZEXPORT gzrewind(gzFile file);

/* The uncompressed position; the compressed one, of what has passed to or from the file.  -1 for an error. */
ZEXTERN z_off_t ZEXPORT gztell(gzFile file);
ZEXTERN z_off_t ZEXPORT gzoffset(gzFile file);

/* 1 if a read wanted more than there was, else 0. */
ZEXTERN int ZEXPORT gzeof(gzFile file);

/* 1 if bytes pass as they are, else 0.  A reader looks at the file for this: call gzbuffer() first. */
ZEXTERN int ZEXPORT gzdirect(gzFile file);

/* Writes the rest, closes and frees; _r and _w: for readers and writers only, so that a program that only reads need not
 * link deflate().  Z_OK, Z_ERRNO, Z_MEM_ERROR, Z_STREAM_ERROR (not such a file), Z_BUF_ERROR (a member was cut off). */
ZEXTERN int ZEXPORT gzclose(gzFile file);
ZEXTERN int ZEXPORT gzclose_r(gzFile file);
ZEXTERN int ZEXPORT gzclose_w(gzFile file);

/* The last error in words, with the path, valid until the next call for file; its code in *errnum, unless NULL. */
ZEXTERN const char *ZEXPORT gzerror(gzFile file, int *errnum);

/* Forgets the last error and the end of the file. */
ZEXTERN void ZEXPORT gzclearerr(gzFile file);

/* ---- checksums -------------------------------------------------------------------------------------------------- */

/* The checksum of len more bytes after those whose checksum is the first argument.  With buf NULL: the start value, 1 or
 * 0.  Any thread. */
ZEXTERN uLong ZEXPORT adler32(uLong adler, const Bytef *buf, uInt len);
ZEXTERN uLong ZEXPORT adler32_z(uLong adler, const Bytef *buf, z_size_t len);
ZEXTERN uLong ZEXPORT crc32(uLong crc, const Bytef *buf, uInt len);
ZEXTERN uLong ZEXPORT crc32_z(uLong crc, const Bytef *buf, z_size_t len);

/* The checksum of two strings in a row from those of the first and the second, which is len2 bytes long.  len2 < 0 gives
 * 0xffffffff for Adler-32 and 0 for CRC-32. */
ZEXTERN uLong ZEXPORT adler32_combine(uLong adler1, uLong adler2, z_off_t len2);
ZEXTERN uLong ZEXPORT crc32_combine(uLong crc1, uLong crc2, z_off_t len2);

/* For many strings of one length: op = crc32_combine_gen(len2), then crc32_combine_op(crc1, crc2, op) for each. */
ZEXTERN uLong ZEXPORT crc32_combine_gen(z_off_t len2);
ZEXTERN uLong ZEXPORT crc32_combine_op(uLong crc1, uLong crc2, uLong op);

/* 256 words: the CRC register after one byte, from 0.  Constant. */
ZEXTERN const z_crc_t FAR *ZEXPORT get_crc_table(void);

/* ---- the same with 64-bit offsets -------------------------------------------------------------------------------- */

ZEXTERN gzFile ZEXPORT gzopen64(const char *path, const char *mode);
ZEXTERN z_off64_t ZEXPORT gzseek64(gzFile file, z_off64_t offset, int whence);
ZEXTERN z_off64_t ZEXPORT gztell64(gzFile file);
ZEXTERN z_off64_t ZEXPORT gzoffset64(gzFile file);
ZEXTERN uLong ZEXPORT adler32_combine64(uLong adler1, uLong adler2, z_off64_t len2);
ZEXTERN uLong ZEXPORT crc32_combine64(uLong crc1, uLong crc2, z_off64_t len2);
ZEXTERN uLong ZEXPORT crc32_combine_gen64(z_off64_t len2);

#define deflateInit(strm, level) deflateInit_((strm), (level), ZLIB_VERSION, (int)sizeof(z_stream))
#define deflateInit2(strm, level, method, windowBits, memLevel, strategy) \
	deflateInit2_((strm), (level), (method), (windowBits), (memLevel), (strategy), ZLIB_VERSION, (int)sizeof(z_stream))
#define inflateInit(strm) inflateInit_((strm), ZLIB_VERSION, (int)sizeof(z_stream))
#define inflateInit2(strm, windowBits) inflateInit2_((strm), (windowBits), ZLIB_VERSION, (int)sizeof(z_stream))
#define inflateBackInit(strm, windowBits, window) \
	inflateBackInit_((strm), (windowBits), (window), ZLIB_VERSION, (int)sizeof(z_stream))

/* gzgetc() is a macro in ordinary builds: it takes a byte straight from the buffer when there is one. */
#define gzgetc(g) ((g)->have ? ((g)->have--, (g)->pos++, *((g)->next)++) : (gzgetc)(g))

#if defined(Z_WANT64) && !defined(ZWIRE_BUILD)
#define gzopen            gzopen64
#define gzseek            gzseek64
#define gztell            gztell64
#define gzoffset          gzoffset64
#define adler32_combine   adler32_combine64
#define crc32_combine     crc32_combine64
#define crc32_combine_gen crc32_combine_gen64
#endif

#ifdef __cplusplus
}
#endif

#endif
