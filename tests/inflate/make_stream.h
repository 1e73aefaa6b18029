/* SPDX-License-Identifier: Zlib */
/* make_stream.h - random DEFLATE streams, right and wrong ones, for differential tests. */
#ifndef TESTS_INFLATE_MAKE_STREAM_H
#define TESTS_INFLATE_MAKE_STREAM_H

#include "lib/bits.h"
#include "lib/corpus.h"
#include "lib/peer.h"
#include "lib/rng.h"

static const uint8_t stream_length_extra[29] = { 0,0,0,0,0,0,0,0,1,1,1,1,2,2,2,2,3,3,3,3,4,4,4,4,5,5,5,5,0 };
static const uint8_t stream_precode_order[PRECODE_SYMBOL_COUNT] = { 16,17,18,0,8,7,9,6,10,5,11,4,12,3,13,2,14,1,15 };

ZW_INLINE unsigned stream_below(struct rng *r, unsigned limit) { return limit ? (unsigned)rng_below(r, limit) : 0; }

/* Lengths of a random complete code of used symbols out of count, none longer than max_bits; used 1: a single 1-bit code. */
ZW_INLINE void stream_random_code(struct rng *r, uint8_t *lens, unsigned count, unsigned used, unsigned max_bits)
{
	uint8_t leaf[LITLEN_CODE_COUNT] = { 0 };
	unsigned leaves = 1;

	memset(lens, 0, count);
	if (used > count)
		used = count;
	while (leaves < used) {                  /* split a leaf, mostly a recent one, so that deep codes come up */
		unsigned at = rng_one_in(r, 3) ? stream_below(r, leaves) : leaves - 1 - stream_below(r, leaves < 4 ? leaves : 4);
		unsigned tried = 0;

		while (leaf[at] >= max_bits && tried++ < leaves)
			at = (at + 1) % leaves;
		if (leaf[at] >= max_bits)
			break;
		leaf[at]++;
		leaf[leaves++] = leaf[at];
	}
	if (leaves == 1)
		leaf[0] = 1;
	for (unsigned i = 0; i < leaves; i++) {
		unsigned symbol;

		do
			symbol = stream_below(r, count);
		while (lens[symbol]);
		lens[symbol] = leaf[i];
	}
}

ZW_INLINE void stream_put_lengths(struct rng *r, struct bits *b, const struct bits_code *precode, const uint8_t *lens, unsigned total)
{
	for (unsigned i = 0; i < total;) {
		unsigned run = 1, n;

		while (i + run < total && lens[i + run] == lens[i])
			run++;
		if (rng_one_in(r, 400)) {        /* a repeat that may have nothing to repeat, or run past the end */
			bits_put_symbol(b, precode, 16);
			bits_put(b, stream_below(r, 4), 2);
			i += 3;
		} else if (!lens[i] && run >= 11 && !rng_one_in(r, 6)) {
			n = run > 138 ? 138 : run;
			bits_put_symbol(b, precode, 18);
			bits_put(b, n - 11, 7);
			i += n;
		} else if (!lens[i] && run >= 3 && !rng_one_in(r, 6)) {
			n = run > 10 ? 10 : run;
			bits_put_symbol(b, precode, 17);
			bits_put(b, n - 3, 3);
			i += n;
		} else if (run >= 4 && !rng_one_in(r, 6)) {
			n = run - 1 > 6 ? 6 : run - 1;
			bits_put_symbol(b, precode, lens[i]);
			bits_put_symbol(b, precode, 16);
			bits_put(b, n - 3, 2);
			i += n + 1;
		} else {
			bits_put_symbol(b, precode, lens[i++]);
		}
	}
}

