/* SPDX-License-Identifier: Zlib */
/* inflate_sides.h - one inflate stream of ours and one of the system's zlib, given the same calls.  Compared after each: codes,
 * texts, output, counts, and the byte of the input where both stand. */
#ifndef FUZZ_INFLATE_SIDES_H
#define FUZZ_INFLATE_SIDES_H

#include "exact_buffer.h"

#include <stdbool.h>

#define DATA_TYPE_HELD_BITS  63              /* what inflate() puts into data_type: bits taken from next_in and not used */
#define DATA_TYPE_BOUNDARY  128
#define DATA_TYPE_HEADER    256

#define SIDE_FIELD_BYTES     20

/* zlib's fast loop runs from six bytes of input on and gives back whole bytes of what it holds, even if inflatePrime() put
 * them there and next_in then points before the caller's buffer.  Primed with a byte or more it is kept from it. */
#define SIDES_SLOW_BYTES      5

/* With the size of the window from the header, zlib keeps a size that it has refused (up to 2^23), and after a reset fills such a
 * window; so inflateGetDictionary() gives more than the 32768 bytes that zlib.h asks its callers for. */
#define ZLIB_REFUSED_WINDOW_BYTES ((size_t)1 << 23)

struct side {
	const struct peer_zlib *p;
	z_stream streams[2];                     /* a copy has to stay where it was made */
	z_stream *s;
	size_t   used;                           /* of the stream's bytes */
	unsigned held;                           /* bits, see DATA_TYPE_HELD_BITS */
	gz_header header;
	uint8_t  extra[SIDE_FIELD_BYTES], name[SIDE_FIELD_BYTES], comment[SIDE_FIELD_BYTES];
	uint8_t *out;                            /* of the last inflate() */
	size_t   made;
	int      code;
};

struct sides {
	struct side ours, theirs;
	const uint8_t *stream;
	size_t stream_bytes;
	bool   raw;
	bool   room_was_left;                    /* so no match waits for room */
	bool   stopped;                          /* at a boundary, as Z_BLOCK or Z_TREES asked */
	bool   slow;                             /* see SIDES_SLOW_BYTES */
	bool   size_from_header;                 /* of the window: zlib 1.2.13 may have made a smaller one before, and copies beyond its end */
	bool   over;                             /* no output can follow: see compare_dictionaries() */
	struct exact_buffer in, out;             /* what our side sees */
};

FUZZ_UNUSED static bool sides_trace(void)
{
	static int wanted = -1;

	if (wanted < 0)
		wanted = getenv("ZWIRE_FUZZ_TRACE") != NULL;
	return wanted;
}

FUZZ_UNUSED static void show_header(struct side *side)
{
	side->header = (gz_header){ .extra = side->extra, .extra_max = SIDE_FIELD_BYTES, .name = side->name,
				    .name_max = SIDE_FIELD_BYTES, .comment = side->comment, .comm_max = SIDE_FIELD_BYTES };
}

FUZZ_UNUSED static int begin_side(struct side *side, const struct peer_zlib *p, int window_bits)
{
	*side = (struct side){ .p = p };
	side->s = side->streams;
	return side->p->inflateInit2_(side->s, window_bits, ZLIB_VERSION, (int)sizeof *side->s);
}

FUZZ_UNUSED static void ask_header(struct sides *b)
{
	if (b->ours.s->total_in || b->ours.held)         /* in the middle of a header it means nothing */
		return;
	show_header(&b->ours);
	show_header(&b->theirs);
	FUZZ_CHECK(b->ours.p->inflateGetHeader(b->ours.s, &b->ours.header) ==
		   b->theirs.p->inflateGetHeader(b->theirs.s, &b->theirs.header));
}

FUZZ_UNUSED static bool asks_for_size_of_header(int window_bits) { return window_bits >= 0 && window_bits % 16 == 0; }

