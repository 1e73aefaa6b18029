/* SPDX-License-Identifier: Zlib */
/* code_header.c - run-length items of the two length arrays, their precode, and their way into the bit stream.
 * Takes: the litlen and distance codes.  Gives: the dynamic header and its exact cost.  Then: block_cost.c, block_write.c */
#include "deflate/code_header.h"

#include "base/bytes.h"
#include "base/check.h"
#include "deflate/count_vectors.h"

#include <string.h>

/* RFC 1951 3.2.7: items above 15 */
#define ITEM_REPEAT      16u                 /* the last length, 3..6 times; 2 extra bits */
#define ITEM_ZEROS       17u                 /* 3..10 zeros; 3 extra bits */
#define ITEM_MANY_ZEROS  18u                 /* 11..138 zeros; 7 extra bits */
#define RUN_MIN           3u
#define REPEAT_MAX        6u
#define ZEROS_MAX        10u
#define MANY_ZEROS_MAX  138u

#define ITEM_SYMBOL_MASK 31u
#define ITEM_EXTRA_SHIFT  5
#define ITEM_PADDING     31u                 /* an item of no bits */
#define PRECODE_SLOTS    32u

#define SMALL_GAPS       16u                 /* of header_pieces: ZEROS_MAX and 0, rounded up */
#define FIRST_OF_TWO (MANY_ZEROS_MAX - ZEROS_MAX) /* zeros of a gap that needs two items: the rest is one of many zeros, too, */
						 /* as others may have no code */
#define PIECE_WORD_SHIFT  8
#define PUT_BITS         48u                 /* of a written header at a time */

#define JOINED_SLOTS (CODE_MAX_SYMBOLS + DIST_CODE_COUNT)

static const uint8_t precode_order[PRECODE_SYMBOL_COUNT] = { 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15 };
static const uint8_t precode_extra_bits[PRECODE_SLOTS] = { [ITEM_REPEAT] = 2, [ITEM_ZEROS] = 3, [ITEM_MANY_ZEROS] = 7 };

/* Items that repeat the last length for run >= RUN_MIN more symbols; returns the new item_count. */
static unsigned add_repeats(struct zw_code_header *h, unsigned item_count, unsigned run)
{
	for (; run > REPEAT_MAX + 2; run -= REPEAT_MAX)
		h->items[item_count++] = ITEM_REPEAT | (REPEAT_MAX - RUN_MIN) << ITEM_EXTRA_SHIFT;
	if (run > REPEAT_MAX) {                  /* 7 or 8: 4 + 3 or 4 + 4 */
		h->items[item_count++] = ITEM_REPEAT | (4 - RUN_MIN) << ITEM_EXTRA_SHIFT;
		run -= 4;
	}
	h->items[item_count++] = (uint16_t)(ITEM_REPEAT | (run - RUN_MIN) << ITEM_EXTRA_SHIFT);
	return item_count;
}

/* The run-length items of joined[], whose non-zero entries are used[0..used_count).  The zeros are the gaps between them.
 * counts[] receives how often each precode symbol occurs; it holds those of the single lengths already. */
