/* SPDX-License-Identifier: Zlib */
/* code_lengths.c - Huffman code lengths from counts, limited, without building a tree.
 * Takes: symbol counts.  Gives: lengths, used symbols, symbols per length.  Then: code_header.c, block_tables.c
 *
 * 1. Used symbols are put into buckets by a logarithmic key; inside a bucket (counts within 6 %) they stay as they are,
 *    but for one pass over the heaviest: sorting the rest would gain 0.001 % of size.
 * 2. The two-queue merge: leaves in ascending order in one queue, the internal nodes, which come into being in ascending
 *    order, in the other; each step joins the two lightest heads.
 * 3. The internal nodes of one depth are contiguous in creation order, so the number of leaves of each depth follows from
 *    how many internal nodes had been consumed when each one was created: no parents, no pass over the nodes.
 * 4. A tree deeper than the limit is given up for package-merge.
 * 5. The rarest symbols get the longest codes. */
#include "deflate/code_lengths.h"

#include "base/bytes.h"
#include "base/check.h"
#include "deflate/count_vectors.h"

#include <stdbool.h>
#include <string.h>

#define WORK_SLOTS (CODE_MAX_SYMBOLS + 8u)   /* two sentinels behind the last, rounded up to 4, twice */
#define HEAVY_LEAVES 12u                     /* whose order can cost more than 0.1 % */
#define SORT_EXACT_BELOW 32u                 /* counts with a key of their own */
#define NODE_SENTINEL 0x3fffffffu            /* heavier than any sum of counts; two of them still fit 32 bits */

struct merge_work {
	uint32_t leaves[WORK_SLOTS];             /* count << 16 | symbol, ascending by key */
	uint32_t weights[WORK_SLOTS];            /* the counts of leaves, then sentinels */
	uint32_t nodes[WORK_SLOTS];              /* the weights of the internal nodes, then sentinels */
	uint16_t consumed[WORK_SLOTS];           /* internal nodes consumed before this one was created */
};

void zw_code_draft(struct zw_code *code)
{
	unsigned only = code->used_count ? code->used[0] : 0;
	unsigned drafted = only ? 0 : 1;

	code->lengths[only] = code->lengths[drafted] = 1;
	code->used[0] = (uint16_t)(only < drafted ? only : drafted);
	code->used[1] = (uint16_t)(only < drafted ? drafted : only);
	code->used_count = 2;
	code->length_counts[1] = 2;
}

/* One pass of a bubble sort over leaves[first..end): selects, no branch. */
static void bubble_up(uint32_t *leaves, unsigned first, unsigned end)
{
	uint32_t heaviest = leaves[first];

	for (unsigned i = first + 1; i < end; i++) {
		uint32_t leaf = leaves[i];

		leaves[i - 1] = heaviest < leaf ? heaviest : leaf;
		heaviest = heaviest < leaf ? leaf : heaviest;
	}
	leaves[end - 1] = heaviest;
}

/* Sorts all leaves by count; they are sorted but for the order inside the buckets. */
static void finish_sorting(uint32_t *leaves, unsigned count)
{
	for (unsigned i = 1; i < count; i++) {
		uint32_t leaf = leaves[i];
		unsigned k = i;

		for (; k && leaves[k - 1] >> 16 > leaf >> 16; k--)
			leaves[k] = leaves[k - 1];
		leaves[k] = leaf;
	}
}

