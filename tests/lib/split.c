/* SPDX-License-Identifier: Zlib */
/* split.c - see split.h. */
#include "lib/split.h"

#include "lib/guard.h"
#include "lib/rng.h"

#include <string.h>

#define SENTINEL 0xa5
#define IDLE_CALLS_MAX 3                     /* calls without progress before we call it stuck */

/* A flush is repeated while avail_out is 0; when its marker fitted exactly, it comes again.  More room than a marker
 * needs ends that, as zlib's interface asks of its callers. */
#define FLUSH_ROOM_BYTES 7

struct run {
	const struct split_plan *plan;
	struct rng random;
	const uint8_t *in;
	size_t in_left;                          /* not yet handed over */
	struct guard_buffer in_piece;
	struct guard_buffer out_piece;
	struct split_result result;
	uInt given_in, given_out;                /* at the start of the call */
	const uint8_t *given_next_in;
	uint8_t *given_next_out;
	uLong given_total_in, given_total_out;
};

static void run_begin(struct run *r, const struct split_plan *plan, const uint8_t *in, size_t in_bytes)
{
	*r = (struct run){ .plan = plan, .random = rng_seed(plan->seed), .in = in, .in_left = in_bytes };
	r->in_piece = guard_before_end(plan->in_max_bytes ? plan->in_max_bytes : in_bytes);
	r->out_piece = guard_before_end(plan->out_max_bytes + FLUSH_ROOM_BYTES);
}

static void run_end(struct run *r, const z_stream *s)
{
	if (s->msg)
		snprintf(r->result.msg, sizeof r->result.msg, "%s", s->msg);
	guard_free(&r->in_piece);
	guard_free(&r->out_piece);
}

/* Puts the next piece of input against the guard page. */
static void next_input(struct run *r, z_stream *s)
{
	size_t n = r->plan->in_max_bytes ? rng_size(&r->random, r->plan->in_max_bytes) : r->in_left;
	uint8_t *to;

	if (n > r->in_left)
		n = r->in_left;
	to = r->in_piece.data + r->in_piece.len_bytes - n;
	if (n)
		memcpy(to, r->in, n);
	r->in += n;
	r->in_left -= n;
	s->next_in = n ? to : NULL;
	s->avail_in = (uInt)n;
}

static void before_call(struct run *r, z_stream *s, size_t more_room_bytes)
{
	size_t n = rng_size(&r->random, r->plan->out_max_bytes) + more_room_bytes;

	s->next_out = r->out_piece.data + r->out_piece.len_bytes - n;
	s->avail_out = (uInt)n;
	memset(s->next_out, SENTINEL, n);
	r->given_in = s->avail_in;
	r->given_out = s->avail_out;
	r->given_next_in = s->next_in;
	r->given_next_out = s->next_out;
	r->given_total_in = s->total_in;
	r->given_total_out = s->total_out;
}

static const char *broken_rule(const struct run *r, const z_stream *s)
{
	uInt used = r->given_in - s->avail_in;
	uInt made = r->given_out - s->avail_out;

	if (s->avail_in > r->given_in || s->avail_out > r->given_out)
		return "avail_in or avail_out grew";
	if (s->next_out != r->given_next_out + made || (used && s->next_in != r->given_next_in + used))
		return "a pointer and its count moved by different amounts";
	/* A call that asks for a dictionary counts nothing: zlib's total_in lacks what it took (tests/abi/contract_inflate_state.c). */
	if (r->result.code != Z_NEED_DICT && (s->total_in != r->given_total_in + used || s->total_out != r->given_total_out + made))
		return "total_in or total_out is wrong";
	for (uInt i = 0; i < s->avail_out; i++)
		if (s->next_out[i] != SENTINEL)
			return "bytes behind next_out were written";
	return NULL;
}

/* Books what the call did; true if it moved anything. */
static bool after_call(struct run *r, z_stream *s, int code, struct test_bytes *out)
{
	uInt made = r->given_out - s->avail_out;
	uInt used = r->given_in - s->avail_in;

	r->result.code = code;
	r->result.calls++;
	r->result.fault = broken_rule(r, s);
	if (r->result.fault)
		return false;
	r->result.in_bytes += used;
	bytes_append(out, r->given_next_out, made);
	return made || used;
}