static void make_items(struct zw_code_header *h, const uint8_t *joined, const uint16_t *used, unsigned used_count,
		       uint16_t *counts)
{
	unsigned item_count = 0, end = 0;        /* joined[0..end) is described */
	unsigned zeros = 0, zero_runs = 0, long_zero_runs = 0, longest_zero_runs = 0, repeats = 0;

	for (unsigned i = 0; i < used_count; i++) {
		unsigned at = used[i], length = joined[at], gap = at - end;
		unsigned is_run, is_long, item;
		uint64_t differs;

		if (gap > MANY_ZEROS_MAX) {          /* at most once: the end-of-block always has a length */
			h->items[item_count++] = ITEM_MANY_ZEROS | (MANY_ZEROS_MAX - 11) << ITEM_EXTRA_SHIFT;
			gap -= MANY_ZEROS_MAX;
			longest_zero_runs++;
		}
		/* a gap of up to 2 is single zeros, of which two slots are written and gap are kept */
		is_run = gap >= RUN_MIN;
		is_long = gap > ZEROS_MAX;
		item = (ITEM_ZEROS + is_long) | (gap - RUN_MIN - 8 * is_long) << ITEM_EXTRA_SHIFT;
		h->items[item_count] = (uint16_t)(is_run ? item : 0);
		h->items[item_count + 1] = 0;
		item_count += is_run ? 1 : gap;
		zeros += is_run ? 1 : gap;
		zero_runs += is_run;
		long_zero_runs += is_long;

		h->items[item_count++] = (uint16_t)length;
		end = at + 1;
		differs = zw_load_le64(joined + end) ^ length * UINT64_C(0x0101010101010101);
		if (!(differs & 0xffffff)) {         /* three or more of the same length follow */
			unsigned run = differs ? zw_lowest_bit64(differs) >> 3 : 8;
			unsigned before = item_count;

			if (run == 8)
				while (joined[end + run] == length)
					run++;           /* ends at a zero behind the last length */
			item_count = add_repeats(h, item_count, run);
			repeats += item_count - before;
			counts[length] = (uint16_t)(counts[length] - run);
			i += run;
			end += run;
		}
	}
	ZW_ASSERT(item_count <= HEADER_MAX_ITEMS);
	h->item_count = item_count;
	counts[0] = (uint16_t)(zeros - zero_runs);
	counts[ITEM_REPEAT] = (uint16_t)repeats;
	counts[ITEM_ZEROS] = (uint16_t)(zero_runs - long_zero_runs);
	counts[ITEM_MANY_ZEROS] = (uint16_t)(long_zero_runs + longest_zero_runs);
}

/* How many of the precode's lengths are written: none of the zeros at the end, but four at least (RFC 1951 3.2.7). */
static unsigned precode_count_of(const struct zw_code *precode)
{
	unsigned count = PRECODE_SYMBOL_COUNT;

	while (count > 4 && !precode->lengths[precode_order[count - 1]])
		count--;
	return count;
}

/* The three counts and the precode's lengths: what stands in front of the items. */
static void put_front(struct zw_bit_writer *bw, unsigned litlen_count, unsigned dist_count, const struct zw_code *precode, unsigned precode_count)
{
	zw_bits_append(bw, litlen_count - SYMBOL_LENGTH_FIRST, 5);
	zw_bits_append(bw, dist_count - 1, 5);
	zw_bits_append(bw, precode_count - 4, 4);
	zw_bits_spill(bw);
	for (unsigned i = 0; i < precode_count; i++) {
		zw_bits_append(bw, precode->lengths[precode_order[i]], 3);
		if (i % 16 == 15)
			zw_bits_spill(bw);
	}
	zw_bits_spill(bw);
}

void zw_code_header_make(struct zw_code_header *h, const struct zw_code *litlen, const struct zw_code *dist)
{
	uint8_t  joined[JOINED_SLOTS + 8];       /* both length arrays, then zeros: runs may cross from one into the other */
	uint16_t used[CODE_MAX_SYMBOLS + DIST_CODE_COUNT];
	uint16_t counts[PRECODE_SLOTS];

	h->litlen_count = litlen->used[litlen->used_count - 1] + 1u;
	h->dist_count = dist->used[dist->used_count - 1] + 1u;
	ZW_ASSERT(h->litlen_count >= SYMBOL_LENGTH_FIRST && h->litlen_count <= LITLEN_SYMBOL_COUNT);
	ZW_ASSERT(h->dist_count <= DIST_SYMBOL_COUNT);

	zw_copy_steps(joined, litlen->lengths, CODE_MAX_SYMBOLS);
	memset(joined + CODE_MAX_SYMBOLS, 0, sizeof joined - CODE_MAX_SYMBOLS);
	memcpy(joined + h->litlen_count, dist->lengths, DIST_CODE_COUNT);
	memcpy(used, litlen->used, litlen->used_count * sizeof used[0]);
	for (unsigned i = 0; i < dist->used_count; i++)
		used[litlen->used_count + i] = (uint16_t)(h->litlen_count + dist->used[i]);

	memset(counts, 0, sizeof counts);
	for (unsigned l = 1; l <= CODE_MAX_BITS; l++)
		counts[l] = (uint16_t)(litlen->length_counts[l] + dist->length_counts[l]);
	make_items(h, joined, used, litlen->used_count + dist->used_count, counts);

	zw_code_make(&h->precode, counts, PRECODE_SLOTS, PRECODE_MAX_BITS);
	h->precode_count = precode_count_of(&h->precode);
	h->cost_bits = HEADER_COUNTS_BITS + 3 * h->precode_count + zw_weighted_sum(counts, h->precode.lengths, PRECODE_SLOTS) +
		       zw_weighted_sum(counts, precode_extra_bits, PRECODE_SLOTS);
}