ZW_INLINE void stream_put_symbols(struct rng *r, struct bits *b, const uint8_t *lens, unsigned litlen_count, unsigned dist_count)
{
	struct bits_code litlen, dist;
	unsigned symbols[LITLEN_CODE_COUNT], distances[DIST_CODE_COUNT], symbol_count = 0, distance_count = 0;

	if (dist_count > DIST_SYMBOL_COUNT)
		dist_count = DIST_SYMBOL_COUNT;
	bits_make_code(&litlen, lens, litlen_count > LITLEN_CODE_COUNT ? LITLEN_CODE_COUNT : litlen_count);
	bits_make_code(&dist, lens + litlen_count, dist_count);
	for (unsigned i = 0; i < litlen_count && i < LITLEN_SYMBOL_COUNT; i++)
		if (lens[i] && i != SYMBOL_END_OF_BLOCK)
			symbols[symbol_count++] = i;
	for (unsigned i = 0; i < dist_count; i++)
		if (lens[litlen_count + i])
			distances[distance_count++] = i;
	for (unsigned left = stream_below(r, rng_one_in(r, 3) ? 3000 : 200); left && symbol_count; left--) {
		unsigned symbol = symbols[stream_below(r, symbol_count)], d;

		if (symbol >= SYMBOL_LENGTH_FIRST && !distance_count && !rng_one_in(r, 100))
			continue;
		bits_put_symbol(b, &litlen, symbol);
		if (symbol < SYMBOL_LENGTH_FIRST)
			continue;
		bits_put(b, (uint32_t)rng_next(r), stream_length_extra[symbol - SYMBOL_LENGTH_FIRST]);
		if (!distance_count) {
			bits_put(b, stream_below(r, 8), 3);
			continue;
		}
		d = distances[stream_below(r, distance_count)];
		bits_put_symbol(b, &dist, d);
		bits_put(b, (uint32_t)rng_next(r), d < 4 ? 0 : (d - 2) / 2);
	}
	bits_put_symbol(b, &litlen, SYMBOL_END_OF_BLOCK);
}

/* A dynamic block: mostly a good one, with every kind of fault now and then. */
ZW_INLINE void stream_dynamic_block(struct rng *r, struct bits *b, bool last)
{
	uint8_t lens[LITLEN_CODE_COUNT + DIST_CODE_COUNT + 8] = { 0 }, precode_lens[PRECODE_SYMBOL_COUNT];
	struct bits_code precode;
	unsigned litlen_count = 257 + stream_below(r, 30), dist_count = 1 + stream_below(r, 30), at;

	stream_random_code(r, lens, litlen_count, 2 + stream_below(r, rng_one_in(r, 2) ? litlen_count : 40), 7 + stream_below(r, 9));
	if (!lens[256] && !rng_one_in(r, 20)) {
		do
			at = stream_below(r, litlen_count);
		while (!lens[at]);
		lens[256] = lens[at];
		lens[at] = 0;
	}
	switch (stream_below(r, 8)) {
	case 0:
		break;                           /* no distance code at all */
	case 1:
		lens[litlen_count + stream_below(r, dist_count)] = 1;
		break;
	case 2:
		lens[litlen_count + stream_below(r, dist_count)] = (uint8_t)(1 + stream_below(r, 15));
		break;
	default:
		stream_random_code(r, lens + litlen_count, dist_count, 1 + stream_below(r, dist_count), 5 + stream_below(r, 11));
	}
	if (rng_one_in(r, 30))
		lens[stream_below(r, litlen_count + dist_count)] = (uint8_t)stream_below(r, 16);
	if (rng_one_in(r, 60)) {
		memset(lens, 0, litlen_count);
		lens[256] = (uint8_t)(1 + stream_below(r, 2));
	}
	stream_random_code(r, precode_lens, PRECODE_SYMBOL_COUNT, PRECODE_SYMBOL_COUNT, 5 + stream_below(r, 3));
	if (rng_one_in(r, 40))
		precode_lens[stream_below(r, PRECODE_SYMBOL_COUNT)] = (uint8_t)stream_below(r, 8);
	if (rng_one_in(r, 200))
		memset(precode_lens, 0, sizeof precode_lens);
	bits_make_code(&precode, precode_lens, PRECODE_SYMBOL_COUNT);
	if (rng_one_in(r, 100))
		litlen_count = 257 + stream_below(r, 32);
	if (rng_one_in(r, 100))
		dist_count = 1 + stream_below(r, 32);
	bits_put_block_start(b, last, BLOCK_DYNAMIC);
	bits_put(b, litlen_count - 257, 5);
	bits_put(b, dist_count - 1, 5);
	bits_put(b, PRECODE_SYMBOL_COUNT - 4, 4);
	for (unsigned i = 0; i < PRECODE_SYMBOL_COUNT; i++)
		bits_put(b, precode_lens[stream_precode_order[i]], 3);
	stream_put_lengths(r, b, &precode, lens, litlen_count + dist_count);
	stream_put_symbols(r, b, lens, litlen_count, dist_count);
}

