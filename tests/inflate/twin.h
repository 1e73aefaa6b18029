/* SPDX-License-Identifier: Zlib */
/* twin.h - one inflate stream of ours and one of the system's, fed the same pieces; everything that a caller can see is
 * compared after every call.  Input pieces and output pieces end at an inaccessible page. */
#ifndef TESTS_INFLATE_TWIN_H
#define TESTS_INFLATE_TWIN_H

#include "lib/bytes_buffer.h"
#include "lib/guard.h"
#include "lib/peer.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define TWIN_ROOM_BYTES (1u << 20)
#define TWIN_SENTINEL   0xa7

struct twin {
	const struct peer_zlib *system_zlib;
	z_stream theirs, ours;
	struct guard_buffer in, out;             /* what our stream sees */
	uint8_t *their_out;
	struct test_bytes made;                  /* all output so far */
	size_t   used_bytes;                     /* all input so far */
	int      code;                           /* of the last call */
	const char *fault;                       /* NULL, or the first difference */
	char     text[240];
};

ZW_INLINE void twin_begin(struct twin *t)
{
	memset(t, 0, sizeof *t);
	t->system_zlib = peer_system_or_skip();
	t->in = guard_before_end(TWIN_ROOM_BYTES);
	t->out = guard_before_end(TWIN_ROOM_BYTES);
	t->their_out = malloc(TWIN_ROOM_BYTES);
}

ZW_INLINE void twin_end(struct twin *t)
{
	guard_free(&t->in);
	guard_free(&t->out);
	free(t->their_out);
	bytes_free(&t->made);
}

/* The pair of a whole group of tests, and how the group begins and ends. */
static struct twin twins;

ZW_INLINE int twins_begin(void **state)
{
	(void)state;
	twin_begin(&twins);
	return 0;
}

ZW_INLINE int twins_end(void **state)
{
	(void)state;
	twin_end(&twins);
	return 0;
}

ZW_INLINE void twin_fault(struct twin *t, const char *what, long ours, long theirs)
{
	if (t->fault)
		return;
	t->fault = what;
	snprintf(t->text, sizeof t->text, "%s: ours %ld, system's %ld; ours msg '%s', system's '%s'", what, ours, theirs,
		 t->ours.msg ? t->ours.msg : "", t->theirs.msg ? t->theirs.msg : "");
}

ZW_INLINE void twin_same(struct twin *t, const char *what, long ours, long theirs)
{
	if (ours != theirs)
		twin_fault(t, what, ours, theirs);
}

/* What both streams show outside of a call. */
ZW_INLINE void twin_compare_fields(struct twin *t)
{
	bool stopped = (t->theirs.data_type & (128 | 256)) != 0;

	twin_same(t, "total_in", (long)t->ours.total_in, (long)t->theirs.total_in);
	twin_same(t, "total_out", (long)t->ours.total_out, (long)t->theirs.total_out);
	twin_same(t, "adler", (long)t->ours.adler, (long)t->theirs.adler);
	if (strcmp(t->ours.msg ? t->ours.msg : "", t->theirs.msg ? t->theirs.msg : "") != 0)
		twin_fault(t, "msg", 0, 0);
	if (stopped)
		twin_same(t, "data_type", t->ours.data_type, t->theirs.data_type);
	else if (t->code == Z_OK || t->code == Z_BUF_ERROR)
		twin_same(t, "data_type flags", t->ours.data_type >> 6, t->theirs.data_type >> 6);
}

ZW_INLINE void twin_open(struct twin *t, int window_bits)
{
	t->fault = NULL;
	t->text[0] = 0;
	t->used_bytes = 0;
	t->made.len_bytes = 0;
	bytes_reserve(&t->made, 1);
	t->code = Z_OK;
	memset(&t->theirs, 0, sizeof t->theirs);
	memset(&t->ours, 0, sizeof t->ours);
	twin_same(t, "inflateInit2", inflateInit2_(&t->ours, window_bits, ZLIB_VERSION, (int)sizeof t->ours),
		  t->system_zlib->inflateInit2_(&t->theirs, window_bits, "1.2.11", (int)sizeof t->theirs));
	twin_compare_fields(t);
}

ZW_INLINE void twin_close(struct twin *t)
{
	twin_same(t, "inflateEnd", inflateEnd(&t->ours), t->system_zlib->inflateEnd(&t->theirs));
}