/* Four items between two spills, each with a code word of at most PRECODE_MAX_BITS and at most 7 extra bits. */
static_assert(4 * (PRECODE_MAX_BITS + 7) + 7 <= BIT_WRITER_MAX_BITS, "four items fit behind the rest of a spill");

ZW_INLINE void put_item(struct zw_bit_writer *bw, const uint32_t *words, unsigned item)
{
	uint32_t word = words[item & ITEM_SYMBOL_MASK];
	uint64_t extra = item >> ITEM_EXTRA_SHIFT;

	zw_bits_append(bw, word >> 16 | extra << (word & 63), word >> 8 & 63);
}

void zw_code_header_write(const struct zw_code_header *h, struct zw_bit_writer *writer)
{
	struct zw_bit_writer local = *writer, *bw = &local; /* whose members no store of bytes can change */
	uint16_t codes[CODE_WORDS];
	uint8_t  bits[PRECODE_SLOTS];
	uint32_t words[PRECODE_SLOTS];           /* code word << 16 | all bits << 8 | bits of the code word */
	uint16_t last[4];

	zw_code_assign(&h->precode, codes, bits);
	for (unsigned i = 0; i < h->precode.used_count; i++) {
		unsigned symbol = h->precode.used[i];

		words[symbol] = (uint32_t)codes[i] << 16 | (uint32_t)(bits[i] + precode_extra_bits[symbol]) << 8 | bits[i];
	}
	words[ITEM_PADDING] = 0;

	put_front(bw, h->litlen_count, h->dist_count, &h->precode, h->precode_count);

	for (unsigned k = 0; k < 4; k++)         /* the last one to four, padded */
		last[k] = h->item_count % 4 > k ? h->items[(h->item_count & ~3u) + k] : ITEM_PADDING;
	for (unsigned i = 0; i <= h->item_count; i += 4) {
		const uint16_t *four = i + 4 <= h->item_count ? h->items + i : last;

		put_item(bw, words, four[0]);
		put_item(bw, words, four[1]);
		put_item(bw, words, four[2]);
		put_item(bw, words, four[3]);
		zw_bits_spill(bw);
	}
	ZW_ASSERT((size_t)(bw->next - writer->next) * 8 + bw->count == writer->count + h->cost_bits);
	*writer = local;
}

/* ---- in one pass: the precode is made before the items ---------------------------------------------------------- */

/* Bits of the header: a word << PIECE_WORD_SHIFT | their count. */
struct header_pieces {
	uint32_t length[CODE_MAX_BITS + 1];
	uint32_t gap[SMALL_GAPS];                /* up to ZEROS_MAX zeros */
	uint32_t many_zeros;                     /* of more of them; their number << many_zeros_shift is still to be added */
	unsigned many_zeros_shift;
};