/* One deflate() until it has taken the piece and has nothing more to say about this flush. */
static bool deflate_piece(const struct peer_zlib *p, z_stream *s, struct run *r, int flush, struct test_bytes *out)
{
	unsigned idle = 0;

	do {
		bool moved;

		before_call(r, s, flush == Z_NO_FLUSH || flush == Z_FINISH ? 0 : FLUSH_ROOM_BYTES);
		moved = after_call(r, s, p->deflate(s, flush), out);
		if (r->result.fault)
			return false;
		if (r->result.code == Z_STREAM_END)
			return true;
		if (r->result.code != Z_OK && r->result.code != Z_BUF_ERROR)
			return false;
		if (!moved && (s->avail_in || flush == Z_FINISH) && ++idle == IDLE_CALLS_MAX) {
			r->result.fault = "deflate makes no progress";
			return false;
		}
	} while (s->avail_out == 0 || s->avail_in || flush == Z_FINISH);
	return true;
}

static int choose_flush(struct run *r)
{
	static const int flushes[] = { Z_PARTIAL_FLUSH, Z_SYNC_FLUSH, Z_FULL_FLUSH, Z_BLOCK };

	if (r->in_left == 0)
		return Z_FINISH;
	if (!r->plan->flush_one_in || !rng_one_in(&r->random, r->plan->flush_one_in))
		return Z_NO_FLUSH;
	return flushes[rng_below(&r->random, sizeof flushes / sizeof flushes[0])];
}

struct split_result split_deflate(const struct peer_zlib *p, z_stream *s, const uint8_t *in, size_t in_bytes,
				  const struct split_plan *plan, struct test_bytes *out)
{
	struct run r;
	bool going = true;

	run_begin(&r, plan, in, in_bytes);
	while (going && r.result.code != Z_STREAM_END) {
		next_input(&r, s);
		going = deflate_piece(p, s, &r, choose_flush(&r), out);
	}
	run_end(&r, s);
	return r.result;
}

/* What inflate may never do, whatever the stream: keep input back that it could decode. */
static const char *broken_inflate_rule(const struct run *r, const z_stream *s)
{
	bool may_stop = r->plan->inflate_flush == Z_BLOCK || r->plan->inflate_flush == Z_TREES;

	if (r->result.code == Z_OK && s->avail_out && s->avail_in && !may_stop)
		return "inflate returned with input and room for output";
	if (r->result.code == Z_DATA_ERROR && !s->msg)
		return "a data error without a message";
	return NULL;
}

struct split_result split_inflate(const struct peer_zlib *p, z_stream *s, const uint8_t *in, size_t in_bytes,
				  const struct split_plan *plan, size_t out_limit_bytes, struct test_bytes *out)
{
	struct run r;
	unsigned idle = 0;
	size_t limit = out->len_bytes + out_limit_bytes;

	run_begin(&r, plan, in, in_bytes);
	s->avail_in = 0;
	for (;;) {
		if (s->avail_in == 0)
			next_input(&r, s);
		before_call(&r, s, 0);
		idle = after_call(&r, s, p->inflate(s, plan->inflate_flush), out) ? 0 : idle + 1;
		if (!r.result.fault)
			r.result.fault = broken_inflate_rule(&r, s);
		if (!r.result.fault && out->len_bytes > limit)
			r.result.fault = "inflate made more than it should";
		if (r.result.fault || (r.result.code != Z_OK && r.result.code != Z_BUF_ERROR) || idle == IDLE_CALLS_MAX)
			break;
	}
	run_end(&r, s);
	return r.result;
}

struct split_plan split_plan_from_seed(uint64_t seed)
{
	static const size_t piece_sizes[] = { 1, 2, 7, 64, 300, 4096, 32768, 0 };
	struct rng random = rng_seed(seed);
	size_t count = sizeof piece_sizes / sizeof piece_sizes[0];
	struct split_plan plan = { .seed = rng_next(&random), .inflate_flush = Z_NO_FLUSH };

	plan.in_max_bytes = piece_sizes[rng_below(&random, count)];
	plan.out_max_bytes = piece_sizes[rng_below(&random, count - 1)];
	return plan;
}