/* The same call on both; its results must be equal.  Gives ours. */
#define TWIN_CALL(t, function, ...) \
	twin_result((t), #function, function(&(t)->ours, __VA_ARGS__), (t)->system_zlib->function(&(t)->theirs, __VA_ARGS__))
#define TWIN_CALL_0(t, function) \
	twin_result((t), #function, function(&(t)->ours), (t)->system_zlib->function(&(t)->theirs))

ZW_INLINE int twin_result(struct twin *t, const char *what, long ours, long theirs)
{
	twin_same(t, what, ours, theirs);
	twin_compare_fields(t);
	return (int)ours;
}

/* History as inflateGetDictionary() shows it. */
ZW_INLINE void twin_compare_history(struct twin *t)
{
	static Bytef ours[32768], theirs[32768];
	uInt our_bytes = 7, their_bytes = 7;

	twin_same(t, "inflateGetDictionary", inflateGetDictionary(&t->ours, ours, &our_bytes),
		  t->system_zlib->inflateGetDictionary(&t->theirs, theirs, &their_bytes));
	twin_same(t, "bytes of history", (long)our_bytes, (long)their_bytes);
	if (!t->fault && memcmp(ours, theirs, our_bytes) != 0)
		twin_fault(t, "history", 0, 0);
}

/* True when the histories differ, which is then not a fault. */
ZW_INLINE bool twin_history_differs(struct twin *t)
{
	bool differs;

	if (t->fault)
		return false;
	twin_compare_history(t);
	differs = t->fault != NULL;
	t->fault = NULL;
	return differs;
}

/* One inflate() of both on in[0 .. in_bytes) with out_bytes of room; returns the input bytes used. */
ZW_INLINE size_t twin_inflate(struct twin *t, const uint8_t *in, size_t in_bytes, size_t out_bytes, int flush)
{
	uint8_t *our_out = t->out.data + TWIN_ROOM_BYTES - out_bytes;
	size_t used, made;
	int their_code;

	if (in_bytes > TWIN_ROOM_BYTES)
		in_bytes = TWIN_ROOM_BYTES;
	t->theirs.next_in = (z_const Bytef *)in;
	t->theirs.avail_in = (uInt)in_bytes;
	t->theirs.next_out = t->their_out;
	t->theirs.avail_out = (uInt)out_bytes;
	their_code = t->system_zlib->inflate(&t->theirs, flush);

	t->ours.next_in = t->in.data + TWIN_ROOM_BYTES - in_bytes;
	if (in_bytes)
		memcpy(t->in.data + TWIN_ROOM_BYTES - in_bytes, in, in_bytes);
	t->ours.avail_in = (uInt)in_bytes;
	t->ours.next_out = our_out;
	t->ours.avail_out = (uInt)out_bytes;
	memset(our_out, TWIN_SENTINEL, out_bytes);
	t->code = inflate(&t->ours, flush);

	used = in_bytes - t->ours.avail_in;
	made = out_bytes - t->ours.avail_out;
	twin_same(t, "return code", t->code, their_code);
	twin_same(t, "avail_in", (long)t->ours.avail_in, (long)t->theirs.avail_in);
	twin_same(t, "avail_out", (long)t->ours.avail_out, (long)t->theirs.avail_out);
	twin_same(t, "next_in", (long)(t->ours.next_in - t->in.data), (long)(TWIN_ROOM_BYTES - in_bytes + used));
	twin_same(t, "next_out", (long)(t->ours.next_out - our_out), (long)made);
	if (!t->fault && memcmp(our_out, t->their_out, made) != 0)
		twin_fault(t, "bytes", 0, 0);
	for (size_t i = made; i < out_bytes; i++)
		if (our_out[i] != TWIN_SENTINEL) {
			twin_fault(t, "bytes behind next_out were written", (long)i, (long)made);
			break;
		}
	twin_compare_fields(t);
	bytes_append(&t->made, our_out, made);
	t->used_bytes += used;
	return used;
}

#define CHECK_TWIN(t) do { if ((t)->fault) fail_msg("%s", (t)->text); } while (0)

/* plain compressed by the system's zlib; the caller frees the result. */
ZW_INLINE struct test_bytes compressed(const struct peer_zlib *p, const uint8_t *plain, size_t bytes, int window_bits,
				       const uint8_t *dictionary, unsigned dictionary_bytes, int middle_flush)
{
	struct test_bytes z = { 0 };
	z_stream s;

	memset(&s, 0, sizeof s);
	bytes_reserve(&z, bytes + bytes / 100 + 1000);
	p->deflateInit2_(&s, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY, "1.2.11", (int)sizeof s);
	if (dictionary)
		p->deflateSetDictionary(&s, dictionary, dictionary_bytes);
	s.next_in = (z_const Bytef *)plain;
	s.avail_in = (uInt)(bytes / 2);
	s.next_out = z.data;
	s.avail_out = (uInt)z.room_bytes;
	p->deflate(&s, middle_flush);
	s.avail_in += (uInt)(bytes - bytes / 2);
	p->deflate(&s, Z_FINISH);
	z.len_bytes = s.total_out;
	p->deflateEnd(&s);
	return z;
}

/* Feeds all of z in pieces until something other than progress happens. */
ZW_INLINE void twin_feed(struct twin *t, const struct test_bytes *z, size_t in_bytes, size_t room, int flush)
{
	for (unsigned calls = 0; calls < 100000 && !t->fault; calls++) {
		size_t left = z->len_bytes - t->used_bytes, used, made = t->made.len_bytes;

		used = twin_inflate(t, z->data + t->used_bytes, left < in_bytes ? left : in_bytes, room, flush);
		if ((t->code != Z_OK && t->code != Z_BUF_ERROR) || (!used && t->made.len_bytes == made))
			return;
	}
}

#endif