/* Sets code->used and used_count, and sorts the used symbols into leaves if there are two or more. */
static void sort_leaves(struct zw_code *code, const uint16_t *counts, unsigned symbol_count, struct merge_work *work)
{
	uint8_t keys[CODE_MAX_SYMBOLS];
	uint64_t used[(CODE_MAX_SYMBOLS + 63) / 64];
	uint16_t buckets[2][SORT_KEY_COUNT];     /* even and odd symbols: halves the chains of loads after stores */
	unsigned largest = zw_sort_keys(counts, symbol_count, keys, used);
	unsigned m = 0, i;

	zw_clear_steps(buckets[0], ((largest | 7) + 1) * sizeof buckets[0][0]);
	zw_clear_steps(buckets[1], ((largest | 7) + 1) * sizeof buckets[1][0]);
	for (unsigned word = 0; word * 64 < symbol_count; word++) {
		for (uint64_t bits = used[word]; bits; bits &= bits - 1) {
			unsigned symbol = word * 64 + zw_lowest_bit64(bits);

			buckets[m & 1][keys[symbol]]++;
			code->used[m++] = (uint16_t)symbol;
		}
	}
	code->used_count = m;
	if (m < 2) {
		memset(work->leaves, 0, 4 * sizeof work->leaves[0]);
		return;
	}
	zw_bucket_starts(buckets[0], buckets[1], largest);
	for (i = 0; i + 1 < m; i += 2) {
		unsigned even = code->used[i], odd = code->used[i + 1];

		work->leaves[buckets[0][keys[even]]++] = (uint32_t)counts[even] << 16 | even;
		work->leaves[buckets[1][keys[odd]]++] = (uint32_t)counts[odd] << 16 | odd;
	}
	if (i < m)
		work->leaves[buckets[0][keys[code->used[i]]]++] = (uint32_t)counts[code->used[i]] << 16 | code->used[i];
	memset(work->leaves + m, 0, 5 * sizeof work->leaves[0]); /* read when two sentinels are rounded up to 4 */
	bubble_up(work->leaves, m > HEAVY_LEAVES ? m - HEAVY_LEAVES : 0, m);
}

/* Where the merge of one code is. */
struct merge_heads {
	const uint32_t *leaf, *node;
	unsigned made;                           /* internal nodes so far */
};

/* Prepares a merge and makes the first internal nodes: while the second of two leaves is no heavier than the first node,
 * nodes are pairs of leaves.  Nothing waits for the one before.
 * Only of counts that leaves are exactly sorted by: merge_node() would make the same ones. */
static struct merge_heads begin_merge(struct merge_work *work, unsigned used_count)
{
	const uint32_t *weights = work->weights;
	unsigned made = 0, first;

	zw_split_entries(work->leaves, used_count + 2, work->weights, work->nodes, NODE_SENTINEL);
	work->weights[used_count] = work->weights[used_count + 1] = NODE_SENTINEL;
	first = weights[0] + weights[1];
	if (first >= SORT_EXACT_BELOW)
		first = SORT_EXACT_BELOW - 1;
	for (; weights[2 * made + 1] <= first; made++) {
		work->nodes[made] = weights[2 * made] + weights[2 * made + 1];
		work->consumed[made] = 0;
	}
	return (struct merge_heads){ weights + 2 * made, work->nodes, made };
}

/* Makes one internal node of the lightest pair, which is two leaves, one of each, or two nodes: selects, no branch. */
ZW_INLINE void merge_node(struct merge_work *work, struct merge_heads *heads)
{
	uint32_t leaf0 = heads->leaf[0], leaf1 = heads->leaf[1], node0 = heads->node[0], node1 = heads->node[1];
	size_t two_leaves = leaf1 <= node0, two_nodes = node1 < leaf0;
	uint32_t with_leaf = leaf0 + (leaf1 < node0 ? leaf1 : node0), without = node0 + node1;

	work->consumed[heads->made] = (uint16_t)(heads->node - work->nodes);
	heads->leaf += 1 + two_leaves - two_nodes;
	heads->node += 1 + two_nodes - two_leaves;
	work->nodes[heads->made++] = with_leaf < without ? with_leaf : without;
}

/* Joins the used_count leaves pairwise; fills consumed[0..used_count - 1). */
static void merge_nodes(struct merge_work *work, unsigned used_count)
{
	struct merge_heads heads = begin_merge(work, used_count);

	while (heads.made + 1 < used_count)
		merge_node(work, &heads);
}

/* Two codes side by side: a merge waits for its own loads and compares, so the smaller one costs hardly anything.
 * A code of fewer than two leaves has nothing to merge. */
static void merge_both(struct merge_work *large, unsigned large_count, struct merge_work *small, unsigned small_count)
{
	struct merge_heads large_heads = begin_merge(large, large_count), small_heads = begin_merge(small, small_count);

	while (small_heads.made + 1 < small_count && large_heads.made + 1 < large_count) {
		merge_node(large, &large_heads);
		merge_node(small, &small_heads);
	}
	while (small_heads.made + 1 < small_count)
		merge_node(small, &small_heads);
	while (large_heads.made + 1 < large_count)
		merge_node(large, &large_heads);
}

