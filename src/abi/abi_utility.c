/* SPDX-License-Identifier: Zlib */
/* abi_utility.c - compress*() and uncompress*(): whole buffers through a stream, and how large the result can be.
 * Buffers may be larger than a stream can be given at once: uInt is 32 bits, z_size_t may be 64. */
#include "zlib.h"

/* The next piece of a buffer with left bytes. */
static uInt piece(z_size_t left)
{
	return left < (uInt)-1 ? (uInt)left : (uInt)-1;
}

/* Gives the stream more input and room when it has used what it had; *in_left and *out_left stay outside. */
static void top_up(z_stream *s, z_size_t *in_left, z_size_t *out_left)
{
	if (!s->avail_out) {
		s->avail_out = piece(*out_left);
		*out_left -= s->avail_out;
	}
	if (!s->avail_in) {
		s->avail_in = piece(*in_left);
		*in_left -= s->avail_in;
	}
}

int compress2_z(Bytef *dest, z_size_t *destLen, const Bytef *source, z_size_t sourceLen, int level)
{
	z_stream s = { 0 };
	z_size_t in_left = sourceLen, out_left;
	int result;

	if ((sourceLen && !source) || !destLen || (*destLen && !dest))
		return Z_STREAM_ERROR;
	out_left = *destLen;
	*destLen = 0;
	result = deflateInit(&s, level);
	if (result != Z_OK)
		return result;
	s.next_in = source;
	s.next_out = dest;
	while (result == Z_OK) {
		top_up(&s, &in_left, &out_left);
		result = deflate(&s, in_left ? Z_NO_FLUSH : Z_FINISH);
	}
	*destLen = (z_size_t)(s.next_out - dest);
	deflateEnd(&s);
	return result == Z_STREAM_END ? Z_OK : result;
}

int compress_z(Bytef *dest, z_size_t *destLen, const Bytef *source, z_size_t sourceLen)
{
	return compress2_z(dest, destLen, source, sourceLen, Z_DEFAULT_COMPRESSION);
}

int compress2(Bytef *dest, uLongf *destLen, const Bytef *source, uLong sourceLen, int level)
{
	z_size_t produced;
	int result;

	if (!destLen)
		return Z_STREAM_ERROR;
	produced = *destLen;
	result = compress2_z(dest, &produced, source, sourceLen, level);
	*destLen = (uLong)produced;
	return result;
}

int compress(Bytef *dest, uLongf *destLen, const Bytef *source, uLong sourceLen)
{
	return compress2(dest, destLen, source, sourceLen, Z_DEFAULT_COMPRESSION);
}

/* What deflate() may need at the default window and memory: stored blocks in the worst way it cuts them, and 13 bytes
 * for the wrapper and the last block.  The largest value stands for "does not fit". */
z_size_t compressBound_z(z_size_t sourceLen)
{
	z_size_t bound = sourceLen + (sourceLen >> 12) + (sourceLen >> 14) + (sourceLen >> 25) + 13;

	return bound < sourceLen ? (z_size_t)-1 : bound;
}

uLong compressBound(uLong sourceLen)
{
	z_size_t bound = compressBound_z(sourceLen);

	return (uLong)bound != bound ? (uLong)-1 : (uLong)bound;
}

/* Runs the stream until it ends or cannot go on; the last word of inflate(). */
static int inflate_all(z_stream *s, z_size_t *in_left, z_size_t *out_left)
{
	int result = Z_OK;

	while (result == Z_OK) {
		top_up(s, in_left, out_left);
		result = inflate(s, *in_left || *out_left ? Z_NO_FLUSH : Z_FINISH);
	}
	return result;
}

/* When inflate() cannot go on, the input has ended too early if all of it was used, else the room has. */
int uncompress2_z(Bytef *dest, z_size_t *destLen, const Bytef *source, z_size_t *sourceLen)
{
	z_stream s = { 0 };
	Bytef nowhere[1];                        /* inflate() wants a pointer even where there is no room */
	z_size_t in_left, out_left, room;
	int result;

	if (!sourceLen || (*sourceLen && !source) || !destLen || (*destLen && !dest))
		return Z_STREAM_ERROR;
	in_left = *sourceLen;
	out_left = room = *destLen;
	*destLen = 0;
	result = inflateInit(&s);
	if (result != Z_OK)
		return result;
	s.next_in = source;
	s.next_out = out_left ? dest : nowhere;
	result = inflate_all(&s, &in_left, &out_left);
	in_left += s.avail_in;
	*sourceLen -= in_left;
	*destLen = room - out_left - s.avail_out;
	inflateEnd(&s);

	if (result == Z_STREAM_END)
		return Z_OK;
	if (result == Z_NEED_DICT || (result == Z_BUF_ERROR && !in_left))
		return Z_DATA_ERROR;
	return result;
}

int uncompress_z(Bytef *dest, z_size_t *destLen, const Bytef *source, z_size_t sourceLen)
{
	return uncompress2_z(dest, destLen, source, &sourceLen);
}

int uncompress2(Bytef *dest, uLongf *destLen, const Bytef *source, uLong *sourceLen)
{
	z_size_t produced, used;
	int result;

	if (!destLen || !sourceLen)
		return Z_STREAM_ERROR;
	produced = *destLen;
	used = *sourceLen;
	result = uncompress2_z(dest, &produced, source, &used);
	*destLen = (uLong)produced;
	*sourceLen = (uLong)used;
	return result;
}

int uncompress(Bytef *dest, uLongf *destLen, const Bytef *source, uLong sourceLen)
{
	return uncompress2(dest, destLen, source, &sourceLen);
}
