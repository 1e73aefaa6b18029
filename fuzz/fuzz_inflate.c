/* SPDX-License-Identifier: Zlib */
/* fuzz_inflate.c - any sequence of inflate calls on any bytes, ours beside the system's zlib: same codes, same output,
 * same messages, and the same byte at the end of a stream or of its valid part. */
#include "fuzz_input.h"

#define ROOM_MAX_BYTES 70000
#define STEPS_MAX         60

#define DATA_TYPE_LAST_BLOCK 64              /* what inflate() adds to data_type, beside the number of unused bits */
#define DATA_TYPE_BOUNDARY  128
#define DATA_TYPE_HEADER    256

struct side {
	const struct peer_zlib *p;
	z_stream streams[2];                     /* a copy has to stay where it was made */
	z_stream *s;
	size_t   used;                           /* of the stream's bytes */
	gz_header header;
	uint8_t  extra[20], name[20], comment[20];
	uint8_t *out;                            /* exactly as long as the room given: ASan watches its end */
	size_t   made;
	int      code;
	bool     over;                           /* no output can follow: see compare_dictionaries() */
};

static void begin_side(struct side *side, const struct peer_zlib *p, int window_bits, bool header)
{
	*side = (struct side){ .p = p };
	side->s = side->streams;
	side->code = p->inflateInit2_(side->s, window_bits, ZLIB_VERSION, (int)sizeof *side->s);
	if (side->code != Z_OK || !header)
		return;
	side->header = (gz_header){ .extra = side->extra, .extra_max = 20, .name = side->name, .name_max = 20,
				    .comment = side->comment, .comm_max = 20 };
	p->inflateGetHeader(side->s, &side->header);
}

static void inflate_side(struct side *side, const uint8_t *stream, size_t up_to, size_t room, int flush)
{
	uint8_t *piece = malloc(up_to - side->used + !(up_to - side->used));
	size_t given = up_to - side->used;

	side->out = malloc(room ? room : 1);
	FUZZ_CHECK(piece && side->out);
	memcpy(piece, stream + side->used, given);
	side->s->next_in = piece;
	side->s->avail_in = (uInt)given;
	side->s->next_out = side->out;
	side->s->avail_out = (uInt)room;
	side->code = side->p->inflate(side->s, flush);
	FUZZ_CHECK(side->s->avail_in <= given && side->s->avail_out <= room);
	side->used += given - side->s->avail_in;
	side->made = room - side->s->avail_out;
	free(piece);
}

/* True when both stand at a byte that the interface fixes: the end, an error, or a stop asked for. */
static bool at_fixed_point(const struct side *side, int flush)
{
	if (side->code == Z_STREAM_END || side->code == Z_DATA_ERROR || side->code == Z_NEED_DICT)
		return true;
	return (flush == Z_BLOCK || flush == Z_TREES) && side->code == Z_OK && side->s->avail_out &&
	       side->s->data_type & (DATA_TYPE_BOUNDARY | DATA_TYPE_HEADER);
}

static void trace_sides(const struct side *ours, const struct side *theirs, int flush)
{
	const struct side *sides[] = { ours, theirs };

	for (int i = 0; i < 2; i++)
		fprintf(stderr, "%s: flush %d code %d (%s) used %zu made %zu total_out %lu data_type %d avail_out %u\n", sides[i]->p->name,
			flush, sides[i]->code, sides[i]->s->msg ? sides[i]->s->msg : "", sides[i]->used, sides[i]->made,
			sides[i]->s->total_out, sides[i]->s->data_type, sides[i]->s->avail_out);
}

static void compare_sides(const struct side *ours, const struct side *theirs, int flush)
{
	if (getenv("ZWIRE_FUZZ_TRACE"))
		trace_sides(ours, theirs, flush);
	FUZZ_CHECK(ours->code == theirs->code);
	FUZZ_CHECK(ours->made == theirs->made);
	FUZZ_CHECK(!ours->over || !ours->made);
	FUZZ_CHECK(!ours->made || memcmp(ours->out, theirs->out, ours->made) == 0);
	FUZZ_CHECK(ours->s->total_out == theirs->s->total_out);
	if (ours->code == Z_DATA_ERROR)
		FUZZ_CHECK(ours->s->msg && theirs->s->msg && strcmp(ours->s->msg, theirs->s->msg) == 0);
	if (!at_fixed_point(ours, flush) || !at_fixed_point(theirs, flush))
		return;
	FUZZ_CHECK(ours->used == theirs->used);
	if (ours->code != Z_DATA_ERROR)
		FUZZ_CHECK(ours->s->adler == theirs->s->adler);
	if (ours->code == Z_OK)
		FUZZ_CHECK(ours->s->data_type == theirs->s->data_type);
	FUZZ_CHECK(ours->header.done == theirs->header.done);
	if (ours->header.done == 1) {
		FUZZ_CHECK(ours->header.time == theirs->header.time);
		FUZZ_CHECK(memcmp(ours->extra, theirs->extra, sizeof ours->extra) == 0);
		FUZZ_CHECK(memcmp(ours->name, theirs->name, sizeof ours->name) == 0);
		FUZZ_CHECK(memcmp(ours->comment, theirs->comment, sizeof ours->comment) == 0);
	}
}