static_assert(SYMBOL_END_OF_BLOCK - FIRST_OF_TWO <= MANY_ZEROS_MAX && MANY_ZEROS_MAX + 1 - FIRST_OF_TWO > ZEROS_MAX, "two items are enough");
static_assert(3 * PRECODE_MAX_BITS <= 32 - PIECE_WORD_SHIFT && 2 * PRECODE_MAX_BITS + 7 <= 32 - PIECE_WORD_SHIFT,
	      "zeros and the length behind them fit one piece");

ZW_INLINE unsigned piece_bits(uint32_t piece) { return piece & 0xff; }

ZW_INLINE uint32_t join_pieces(uint32_t a, uint32_t b)
{
	return (a | b >> PIECE_WORD_SHIFT << (piece_bits(a) + PIECE_WORD_SHIFT)) + piece_bits(b);
}

ZW_INLINE uint32_t with_extra(uint32_t piece, unsigned extra, unsigned extra_bits)
{
	return join_pieces(piece, extra << PIECE_WORD_SHIFT | extra_bits);
}

ZW_INLINE void put_piece(struct zw_bit_writer *bw, uint32_t piece)
{
	zw_bits_append(bw, piece >> PIECE_WORD_SHIFT, piece_bits(piece));
	zw_bits_spill(bw);
}

static void make_pieces(struct header_pieces *p, const struct zw_code *precode)
{
	uint16_t codes[CODE_WORDS];
	uint8_t  bits[PRECODE_SLOTS];
	uint32_t of[PRECODE_SLOTS];              /* pieces of the items without their extra bits; 0: does not occur */
	unsigned gap = 3;

	zw_clear_steps(of, sizeof of);
	zw_code_assign(precode, codes, bits);
	for (unsigned i = 0; i < precode->used_count; i++)
		of[precode->used[i]] = (uint32_t)codes[i] << PIECE_WORD_SHIFT | bits[i];
	memcpy(p->length, of, sizeof p->length);
	p->many_zeros_shift = piece_bits(of[ITEM_MANY_ZEROS]) + PIECE_WORD_SHIFT;
	p->many_zeros = with_extra(of[ITEM_MANY_ZEROS], 0, precode_extra_bits[ITEM_MANY_ZEROS]) - ((ZEROS_MAX + 1) << p->many_zeros_shift);
	p->gap[0] = 0;
	p->gap[1] = of[0];
	p->gap[2] = join_pieces(of[0], of[0]);
	for (; gap <= ZEROS_MAX; gap++)
		p->gap[gap] = with_extra(of[ITEM_ZEROS], gap - RUN_MIN, precode_extra_bits[ITEM_ZEROS]);
	memset(p->gap + gap, 0, (SMALL_GAPS - gap) * sizeof p->gap[0]);
}

/* The lengths joined[] up to the last of used[0..used_count), whose lengths are not 0.
 * Why:   a branch for wide gaps would be taken two or three times a header, unforeseen each time; so both kinds of zeros are prepared
 *        and one is selected. Pieces are added whole to the count, whose low byte is what shifts use, as in the encoder (M37, M46). */
static void write_lengths(struct zw_bit_writer *writer, const struct header_pieces *p, const uint8_t *joined, const uint16_t *used,
			  unsigned used_count)
{
	struct zw_bit_writer bw = *writer;
	unsigned end = 0;                        /* joined[0..end) is described */

	for (unsigned i = 0; i < used_count; i++) {
		unsigned at = used[i], gap = at - end, sum;
		uint32_t zeros, length = p->length[joined[at]];

		if (ZW_UNLIKELY(gap > MANY_ZEROS_MAX)) { /* at most once: the end-of-block always has a length */
			put_piece(&bw, p->many_zeros + (FIRST_OF_TWO << p->many_zeros_shift));
			gap -= FIRST_OF_TWO;
		}
		zeros = zw_select(gap > ZEROS_MAX, p->many_zeros + (gap << p->many_zeros_shift), p->gap[gap % SMALL_GAPS]);
		ZW_ASSERT(piece_bits(length) && (piece_bits(zeros) || !gap));
		bw.hold |= (uint64_t)(zeros >> PIECE_WORD_SHIFT) << bw.count;
		sum = bw.count + zeros;
		bw.hold |= (uint64_t)(length >> PIECE_WORD_SHIFT) << (sum & 63);
		sum += length;
		zw_store_le64(bw.next, bw.hold);
		bw.next += sum >> 3 & 7;
		bw.hold >>= sum & 56;
		bw.count = sum & 7;
		end = at + 1;
	}
	*writer = bw;
}