/* False when neither accepts window_bits. */
FUZZ_UNUSED static bool sides_begin(struct sides *b, int window_bits, const uint8_t *stream, size_t stream_bytes)
{
	struct exact_buffer in = b->in, out = b->out;
	int code, other;

	*b = (struct sides){ .stream = stream, .stream_bytes = stream_bytes, .raw = window_bits < 0, .room_was_left = true,
			      .size_from_header = asks_for_size_of_header(window_bits),
			      .in = in, .out = out };
	code = begin_side(&b->ours, fuzz_subject(), window_bits);
	other = begin_side(&b->theirs, fuzz_judge(), window_bits);
	FUZZ_CHECK(code == other);
	return code == Z_OK;
}

FUZZ_UNUSED static void sides_end(struct sides *b)
{
	FUZZ_CHECK(b->ours.p->inflateEnd(b->ours.s) == Z_OK);
	FUZZ_CHECK(b->theirs.p->inflateEnd(b->theirs.s) == Z_OK);
}

/* ---- inflate() --------------------------------------------------------------------------------------------------- */

FUZZ_UNUSED static void inflate_side(struct side *side, const uint8_t *piece, size_t given, uint8_t *out, size_t room, int flush)
{
	side->out = out;
	side->s->next_in = given ? piece : NULL;         /* as NGINX leaves it between two buffers */
	side->s->avail_in = (uInt)given;
	side->s->next_out = out;
	side->s->avail_out = (uInt)room;
	side->code = side->p->inflate(side->s, flush);
	FUZZ_CHECK(side->s->avail_in <= given && side->s->avail_out <= room);
	side->used += given - side->s->avail_in;
	side->made = room - side->s->avail_out;
	FUZZ_CHECK(side->s->next_out == out + side->made);
	if (side->code == Z_NEED_DICT)
		side->held = 0;                          /* such a call leaves data_type alone */
	else if (side->code != Z_STREAM_ERROR)
		side->held = (unsigned)side->s->data_type & DATA_TYPE_HELD_BITS;
}

FUZZ_UNUSED static void trace_sides(const struct sides *b, int flush)
{
	const struct side *sides[] = { &b->ours, &b->theirs };

	for (int i = 0; i < 2; i++)
		fprintf(stderr, "%s: flush %d code %d (%s) used %zu made %zu total_out %lu data_type %d avail_out %u adler %lx\n",
			sides[i]->p->name, flush, sides[i]->code, sides[i]->s->msg ? sides[i]->s->msg : "", sides[i]->used,
			sides[i]->made, sides[i]->s->total_out, sides[i]->s->data_type, sides[i]->s->avail_out, sides[i]->s->adler);
}

FUZZ_UNUSED static void compare_headers(const struct side *ours, const struct side *theirs)
{
	FUZZ_CHECK(ours->header.done == theirs->header.done);
	if (ours->header.done != 1)
		return;
	FUZZ_CHECK(ours->header.time == theirs->header.time && ours->header.text == theirs->header.text);
	FUZZ_CHECK(ours->header.os == theirs->header.os && ours->header.hcrc == theirs->header.hcrc);
	FUZZ_CHECK(ours->header.extra_len == theirs->header.extra_len);
	FUZZ_CHECK(!ours->header.extra == !theirs->header.extra && !ours->header.name == !theirs->header.name);
	FUZZ_CHECK(memcmp(ours->extra, theirs->extra, sizeof ours->extra) == 0);
	FUZZ_CHECK(memcmp(ours->name, theirs->name, sizeof ours->name) == 0);
	FUZZ_CHECK(memcmp(ours->comment, theirs->comment, sizeof ours->comment) == 0);
}