static void compare_dictionaries(struct side *ours, struct side *theirs)
{
	static uint8_t a[32768], b[32768];
	uInt a_bytes = 0, b_bytes = 0;
	int code = ours->p->inflateGetDictionary(ours->s, a, &a_bytes);

	FUZZ_CHECK(code == theirs->p->inflateGetDictionary(theirs->s, b, &b_bytes));
	if (code != Z_OK)
		return;
	if (a_bytes == b_bytes && memcmp(a, b, b_bytes) == 0)
		return;
	/* behind a checksum zlib's lacks what the last call made; nothing can refer to it */
	FUZZ_CHECK(a_bytes >= b_bytes && (!ours->s->msg || strstr(ours->s->msg, " check")));
	ours->over = true;
}

/* Goes on with a copy and ends the original. */
static void replace_by_copy(struct side *side)
{
	z_stream *copy = side->s == side->streams ? side->streams + 1 : side->streams;

	FUZZ_CHECK(side->p->inflateCopy(copy, side->s) == Z_OK);
	FUZZ_CHECK(side->p->inflateEnd(side->s) == Z_OK);
	side->s = copy;
}

/* A call beside inflate(); both sides must answer alike. */
static void other_call(struct fuzz_input *in, struct side *ours, struct side *theirs)
{
	static const uint8_t dictionary[] = "the dictionary that seeds.c uses as well";
	int argument = fuzz_byte(in);
	uInt dictionary_bytes = argument % 2 ? (uInt)sizeof dictionary - 1 : (uInt)argument % sizeof dictionary;

	int which = fuzz_between(in, 0, 7), code;

	if (getenv("ZWIRE_FUZZ_TRACE"))
		fprintf(stderr, "other call %d, argument code %d\n", which, argument);
	switch (which) {
	case 0:
		FUZZ_CHECK(ours->p->inflateReset(ours->s) == theirs->p->inflateReset(theirs->s));
		theirs->used = ours->used;       /* what either held back is gone */
		ours->over = false;
		break;
	case 1:
		code = ours->p->inflateReset2(ours->s, argument - 64);
		FUZZ_CHECK(code == theirs->p->inflateReset2(theirs->s, argument - 64));
		theirs->used = ours->used;
		ours->over = ours->over && code != Z_OK;
		break;
	case 2:
		replace_by_copy(ours);
		replace_by_copy(theirs);
		break;
	case 3:                                  /* later, matches that wait for room would mean something else to each */
		if (ours->s->total_in && ours->code != Z_NEED_DICT)
			break;
		FUZZ_CHECK(ours->p->inflateSetDictionary(ours->s, dictionary, dictionary_bytes) ==
			   theirs->p->inflateSetDictionary(theirs->s, dictionary, dictionary_bytes));
		break;
	case 4:
		compare_dictionaries(ours, theirs);
		break;
	case 5:
		FUZZ_CHECK(ours->p->inflateValidate(ours->s, argument & 1) == theirs->p->inflateValidate(theirs->s, argument & 1));
		break;
	case 6:
		FUZZ_CHECK(ours->p->inflateUndermine(ours->s, 0) == theirs->p->inflateUndermine(theirs->s, 0));
		break;
	case 7:
		ours->p->inflateMark(ours->s);
		ours->p->inflateSyncPoint(ours->s);
		ours->p->inflateCodesUsed(ours->s);
		break;
	}
}

static void one_step(struct fuzz_input *in, struct side *ours, struct side *theirs, const uint8_t *stream,
		     size_t stream_bytes)
{
	static const int flushes[] = { Z_NO_FLUSH, Z_SYNC_FLUSH, Z_FINISH, Z_BLOCK, Z_TREES, Z_PARTIAL_FLUSH };
	size_t latest = ours->used > theirs->used ? ours->used : theirs->used;
	size_t up_to = latest + fuzz_size(in);
	size_t room = fuzz_size(in);
	int flush = flushes[fuzz_byte(in) % 6];

	if (up_to > stream_bytes)
		up_to = stream_bytes;
	inflate_side(ours, stream, up_to, room, flush);
	inflate_side(theirs, stream, up_to, room, flush);
	compare_sides(ours, theirs, flush);
	free(ours->out);
	free(theirs->out);
}

/* The first bytes decide, those after a zero length of decisions are the stream: [n] [n decisions] [stream]. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes)
{
	struct fuzz_input in = { data, len_bytes };
	struct side ours, theirs;
	const uint8_t *stream;
	size_t stream_bytes;
	int window_bits;

	size_t decisions = fuzz_byte(&in);

	if (decisions > in.left_bytes)
		decisions = in.left_bytes;
	stream = in.next + decisions;
	stream_bytes = in.left_bytes - decisions;
	in.left_bytes = decisions;
	window_bits = fuzz_byte(&in) - 64;
	begin_side(&ours, fuzz_subject(), window_bits, decisions % 2);
	begin_side(&theirs, fuzz_judge(), window_bits, decisions % 2);
	FUZZ_CHECK(ours.code == theirs.code);
	if (ours.code != Z_OK)
		return 0;
	for (int step = 0; step < STEPS_MAX && in.left_bytes; step++) {
		if (fuzz_byte(&in) < 32)
			other_call(&in, &ours, &theirs);
		else
			one_step(&in, &ours, &theirs, stream, stream_bytes);
	}
	inflate_side(&ours, stream, stream_bytes, ROOM_MAX_BYTES, Z_SYNC_FLUSH);
	inflate_side(&theirs, stream, stream_bytes, ROOM_MAX_BYTES, Z_SYNC_FLUSH);
	compare_sides(&ours, &theirs, Z_SYNC_FLUSH);
	free(ours.out);
	free(theirs.out);
	FUZZ_CHECK(ours.p->inflateEnd(ours.s) == Z_OK);
	FUZZ_CHECK(theirs.p->inflateEnd(theirs.s) == Z_OK);
	return 0;
}
