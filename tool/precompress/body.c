/* SPDX-License-Identifier: Zlib */
/* body.c - compresses a source, and proves that what came out decodes to it.
 * Takes: a source that has been read.  Gives: bytes in worker->slot->out or in a file.  Then: publish.c
 * Never: names a file. */
#include "precompress/precompress.h"

#include "common/tool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROOF_IN_BYTES  ((size_t)64 << 10)
#define PROOF_OUT_BYTES ((size_t)128 << 10)
#define GZIP_WINDOW_BITS (MAX_WBITS + 16)

/* The slot's block is kept from file to file: the compressor asks for one, and gives it back. */
static void *lend_block(void *opaque, size_t bytes)
{
	struct zw_twin_slot *slot = ((struct zw_twin_worker *)opaque)->slot;

	if (slot->is_lent)
		return malloc(bytes);
	if (slot->block_bytes < bytes) {
		free(slot->block);
		slot->block = malloc(bytes);
		slot->block_bytes = slot->block ? bytes : 0;
	}
	slot->is_lent = slot->block != NULL;
	return slot->block;
}

static void take_block_back(void *opaque, void *block)
{
	struct zw_twin_slot *slot = ((struct zw_twin_worker *)opaque)->slot;

	if (block == slot->block)
		slot->is_lent = false;
	else
		free(block);
}

void zw_twin_worker_init(struct zw_twin_worker *worker, const struct zw_twin_options *options, struct zw_twin_gate *gate)
{
	memset(worker, 0, sizeof *worker);
	worker->options = options;
	worker->gate = gate;
	worker->allocator = (struct zwire_allocator){ lend_block, take_block_back, worker };
}

struct file_flow { int from_fd, to_fd, error; off_t next; };

static size_t read_piece(void *opaque, void *to, size_t room)
{
	struct file_flow *flow = opaque;
	ssize_t n;

	do
		n = pread(flow->from_fd, to, room, flow->next);
	while (n < 0 && errno == EINTR && !zw_interrupted());
	if (zw_interrupted()) {
		flow->error = EINTR;
		return ZWIRE_FLOW_FAILED;
	}
	if (n < 0) {
		flow->error = errno;
		return ZWIRE_FLOW_FAILED;
	}
	flow->next += n;
	return (size_t)n;
}

static size_t write_piece(void *opaque, const void *from, size_t bytes)
{
	struct file_flow *flow = opaque;

	if (flow->to_fd >= 0)
		flow->error = zw_twin_write_all(flow->to_fd, from, bytes);
	return flow->error ? ZWIRE_FLOW_FAILED : bytes;
}

static int to_errno(int result)
{
	return result == ZWIRE_OK ? 0 : result == ZWIRE_NO_MEMORY ? ENOMEM : EIO;
}

static int compress_whole(struct zw_twin_worker *worker, const struct zw_twin_source *source, uint64_t *bytes_ret)
{
	struct zw_twin_slot *slot = worker->slot;
	size_t in_bytes = (size_t)source->st.st_size, out_bytes = 0;
	size_t room = zwire_compress_bound(worker->options->level, ZWIRE_GZIP, in_bytes);
	int result;

	if (slot->out_room < room) {
		slot->out = zw_tool_grow(slot->out, room);
		slot->out_room = room;
	}
	result = zwire_compress(worker->options->level, ZWIRE_GZIP, slot->in, in_bytes, slot->out, slot->out_room, &out_bytes,
				&worker->allocator);
	*bytes_ret = out_bytes;
	return to_errno(result);
}

/* Compresses into worker->slot->out if the source is whole, otherwise into to_fd, or nowhere if that is -1.  0 or an errno;
 * EAGAIN if the source is no longer as long as it was. */