FUZZ_UNUSED static void compare_sides(struct sides *b, int flush)
{
	const struct side *ours = &b->ours, *theirs = &b->theirs;
	bool stop_asked = flush == Z_BLOCK || flush == Z_TREES;

	if (sides_trace())
		trace_sides(b, flush);
	FUZZ_CHECK(ours->code == theirs->code);
	FUZZ_CHECK(ours->made == theirs->made);
	FUZZ_CHECK(!b->over || !ours->made);
	FUZZ_CHECK(!ours->made || memcmp(ours->out, theirs->out, ours->made) == 0);
	FUZZ_CHECK(ours->used == theirs->used);
	FUZZ_CHECK(ours->s->total_in == theirs->s->total_in && ours->s->total_out == theirs->s->total_out);
	FUZZ_CHECK(ours->s->adler == theirs->s->adler);
	FUZZ_CHECK(!ours->s->msg == !theirs->s->msg && (!ours->s->msg || strcmp(ours->s->msg, theirs->s->msg) == 0));
	compare_headers(ours, theirs);
	b->stopped = stop_asked && ours->code == Z_OK && ours->s->avail_out && ours->s->data_type & (DATA_TYPE_BOUNDARY | DATA_TYPE_HEADER);
	if (b->stopped)
		FUZZ_CHECK(ours->s->data_type == theirs->s->data_type);
	b->room_was_left = ours->s->avail_out > 0;
}

/* The next given bytes of the stream, or as many as there are, into room bytes. */
FUZZ_UNUSED static void sides_inflate(struct sides *b, size_t given, size_t room, int flush)
{
	static uint8_t their_out[EXACT_MAX_BYTES];
	const uint8_t *from = b->stream + b->ours.used;
	uint8_t *piece, *out;

	if (given > b->stream_bytes - b->ours.used)
		given = b->stream_bytes - b->ours.used;
	if (b->slow && given > SIDES_SLOW_BYTES)
		given = SIDES_SLOW_BYTES;
	piece = exact_open(&b->in, given);
	if (given)
		memcpy(piece, from, given);
	out = exact_open_room(&b->out, room);
	inflate_side(&b->ours, piece, given, out, room, flush);
	exact_check_rest(&b->out, b->ours.made);
	FUZZ_CHECK(!given || memcmp(piece, from, given) == 0);
	inflate_side(&b->theirs, from, given, their_out, room, flush);
	compare_sides(b, flush);
	b->slow = b->slow && b->theirs.held >= 8;
	exact_close(&b->in);
	exact_close(&b->out);
}

/* ---- other calls ------------------------------------------------------------------------------------------------- */

/* Both have used the same bits, so what comes next means the same to both.  zlib takes a symbol in steps, we as a whole. */
FUZZ_UNUSED static bool same_place(const struct sides *b)
{
	return b->ours.held == b->theirs.held;
}

/* A new beginning; what either held back is gone. */
FUZZ_UNUSED static void sides_were_reset(struct sides *b)
{
	b->ours.held = b->theirs.held = 0;
	b->over = b->stopped = b->slow = false;
	b->room_was_left = true;
}

/* False when they differ where they may. */
FUZZ_UNUSED static bool compare_dictionaries(struct sides *b)
{
	static uint8_t ours[32768], theirs[ZLIB_REFUSED_WINDOW_BYTES];
	const uint8_t *their_end = theirs;
	uInt ours_bytes = 0, theirs_bytes = 0;
	int code = b->ours.p->inflateGetDictionary(b->ours.s, ours, &ours_bytes);

	FUZZ_CHECK(code == b->theirs.p->inflateGetDictionary(b->theirs.s, theirs, &theirs_bytes));
	if (code != Z_OK)
		return false;
	their_end += theirs_bytes;
	if (b->size_from_header && theirs_bytes > sizeof ours)
		theirs_bytes = sizeof ours;
	if (ours_bytes == theirs_bytes && memcmp(ours, their_end - theirs_bytes, theirs_bytes) == 0)
		return true;
	/* behind a checksum zlib's lacks what the last call made; nothing can refer to it */
	FUZZ_CHECK(ours_bytes >= theirs_bytes && (!b->ours.s->msg || strstr(b->ours.s->msg, " check")));
	b->over = true;
	return false;
}