/* Counts the leaves of each depth up to limit_bits.  Returns the greatest depth, which may be above. */
static unsigned count_depths(struct zw_code *code, const struct merge_work *work, unsigned limit_bits)
{
	unsigned first = code->used_count - 2;   /* first internal node of this depth; the root is the last created */
	unsigned inner_count = 1, depth = 0;

	do {                                     /* the children of all nodes of one depth */
		unsigned next_first = work->consumed[first];
		unsigned next_inner_count = first - next_first;

		ZW_ASSERT(next_first <= first && next_inner_count <= 2 * inner_count);
		depth++;
		code->length_counts[depth > limit_bits ? limit_bits : depth] += 2 * inner_count - next_inner_count;
		first = next_first;
		inner_count = next_inner_count;
	} while (inner_count);
	return depth;
}

/* limit_lengths() - the best length_counts with no code over limit_bits, by package-merge (Larmore and Hirschberg).
 * A list holds, in ascending order of weight, all leaves and all pairs of neighbours in the list before; there is one list
 * for each bit.  The first 2 * used_count - 2 entries of the last list are taken, which takes the first entries of the list
 * before, and so on; a code has as many bits as there are lists from which its leaf was taken.
 * Why: clamping the lengths and repairing the Kraft sum was 0.12 % longer on Fibonacci counts.  This takes 7 K cycles for 20
 *      symbols and 100 K for 286, but only where the tree is too deep. */
static ZW_COLD void limit_lengths(struct zw_code *code, struct merge_work *work, unsigned limit_bits)
{
	uint8_t is_leaf[CODE_MAX_BITS][2 * CODE_MAX_SYMBOLS];
	uint32_t lists[2][2 * CODE_MAX_SYMBOLS]; /* the one before and the new one, each with two sentinels behind */
	unsigned leaf_count = code->used_count, list_count = 0, taken = 2 * leaf_count - 2;
	unsigned with_bits[CODE_MAX_BITS + 2];   /* leaves of at least so many bits */

	finish_sorting(work->leaves, leaf_count);
	zw_split_entries(work->leaves, leaf_count + 2, work->weights, work->nodes, NODE_SENTINEL);
	work->weights[leaf_count] = lists[0][0] = lists[0][1] = NODE_SENTINEL;
	for (unsigned level = 0; level < limit_bits; level++) {
		const uint32_t *before = lists[level & 1], *leaf = work->weights;
		uint32_t *list = lists[~level & 1];
		unsigned count = leaf_count + list_count / 2;

		list_count = count < taken ? count : taken;
		for (unsigned i = 0; i < list_count; i++) {
			uint32_t pair = before[0] + before[1];
			size_t take_leaf = *leaf <= pair;

			is_leaf[level][i] = (uint8_t)take_leaf;
			list[i] = take_leaf ? *leaf : pair;
			leaf += take_leaf;
			before += 2 * (1 - take_leaf);
		}
		list[list_count] = list[list_count + 1] = NODE_SENTINEL;
	}
	for (unsigned level = limit_bits; level--; ) {
		unsigned leaves_taken = 0;

		for (unsigned i = 0; i < taken; i++)
			leaves_taken += is_leaf[level][i];
		with_bits[limit_bits - level] = leaves_taken;
		taken = 2 * (taken - leaves_taken);
	}
	with_bits[limit_bits + 1] = 0;
	for (unsigned l = 1; l <= limit_bits; l++) {
		ZW_ASSERT(with_bits[l] >= with_bits[l + 1]);
		code->length_counts[l] = with_bits[l] - with_bits[l + 1];
	}
}

/* Leaves in ascending order of count get their lengths in descending order. */
static void hand_out_lengths(struct zw_code *code, const struct merge_work *work, unsigned longest)
{
	uint8_t by_rank[CODE_MAX_SYMBOLS + 8];
	unsigned rank = 0;

	for (unsigned l = longest; l; l--) {
		for (unsigned k = 0; k < code->length_counts[l]; k += 8)
			zw_store_le64(by_rank + rank + k, UINT64_C(0x0101010101010101) * l);
		rank += code->length_counts[l];
	}
	ZW_ASSERT(rank == code->used_count);
	for (unsigned i = 0; i < code->used_count; i++)
		code->lengths[work->leaves[i] & 0xffff] = by_rank[i];
}