ZW_INLINE void stream_fixed_block(struct rng *r, struct bits *b, bool last)
{
	struct bits_code litlen, dist;

	bits_make_fixed_litlen(&litlen);
	bits_make_fixed_dist(&dist);
	bits_put_block_start(b, last, BLOCK_FIXED);
	for (unsigned left = stream_below(r, 600); left; left--) {
		unsigned symbol = stream_below(r, 4) ? stream_below(r, 256) : 257 + stream_below(r, rng_one_in(r, 50) ? 31 : 29), d;

		bits_put_symbol(b, &litlen, symbol);
		if (symbol < SYMBOL_LENGTH_FIRST || symbol >= LITLEN_SYMBOL_COUNT)
			continue;
		bits_put(b, (uint32_t)rng_next(r), stream_length_extra[symbol - SYMBOL_LENGTH_FIRST]);
		d = stream_below(r, rng_one_in(r, 50) ? 32 : rng_one_in(r, 4) ? 30 : 12);
		bits_put_symbol(b, &dist, d);
		bits_put(b, (uint32_t)rng_next(r), d < 4 || d > 29 ? 0 : (d - 2) / 2);
	}
	bits_put_symbol(b, &litlen, SYMBOL_END_OF_BLOCK);
}

ZW_INLINE void stream_stored_block(struct rng *r, struct bits *b, bool last, unsigned bytes, const struct test_bytes *corpus)
{
	bits_put_stored(b, last, corpus->data + stream_below(r, (unsigned)(corpus->len_bytes - bytes)), (uint16_t)bytes);
	if (rng_one_in(r, 50))
		b->bytes.data[b->bytes.len_bytes - bytes - 1 - stream_below(r, 4)] ^= (uint8_t)(1 << stream_below(r, 8));
}

enum stream_wrap { STREAM_RAW, STREAM_ZLIB, STREAM_GZIP };

/* Some bytes compressed by the system's zlib with random parameters. */
ZW_INLINE void stream_compressed(struct rng *r, const struct peer_zlib *p, enum stream_wrap wrap, unsigned *window_log2,
			      struct bits *b, const struct test_bytes *corpus)
{
	static const int flushes[4] = { Z_NO_FLUSH, Z_PARTIAL_FLUSH, Z_SYNC_FLUSH, Z_FULL_FLUSH };
	unsigned n = stream_below(r, rng_one_in(r, 4) ? rng_one_in(r, 6) ? 300000 : 100000 : 20000);
	unsigned bits = 9 + stream_below(r, 7), period = 1 + stream_below(r, rng_one_in(r, 2) ? 40 : 33000);
	uint8_t *plain = malloc(n + 1), extra[300];
	unsigned kind = stream_below(r, 4);
	gz_header header;
	z_stream s;