/* Goes on with a copy and ends the original, or the other way round. */
FUZZ_UNUSED static void copy_side(struct side *side, bool keep_original)
{
	z_stream *copy = side->s == side->streams ? side->streams + 1 : side->streams;

	FUZZ_CHECK(side->p->inflateCopy(copy, side->s) == Z_OK);
	FUZZ_CHECK(side->p->inflateEnd(keep_original ? copy : side->s) == Z_OK);
	side->s = keep_original ? side->s : copy;
}

FUZZ_UNUSED static void set_dictionary(struct sides *b, unsigned argument)
{
	static const uint8_t dictionary[] = "the dictionary that seeds.c uses as well";
	static uint8_t long_dictionary[40000];
	const uint8_t *from = dictionary;
	uInt bytes = argument % 2 ? (uInt)sizeof dictionary - 1 : argument % (uInt)sizeof dictionary;

	/* for raw data at any time, but not where a match waits for room: to each it would mean something else */
	if (b->ours.code != Z_NEED_DICT && !(b->room_was_left && same_place(b)))
		return;
	if (b->ours.code != Z_NEED_DICT && argument % 4 == 0) {
		if (!long_dictionary[1])
			for (unsigned i = 0; i < sizeof long_dictionary; i++)
				long_dictionary[i] = (uint8_t)(i * 7 + i / 256);
		from = long_dictionary;
		bytes = argument * 156;
	}
	FUZZ_CHECK(b->ours.p->inflateSetDictionary(b->ours.s, from, bytes) ==
		   b->theirs.p->inflateSetDictionary(b->theirs.s, from, bytes));
}

/* zlib.h allows this for raw data only. */
FUZZ_UNUSED static void prime(struct sides *b, struct fuzz_input *in)
{
	int bits = fuzz_between(in, -1, 17), value = fuzz_byte(in) << 8 | fuzz_byte(in), code;

	if (!b->raw || !same_place(b))
		return;
	code = b->ours.p->inflatePrime(b->ours.s, bits, value);
	FUZZ_CHECK(code == b->theirs.p->inflatePrime(b->theirs.s, bits, value));
	if (code != Z_OK)
		return;
	b->ours.held = bits < 0 ? 0 : b->ours.held + (unsigned)bits;
	b->theirs.held = b->ours.held;
	b->slow = b->ours.held >= 8;
}

FUZZ_UNUSED static int sync_side(struct side *side, const uint8_t *piece, size_t given)
{
	side->s->next_in = piece;
	side->s->avail_in = (uInt)given;
	side->code = side->p->inflateSync(side->s);
	FUZZ_CHECK(side->s->avail_in <= given);
	side->used += given - side->s->avail_in;
	if (side->code != Z_BUF_ERROR)
		side->held = 0;
	return side->code;
}

FUZZ_UNUSED static void synchronise(struct sides *b, size_t given)
{
	const uint8_t *from = b->stream + b->ours.used;
	uint8_t *piece;

	/* until 1.3.1 zlib looked at the wrong bits of what it held */
	if (!same_place(b) || (b->ours.held >= 8 && b->ours.held % 8))
		return;
	if (given > b->stream_bytes - b->ours.used)
		given = b->stream_bytes - b->ours.used;
	piece = exact_open(&b->in, given);
	if (given)
		memcpy(piece, from, given);
	FUZZ_CHECK(sync_side(&b->ours, piece, given) == sync_side(&b->theirs, from, given));
	exact_close(&b->in);
	FUZZ_CHECK(b->ours.used == b->theirs.used);
	FUZZ_CHECK(b->ours.s->total_in == b->theirs.s->total_in && b->ours.s->total_out == b->theirs.s->total_out);
	if (b->ours.code == Z_OK)
		sides_were_reset(b);
}