/* zw_header_write_once() - zw_code_header_make() lists the items, counts them and makes their code. Here no length is repeated by an item:
 * how often each item occurs is then known without a list, from the counts of lengths and of gaps between used symbols, so that the
 * code comes first and the items are written as they are found.
 * Why:   what repeats save is .02 % of a body of 4 KB (M46). */
void zw_header_write_once(struct zw_written_header *h, const struct zw_code *litlen, const struct zw_code *dist)
{
	uint8_t  joined[JOINED_SLOTS + 8];       /* both length arrays: the distances' follow the last litlen symbol in use */
	uint16_t used[1 + CODE_MAX_SYMBOLS + DIST_CODE_COUNT + 8]; /* one before the first, and zeros behind the last */
	uint16_t counts[PRECODE_SLOTS] = { 0 };
	unsigned used_count = litlen->used_count + dist->used_count;
	unsigned litlen_count = litlen->used[litlen->used_count - 1] + 1u, dist_count = dist->used[dist->used_count - 1] + 1u;
	struct zw_gap_counts gaps;
	struct zw_code precode;
	struct header_pieces pieces;
	struct zw_bit_writer bw = { 0, 0, h->bytes };

	ZW_ASSERT(litlen_count >= SYMBOL_LENGTH_FIRST && litlen_count <= LITLEN_SYMBOL_COUNT && dist_count <= DIST_SYMBOL_COUNT);
	zw_copy_steps(joined, litlen->lengths, CODE_MAX_SYMBOLS);
	memcpy(joined + litlen_count, dist->lengths, DIST_CODE_COUNT);
	used[0] = UINT16_MAX;
	memcpy(used + 1, litlen->used, litlen->used_count * sizeof used[0]);
	for (unsigned i = 0; i < dist->used_count; i++)
		used[1 + litlen->used_count + i] = (uint16_t)(litlen_count + dist->used[i]);
	memset(used + 1 + used_count, 0, 8 * sizeof used[0]);

	for (unsigned l = 1; l <= CODE_MAX_BITS; l++)
		counts[l] = (uint16_t)(litlen->length_counts[l] + dist->length_counts[l]);
	gaps = zw_count_gaps(used, used_count);
	counts[0] = (uint16_t)(gaps.of_1 + gaps.of_2 - 2 * gaps.of_3);
	counts[ITEM_ZEROS] = (uint16_t)(gaps.of_3 - gaps.of_11);
	counts[ITEM_MANY_ZEROS] = (uint16_t)gaps.of_11;
	zw_code_round(&precode, counts, PRECODE_SLOTS, PRECODE_MAX_BITS);
	make_pieces(&pieces, &precode);
	put_front(&bw, litlen_count, dist_count, &precode, precode_count_of(&precode));
	write_lengths(&bw, &pieces, joined, used + 1, used_count);
	zw_store_le64(bw.next, bw.hold);
	h->bits = (unsigned)(bw.next - h->bytes) * 8 + bw.count;
	ZW_ASSERT(h->bits <= HEADER_MAX_BITS);
}

void zw_header_put_written(const struct zw_written_header *h, struct zw_bit_writer *writer)
{
	struct zw_bit_writer bw = *writer;

	for (unsigned i = 0; i < h->bits; i += PUT_BITS) {
		unsigned n = h->bits - i < PUT_BITS ? h->bits - i : PUT_BITS;

		zw_bits_append(&bw, zw_load_le64(h->bytes + i / 8) & ((UINT64_C(1) << n) - 1), n);
		zw_bits_spill(&bw);
	}
	*writer = bw;
}