/* For ZW_ASSERT. */
ZW_INLINE bool counts_in_range(const uint16_t *counts, unsigned symbol_count)
{
	while (symbol_count && counts[symbol_count - 1] <= CODE_COUNT_MAX)
		symbol_count--;
	return symbol_count == 0;
}

/* Clears code and sorts its leaves. */
static void begin_code(struct zw_code *code, const uint16_t *counts, unsigned symbol_count, struct merge_work *work)
{
	ZW_ASSERT(symbol_count % 16 == 0 && symbol_count <= CODE_MAX_SYMBOLS);
	ZW_ASSERT(counts_in_range(counts, symbol_count));
	zw_clear_steps(code->lengths, symbol_count);
	memset(code->length_counts, 0, sizeof code->length_counts);
	sort_leaves(code, counts, symbol_count, work);
}

/* Lengths from the merged nodes. */
static void finish_code(struct zw_code *code, struct merge_work *work, unsigned limit_bits)
{
	unsigned depth;

	ZW_ASSERT(limit_bits <= CODE_MAX_BITS && code->used_count <= 1u << limit_bits);
	if (code->used_count < 2) {
		zw_code_draft(code);
		return;
	}
	depth = count_depths(code, work, limit_bits);
	if (depth > limit_bits) {
		limit_lengths(code, work, limit_bits);
		depth = limit_bits;
	}
	hand_out_lengths(code, work, depth);
}

void zw_code_make(struct zw_code *code, const uint16_t *counts, unsigned symbol_count, unsigned limit_bits)
{
	struct merge_work work;

	begin_code(code, counts, symbol_count, &work);
	if (code->used_count >= 2)
		merge_nodes(&work, code->used_count);
	finish_code(code, &work, limit_bits);
}

void zw_code_make_both(struct zw_code *litlen, const uint16_t *litlen_counts, struct zw_code *dist, const uint16_t *dist_counts)
{
	struct merge_work large, small;

	begin_code(litlen, litlen_counts, CODE_MAX_SYMBOLS, &large);
	begin_code(dist, dist_counts, DIST_CODE_COUNT, &small);
	merge_both(&large, litlen->used_count, &small, dist->used_count);
	finish_code(litlen, &large, LITLEN_LIMIT_BITS);
	finish_code(dist, &small, DIST_CODE_MAX_BITS);
}

/* Reverses the bits of four 16-bit words. */
static uint64_t reverse_words(uint64_t v)
{
	v = (v >> 1 & UINT64_C(0x5555555555555555)) | (v & UINT64_C(0x5555555555555555)) << 1;
	v = (v >> 2 & UINT64_C(0x3333333333333333)) | (v & UINT64_C(0x3333333333333333)) << 2;
	v = (v >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)) | (v & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4;
	return (v >> 8 & UINT64_C(0x00ff00ff00ff00ff)) | (v & UINT64_C(0x00ff00ff00ff00ff)) << 8;
}

void zw_code_assign(const struct zw_code *code, uint16_t *codes, uint8_t *bits)
{
	uint16_t next[CODE_MAX_BITS + 1];        /* the next code of each length, left-justified in 16 bits */
	unsigned first = 0;

	for (unsigned l = 1; l <= CODE_MAX_BITS; l++) {
		next[l] = (uint16_t)first;
		first += code->length_counts[l] << (16 - l);
	}
	ZW_ASSERT(first == 0x10000);             /* complete, neither over- nor under-full */
	for (unsigned i = 0; i < code->used_count; i++) {
		unsigned l = code->lengths[code->used[i]];

		bits[i] = (uint8_t)l;
		codes[i] = next[l];
		next[l] = (uint16_t)(next[l] + (0x10000u >> l));
	}
	memset(codes + code->used_count, 0, 4 * sizeof codes[0]);
	for (unsigned i = 0; i < code->used_count; i += 4) {
		uint64_t four;

		memcpy(&four, codes + i, sizeof four);
		four = reverse_words(four);          /* each word by itself: the byte order does not matter */
		memcpy(codes + i, &four, sizeof four);
	}
}