	if (kind == 3)
		memcpy(plain, corpus->data + stream_below(r, (unsigned)corpus->len_bytes - n), n);
	else
		for (unsigned i = 0; i < n; i++)
			plain[i] = kind == 0 || (kind == 1 && i < period) || (kind == 2 && rng_one_in(r, 8)) ? (uint8_t)rng_next(r)
				: kind == 1 ? plain[i - period] : (uint8_t)('a' + stream_below(r, 4));
	memset(&s, 0, sizeof s);
	p->deflateInit2_(&s, (int)stream_below(r, 10), Z_DEFLATED, wrap == STREAM_RAW ? -(int)bits : wrap == STREAM_ZLIB ? (int)bits : 16 + (int)bits,
			 1 + (int)stream_below(r, 9), (int)stream_below(r, 5), "1.2.11", (int)sizeof s);
	if (wrap == STREAM_GZIP && rng_one_in(r, 3)) {
		memset(&header, 0, sizeof header);
		rng_fill(r, extra, sizeof extra);
		header.extra = rng_one_in(r, 2) ? extra : NULL;
		header.extra_len = header.extra ? stream_below(r, 300) : 0;
		header.name = rng_one_in(r, 2) ? (Bytef *)"name.txt" : NULL;
		header.comment = rng_one_in(r, 2) ? (Bytef *)"a comment" : NULL;
		header.hcrc = (int)stream_below(r, 2);
		p->deflateSetHeader(&s, &header);
	}
	bytes_reserve(&b->bytes, 2 * n + 70000);
	s.next_out = b->bytes.data;
	s.avail_out = (uInt)b->bytes.room_bytes;
	s.next_in = plain;
	if (rng_one_in(r, 3))
		for (unsigned at = 0; at < n;) {
			unsigned piece = 1 + stream_below(r, 9000);

			piece = piece < n - at ? piece : n - at;
			s.avail_in = piece;
			p->deflate(&s, flushes[stream_below(r, 4)]);
			at += piece;
		}
	else
		s.avail_in = n;
	p->deflate(&s, Z_FINISH);
	b->bytes.len_bytes = s.total_out;
	p->deflateEnd(&s);
	free(plain);
	*window_log2 = bits;
}

ZW_INLINE void stream_flip_bits(struct rng *r, struct test_bytes *z)
{
	for (unsigned left = 1 + stream_below(r, 3); left && z->len_bytes; left--)
		z->data[stream_below(r, rng_one_in(r, 2) && z->len_bytes > 200 ? 200 : (unsigned)z->len_bytes)] ^= (uint8_t)(1 << stream_below(r, 8));
}

/* A stream of any kind into *b, which must be empty.  Returns the window that a decoder should have. */
ZW_INLINE unsigned stream_make(struct rng *r, const struct peer_zlib *p, enum stream_wrap wrap, const struct test_bytes *corpus, struct bits *b)
{
	unsigned kind = stream_below(r, 6), window_log2 = 15, blocks;

	if (kind < 3) {
		stream_compressed(r, p, wrap, &window_log2, b, corpus);
		if (kind == 1)
			stream_flip_bits(r, &b->bytes);
		if (kind == 2 && rng_one_in(r, 2))
			b->bytes.len_bytes = stream_below(r, (unsigned)b->bytes.len_bytes + 1);
		else if (kind == 2)
			for (unsigned left = stream_below(r, 40); left; left--)
				bytes_append_byte(&b->bytes, (uint8_t)rng_next(r));
		return window_log2;
	}
	if (wrap == STREAM_GZIP)
		bits_put_gzip_header(b, 0);
	if (wrap == STREAM_ZLIB)
		bits_put_zlib_header(b, 15, false);
	if (kind == 5) {                         /* noise */
		for (unsigned left = stream_below(r, 3000); left; left--)
			bits_put(b, (uint32_t)rng_next(r), 8);
		bits_end(b);
		return 15;
	}
	if (!rng_one_in(r, 3))
		stream_stored_block(r, b, false, rng_one_in(r, 4) ? stream_below(r, 5000) : 32768 + stream_below(r, 32768), corpus);
	blocks = 1 + stream_below(r, 4);
	for (unsigned i = 1; i <= blocks; i++)
		switch (stream_below(r, 6)) {
		case 0:  stream_stored_block(r, b, i == blocks, stream_below(r, 3000), corpus); break;
		case 1:  stream_fixed_block(r, b, i == blocks); break;
		default: stream_dynamic_block(r, b, i == blocks);
		}
	if (rng_one_in(r, 20))
		bits_put(b, 7, 3);
	bits_end(b);
	for (unsigned left = stream_below(r, 20); left; left--)
		bytes_append_byte(&b->bytes, (uint8_t)rng_next(r));
	if (kind == 4)
		stream_flip_bits(r, &b->bytes);
	return 15;
}

#endif