FUZZ_UNUSED static void reset_sides(struct sides *b, unsigned argument)
{
	int code;

	switch (argument % 4) {
	case 0: case 1:
		FUZZ_CHECK(b->ours.p->inflateReset(b->ours.s) == b->theirs.p->inflateReset(b->theirs.s));
		break;
	case 2:
		code = b->ours.p->inflateReset2(b->ours.s, (int)argument / 4 * 2 - 64);
		FUZZ_CHECK(code == b->theirs.p->inflateReset2(b->theirs.s, (int)argument / 4 * 2 - 64));
		if (code != Z_OK)
			return;
		b->raw = (int)argument / 4 * 2 < 64;
		b->size_from_header |= asks_for_size_of_header((int)argument / 4 * 2 - 64);
		break;
	case 3:                                          /* with the history, which has to be the same */
		if (!compare_dictionaries(b) || b->over)
			return;
		FUZZ_CHECK(b->ours.p->inflateResetKeep(b->ours.s) == b->theirs.p->inflateResetKeep(b->theirs.s));
		break;
	}
	sides_were_reset(b);
}

FUZZ_UNUSED static void ask_state(const struct sides *b)
{
	long mark = b->ours.p->inflateMark(b->ours.s), their_mark = b->theirs.p->inflateMark(b->theirs.s);
	int point = b->ours.p->inflateSyncPoint(b->ours.s), their_point = b->theirs.p->inflateSyncPoint(b->theirs.s);

	if (b->stopped)
		FUZZ_CHECK(mark == their_mark);
	if (same_place(b))
		FUZZ_CHECK(point == their_point);
	b->ours.p->inflateCodesUsed(b->ours.s);
}

FUZZ_UNUSED static void sides_other_call(struct sides *b, struct fuzz_input *in)
{
	unsigned argument = fuzz_byte(in);
	int which = fuzz_between(in, 0, 9);

	if (sides_trace())
		fprintf(stderr, "other call %d, argument %u\n", which, argument);
	switch (which) {
	case 0: reset_sides(b, argument); break;
	case 1: synchronise(b, fuzz_size(in)); break;
	case 2:
		if (b->size_from_header)
			break;
		copy_side(&b->ours, argument % 2);
		copy_side(&b->theirs, argument % 2);
		break;
	case 3: set_dictionary(b, argument); break;
	case 4: compare_dictionaries(b); break;
	case 5:
		FUZZ_CHECK(b->ours.p->inflateValidate(b->ours.s, argument & 1) == b->theirs.p->inflateValidate(b->theirs.s, argument & 1));
		break;
	case 6:
		FUZZ_CHECK(b->ours.p->inflateUndermine(b->ours.s, argument & 1) == b->theirs.p->inflateUndermine(b->theirs.s, argument & 1));
		break;
	case 7: ask_state(b); break;
	case 8: prime(b, in); break;
	case 9: ask_header(b); break;
	}
}

#define SIDES_STEPS_MAX 60

/* Room: mostly a fuzz_size(), sometimes up to EXACT_MAX_BYTES. */
FUZZ_UNUSED static size_t sides_room(struct fuzz_input *in)
{
	return fuzz_byte(in) < 250 ? fuzz_size(in) : (size_t)(fuzz_byte(in) + 1) << 12;
}

/* Calls as the decisions say, then everything that is left, over several members. */
FUZZ_UNUSED static void sides_run(struct sides *b, struct fuzz_input *decisions)
{
	static const int flushes[] = { Z_NO_FLUSH, Z_SYNC_FLUSH, Z_FINISH, Z_BLOCK, Z_TREES, Z_PARTIAL_FLUSH, Z_FULL_FLUSH, 77, -1 };

	for (int step = 0; step < SIDES_STEPS_MAX && decisions->left_bytes; step++) {
		if (fuzz_byte(decisions) < 40) {
			sides_other_call(b, decisions);
		} else {
			size_t given = fuzz_size(decisions), room = sides_room(decisions);

			sides_inflate(b, given, room, flushes[fuzz_byte(decisions) % 9]);
		}
	}
	for (unsigned members = 0; members < 4; members++) {
		do
			sides_inflate(b, b->stream_bytes, 70000, Z_SYNC_FLUSH);
		while (b->ours.code == Z_OK && b->ours.made);
		if (b->ours.code != Z_STREAM_END || b->ours.used == b->stream_bytes)
			return;
		reset_sides(b, 0);
	}
}

#endif