int zw_twin_compress(struct zw_twin_worker *worker, const struct zw_twin_source *source, int to_fd, uint64_t *bytes_ret)
{
	struct file_flow state = { .from_fd = source->fd, .to_fd = to_fd };
	struct zwire_flow flow = { read_piece, write_piece, &state };
	uint64_t in_bytes = 0;
	int result;

	if (source->is_whole)
		return compress_whole(worker, source, bytes_ret);
	result = zwire_compress_flow(worker->options->level, ZWIRE_GZIP, &flow, &in_bytes, bytes_ret, &worker->allocator);
	if (state.error)
		return state.error;
	if (result == ZWIRE_OK && in_bytes != (uint64_t)source->st.st_size)
		return EAGAIN;
	return to_errno(result);
}

/* Where the source's bytes are while they are compared: in memory, or read again. */
struct expected { const struct zw_twin_worker *worker; const struct zw_twin_source *source; uint64_t next; uint8_t *piece; };

static bool is_next(struct expected *expected, const uint8_t *data, size_t bytes)
{
	uint64_t left = (uint64_t)expected->source->st.st_size - expected->next;
	const uint8_t *want = expected->piece;

	if (bytes > left || (!expected->source->is_whole && zw_interrupted()))
		return false;
	if (expected->source->is_whole)
		want = expected->worker->slot->in + expected->next;
	else if (pread(expected->source->fd, expected->piece, bytes, (off_t)expected->next) != (ssize_t)bytes)
		return false;
	expected->next += bytes;
	return memcmp(data, want, bytes) == 0;
}

static size_t next_input(int fd, uint64_t at, uint8_t *to)
{
	ssize_t n = pread(fd, to, PROOF_IN_BYTES, (off_t)at);

	return n > 0 ? (size_t)n : 0;
}

static bool decodes_to(z_stream *stream, int fd, struct expected *expected, uint8_t *in, uint8_t *out)
{
	uint64_t at = 0;
	int code = Z_OK;

	for (;;) {
		if (!stream->avail_in && fd >= 0) {
			size_t n = next_input(fd, at, in);

			stream->next_in = in;
			stream->avail_in = (uInt)n;
			at += n;
		}
		if (code == Z_STREAM_END) {          /* what follows must be another member, or nothing */
			if (!stream->avail_in)
				return expected->next == (uint64_t)expected->source->st.st_size;
			if (inflateReset(stream) != Z_OK)
				return false;
		} else if (!stream->avail_in) {
			return false;
		}
		do {
			stream->next_out = out;
			stream->avail_out = (uInt)PROOF_OUT_BYTES;
			code = inflate(stream, Z_NO_FLUSH);
			if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
				return false;
			if (!is_next(expected, out, PROOF_OUT_BYTES - stream->avail_out))
				return false;
		} while (code != Z_STREAM_END && !stream->avail_out);
	}
}

/* Decodes worker->slot->out (twin_fd -1) or the file, and compares every byte with the source.  0, or EBADMSG. */
int zw_twin_prove(struct zw_twin_worker *worker, const struct zw_twin_source *source, int twin_fd, uint64_t twin_bytes)
{
	uint8_t *in = worker->slot->proof ? worker->slot->proof : (worker->slot->proof = zw_tool_alloc(PROOF_IN_BYTES + 2 * PROOF_OUT_BYTES));
	uint8_t *out = in + PROOF_IN_BYTES;
	struct expected expected = { worker, source, 0, out + PROOF_OUT_BYTES };
	z_stream stream;
	bool is_right = false;

	memset(&stream, 0, sizeof stream);
	if (inflateInit2(&stream, GZIP_WINDOW_BITS) == Z_OK) {
		if (twin_fd < 0) {
			stream.next_in = worker->slot->out;
			stream.avail_in = (uInt)twin_bytes;      /* at most the bound of WHOLE_MAX_BYTES */
		}
		is_right = decodes_to(&stream, twin_fd, &expected, in, out);
		inflateEnd(&stream);
	}
	return is_right ? 0 : EBADMSG;
}
