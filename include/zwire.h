/* SPDX-License-Identifier: Zlib */
/* zwire.h - what zwire's libz has beyond zlib's interface: its version, and whole inputs compressed at levels 0 to 12.
 *
 * Levels 10 to 12 are for what is compressed once and sent often: they are far slower than level 9 and need memory
 * that grows with the input, up to 21.6 MB.  Levels 0 to 9 give what deflate() gives. */
#ifndef ZWIRE_H
#define ZWIRE_H

#include "zlib.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ZWIRE_VERSION "0.1.0"

/* zwire_version() - the version of the zwire library in use, like ZWIRE_VERSION.
 *
 * zlibVersion() has to be zlib's own, which programs parse; a program that wants to know whether its libz is zwire looks
 * for this symbol with dlsym().  Returns a constant that is never freed; any thread. */
ZEXTERN const char *ZEXPORT zwire_version(void);

#define ZWIRE_LEVEL_MAX 12

enum zwire_format {
	ZWIRE_GZIP = 0,                          /* RFC 1952: no name, no time; the operating system is Unix */
	ZWIRE_ZLIB = 1,                          /* RFC 1950 */
	ZWIRE_RAW  = 2                           /* RFC 1951 alone */
};

enum zwire_result {
	ZWIRE_OK = 0,
	ZWIRE_NO_ROOM = 1,                       /* the output does not fit out_capacity */
	ZWIRE_NO_MEMORY = 2,                     /* an allocation failed */
	ZWIRE_BAD_CALL = 3,                      /* an argument is out of range, or NULL where it must not be */
	ZWIRE_READ_FAILED = 4,                   /* the caller's read said so */
	ZWIRE_WRITE_FAILED = 5                   /* the caller's write said so */
};

/* Where memory comes from.  allocate returns bytes bytes, aligned or not, or NULL; each block is given to release once. */
struct zwire_allocator {
	void *(*allocate)(void *opaque, size_t bytes);
	void  (*release)(void *opaque, void *block);
	void  *opaque;
};

/* zwire_compress_bound() - the most bytes that in_bytes bytes become.
 *
 * level     0..12
 * format    how they are wrapped
 * in_bytes  any number
 *
 * Returns the bound, wrapper included: at levels 10 to 12 in_bytes, 5 for each 65535 of them begun (5 at least), and the
 * wrapper's 18, 6 or 0.  SIZE_MAX if that does not fit, 0 if an argument is out of range.  Pure; any thread. */
ZEXTERN size_t ZEXPORT zwire_compress_bound(int level, enum zwire_format format, size_t in_bytes);

/* zwire_compress_memory() - the bytes that compressing allocates, in one block.
 *
 * level     0..12
 * in_bytes  length of the input; SIZE_MAX when it is not known, as for zwire_compress_flow()
 *
 * Returns the exact number, 0 if the level is out of range.  At levels 10 to 12 it is never more than 20,000 + 650 for each byte
 * of input, 1,100,000 + 75 for each byte, and 21.6 MB; of small inputs a part remains untouched.  At the others it is 0.34 MB.
 * The stack takes less than 64 KB more.  Pure; any thread. */
ZEXTERN size_t ZEXPORT zwire_compress_memory(int level, size_t in_bytes);

/* zwire_compress() - compresses a buffer into another.
 *
 * level          0 (stored) .. 9 (as deflate() with a window of 32 KB and memLevel 8) .. 12 (smallest)
 * format         how the result is wrapped
 * in, in_bytes   the input; in may be NULL if in_bytes is 0
 * out            where the result goes; must not overlap the input; may be NULL if out_capacity is 0
 * out_capacity   how much may be written there.  zwire_compress_bound() is always enough
 * out_bytes_ret  receives the length of the result; 0 unless ZWIRE_OK is returned.  Must not be NULL
 * allocator      for the one block of memory, which is released before the return; NULL: malloc() and free()
 *
 * Returns an enum zwire_result when all is done or nothing more can be: ZWIRE_OK, ZWIRE_NO_ROOM, ZWIRE_NO_MEMORY or
 * ZWIRE_BAD_CALL.  On failure the contents of out, within out_capacity, are undefined.  Nothing is read or written beyond the
 * two buffers.  Any number of threads may call it at the same time.
 * The bytes depend on level, format and input alone: not on the machine, the allocator or the capacity; but another version
 * of zwire may give others. */
ZEXTERN int ZEXPORT zwire_compress(int level, enum zwire_format format, const void *in, size_t in_bytes, void *out,
				   size_t out_capacity, size_t *out_bytes_ret, const struct zwire_allocator *allocator);

/* What zwire_compress_flow() reads from and writes to.
 *
 * read   puts 1 to room bytes at to and returns how many; 0 at the end of the input; ZWIRE_FLOW_FAILED to give up
 * write  takes all of the bytes bytes at from and returns bytes; anything else, ZWIRE_FLOW_FAILED for one, to give up */
#define ZWIRE_FLOW_FAILED ((size_t)-1)
struct zwire_flow {
	size_t (*read)(void *opaque, void *to, size_t room);
	size_t (*write)(void *opaque, const void *from, size_t bytes);
	void  *opaque;
};

/* zwire_compress_flow() - the same for inputs of any length that need not be in memory, with the memory of
 * zwire_compress_memory(level, SIZE_MAX) and 64 KB for what is to be written.
 *
 * level, format, allocator  as for zwire_compress()
 * flow                      both functions are called from the calling thread, until the return only
 * in_bytes_ret, out_bytes_ret  receive how much was read and written, on failure too; may be NULL
 *
 * Returns ZWIRE_OK, ZWIRE_NO_MEMORY, ZWIRE_BAD_CALL, ZWIRE_READ_FAILED or ZWIRE_WRITE_FAILED.  What is written is what
 * zwire_compress() gives for the same input, however read cut it. */
ZEXTERN int ZEXPORT zwire_compress_flow(int level, enum zwire_format format, const struct zwire_flow *flow,
					uint64_t *in_bytes_ret, uint64_t *out_bytes_ret, const struct zwire_allocator *allocator);

#ifdef __cplusplus
}
#endif

#endif
