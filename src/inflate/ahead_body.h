/* SPDX-License-Identifier: Zlib */
/* ahead_body.h - the hot loop of inflate for most blocks: eight look-ups ahead of what is written, with AVX2 and BMI2.
 * Takes: bits, the tables of ahead_entry.h.  Gives: bytes in the window.  Never: allocates, looks at the stream's state.
 *
 *   look up batch 4, writing batch 1 | take 3 | look up 5, writing 2 | take 4 | look up 6, writing 3 | take 5 | ...
 *
 * A look-up needs the entry before it and nothing else: whether that was a literal, a length or a distance is no branch, because the
 * entry says from which table the next one comes.  It takes six cycles, of which the processor needs two; so between the look-ups
 * stands what is written, of a batch that has been taken (ahead_take.h) so long before that nothing of it is waited for.
 * SPEED(M34, M35): a third less time than with symbol_body.h where the predictor has not learnt the body, and no more where it has. */
#ifndef ZW_INFLATE_AHEAD_BODY_H
#define ZW_INFLATE_AHEAD_BODY_H

#include "inflate/ahead_take.h"

#include <stddef.h>

#if ZW_ARCH_X86
#define AHEAD_MADE_BYTES (AHEAD_LOOKUPS * MATCH_MAX_BYTES + AHEAD_COPY_SLACK_BYTES)
#define AHEAD_MAX_BITS (AHEAD_LOOKUPS / 2 * (LITLEN_CODE_MAX_BITS + LENGTH_EXTRA_MAX_BITS + DIST_CODE_MAX_BITS + DIST_EXTRA_MAX_BITS))

static_assert(AHEAD_MAX_BITS <= 8 * AHEAD_MIN_BYTES, "of this much true input the first batch is true");
static_assert(AHEAD_MIN_BYTES + 3 * REFILL_READ_BYTES <= AHEAD_IN_BYTES, "and what the bits before it have taken, and a read behind it");
static_assert(LONG_STEP_BYTES == 32, "the instructions below move as much");

struct ahead_out {
	uint8_t       *next;
	uint8_t       *stop;                     /* no symbol begins here or behind */
	const uint8_t *history;
	unsigned       reason;                   /* enum zw_symbol_stop */
};

/* ---- looking ahead -------------------------------------------------------------------------------------------------- */

/* A special entry before which a batch ended.  True: it was a link, and *entry is the symbol that it leads to.  False: *entry is no
 * symbol, and drops the bits of a link that led to it; b is as it was. */
ZW_INLINE bool ahead_follow(const struct zw_ahead_tables *tables, uint32_t *entry, struct loop_bits *b)
{
	struct loop_bits behind = *b;
	uint32_t found;

	if (!zw_ahead_is_link(*entry))
		return false;
	loop_drop(&behind, *entry);
	loop_fill(&behind, true);
	found = tables->entry[zw_second_index(*entry, behind.hold >> INDEX_SHIFT)];
	if (found & AHEAD_SPECIAL) {
		*entry = found + AHEAD_ROOT_BITS;
		return false;
	}
	*entry = found | AHEAD_LINKED;
	*b = behind;
	return true;
}

/* Makes a whole batch of its first count look-ups: the others make nothing, and a length that waits for its distance is the last. */
ZW_INLINE void ahead_pad(struct ahead_batch *a, unsigned count)
{
	unsigned last = count - 1;

	for (unsigned i = count; i < AHEAD_LOOKUPS; i++)
		a->entry[i] = 0;
	if (a->entry[last] & AHEAD_LENGTH) {
		a->hold[AHEAD_LOOKUPS / 2 - 1] = a->hold[last / 2] >> (last % 2 ? zw_entry_bits(a->entry[last - 1]) : 0);
		a->entry[AHEAD_LOOKUPS - 1] = a->entry[last];
		a->entry[last] = 0;
	}
}

/* SPEED(M45): of a memset() gcc makes REP STOS, half a per cent of a body of 2 KB. */
AHEAD_TARGET
ZW_INLINE void clear_batch(struct ahead_batch *a)
{
	for (unsigned char *at = (unsigned char *)a; at < (unsigned char *)(a + 1); at += sizeof(__m256i)) {
		store_lanes(at, _mm256_setzero_si256());
		ZW_FORGET(at);
	}
}

ZW_INLINE bool is_empty(const struct ahead_batch *a) { return !(a->entry[0] | a->entry[AHEAD_LOOKUPS - 1]); }

/* ---- writing -------------------------------------------------------------------------------------------------------- */

ZW_INLINE void put_literals_behind(uint8_t *out, const struct ahead_batch *a, unsigned m)
{
	zw_store_le64(out + a->match[m].end, a->literals >> (a->match[m].bits_behind & 63));
}

/* Matches from first on of a batch that is not unusual: what the loop does, in C. */
AHEAD_TARGET
ZW_INLINE void write_matches(uint8_t *out, const struct ahead_batch *a, unsigned first)
{
	for (unsigned m = first; m < ahead_match_count(a); m++) {
		const uint8_t *from = out + a->match[m].from;
		uint8_t *to = out + a->match[m].begin;

		*(zw_long_step *)to = *(const zw_long_step *)from;
		for (; a->match[m].longer && to + LONG_STEP_BYTES < out + a->match[m].end; to += LONG_STEP_BYTES, from += LONG_STEP_BYTES)
			*(zw_long_step *)(to + LONG_STEP_BYTES) = *(const zw_long_step *)(from + LONG_STEP_BYTES);
		put_literals_behind(out, a, m);
	}
}

/* Writes a batch whole, or up to the symbol that reaches o->stop, or whose distance is too large.  Returns how many look-ups; that a
 * last length waits for its distance is not counted. */
static ZW_NOINLINE unsigned write_batch(struct ahead_out *o, const struct ahead_batch *a)
{
	uint8_t *const out = o->next;
	uint8_t *next = out;
	unsigned at = 0;

	zw_store_le64(out, a->literals);
	for (unsigned m = 0; m < ahead_match_count(a); m++) {
		uint8_t *to = out + a->match[m].begin;
		size_t distance = (size_t)((int32_t)a->match[m].begin - a->match[m].from);

		if (to >= o->stop)
			break;
		at = a->match[m].bits_behind / 8;
		if (distance > (size_t)(to - o->history)) {
			o->reason = ZW_SYMBOLS_TOO_FAR;
			o->next = to;
			return at;
		}
		next = out + a->match[m].end;
		zw_copy_match(to, distance, (size_t)(next - to));
		put_literals_behind(out, a, m);
	}
	if (out + a->total_bytes < o->stop) {
		o->next = out + a->total_bytes;
		return AHEAD_LOOKUPS;
	}
	if (o->stop > next) {
		at += (unsigned)(o->stop - next);
		next = o->stop;
	}
	o->next = next;
	return at;
}

ZW_INLINE bool batch_fits(const struct ahead_batch *a, const struct ahead_out *o)
{
	return !a->too_far && a->total_bytes < (size_t)(o->stop - o->next);
}

/* ---- both -----------------------------------------------------------------------------------------------------------
 * As instructions: a compiler has too many variables beside them, keeps some of those in memory that the next look-up waits for, and
 * every such wait is a tenth of the time of a batch (M35). */

/* Look-up i: writes the entry down, drops its bits, and takes the next one. */
#define AHEAD_LOOK_UP(i) \
	"movl %k[entry], 4*" #i "+%c[entries](%[look])\n\t" \
	"shrx %[entry], %[hold], %[hold]\n\t" \
	"subl %k[entry], %k[count]\n\t" \
	"andl %[length], %k[entry]\n\t" \
	"addq %[tables], %[entry]\n\t" \
	"andn %[hold], %[not_index], %[t]\n\t" \
	"movl (%[t],%[entry]), %k[entry]\n\t"

#define AHEAD_KEEP_HOLD(i) "movq %[hold], 8*" #i "+%c[holds](%[look])\n\t"

/* Fill i, behind two look-ups: next is AHEAD_FILL_BYTES * i less than where it reads. */
#define AHEAD_FILL_BYTES 7
#define AHEAD_FILL(i) \
	"shlx %q[count], %c[fill]*" #i "(%[next]), %[t]\n\t" \
	"orq %[t], %[hold]\n\t" \
	"bextr %[whole_bytes], %q[count], %[t]\n\t" \
	"subq %[t], %[next]\n\t" \
	"orl %[min], %k[count]\n\t"

#define AHEAD_END_IF_SPECIAL(i) \
	"testl %[special], %k[entry]\n\t" \
	"jnz 10" #i "f\n\t"
#define AHEAD_ENDED_AT(i) \
	"10" #i ": movl $" #i ", %k[t]\n\t" \
	"jmp 200f\n\t"

/* Match i, if there is one: one step, and the literals behind it. */
#define AHEAD_WRITE(i) \
	"cmpl $8*" #i "+7, %c[matches](%[write])\n\t" \
	"jbe 1f\n\t" \
	"movswq 8*" #i "+%c[match](%[write]), %[t]\n\t" \
	"vmovdqu (%[out],%[t]), %%ymm0\n\t" \
	"movzwl 8*" #i "+2+%c[match](%[write]), %k[t]\n\t" \
	"vmovdqu %%ymm0, (%[out],%[t])\n\t" \
	"testb %[longer], 8*" #i "+7+%c[match](%[write])\n\t" \
	"jnz 30" #i "f\n" \
	"40" #i ":\n\t" \
	"movzbl 8*" #i "+6+%c[match](%[write]), %k[t]\n\t" \
	"movzwl 8*" #i "+4+%c[match](%[write]), %k[u]\n\t" \
	"shrx %[t], %c[literals](%[write]), %[t]\n\t" \
	"movq %[t], (%[out],%[u])\n" \
	"1:\n\t"

/* Its other steps, two at a time. */
#define AHEAD_WRITE_LONG(i) \
	"30" #i ":\n\t" \
	"movswq 8*" #i "+%c[match](%[write]), %[u]\n\t" \
	"addq $32, %[u]\n\t" \
	"addq $32, %[t]\n" \
	"50" #i ":\n\t" \
	"vmovdqu (%[out],%[u]), %%ymm0\n\t" \
	"vmovdqu 32(%[out],%[u]), %%ymm1\n\t" \
	"vmovdqu %%ymm0, (%[out],%[t])\n\t" \
	"vmovdqu %%ymm1, 32(%[out],%[t])\n\t" \
	"addq $64, %[u]\n\t" \
	"addq $64, %[t]\n\t" \
	"cmpw %w[t], 8*" #i "+4+%c[match](%[write])\n\t" \
	"ja 50" #i "b\n\t" \
	"jmp 40" #i "b\n\t"

/* What the instructions take for granted of a batch that they write. */
ZW_INLINE void check_usual(const struct ahead_batch *a, const struct ahead_out *o)
{
	ZW_ASSERT(ahead_match_count(a) <= AHEAD_LOOKUPS && a->total_bytes < (size_t)(o->stop - o->next));
	for (unsigned m = 0; m < ahead_match_count(a); m++)
		ZW_ASSERT(a->match[m].begin < a->match[m].end && a->match[m].end <= a->total_bytes && a->match[m].from < a->match[m].begin &&
			  a->match[m].from >= o->history - o->next);
}

static const struct ahead_batch nothing;

/* Of look-ups first to AHEAD_LOOKUPS. */
ZW_INLINE unsigned bits_from(const struct ahead_batch *a, unsigned first)
{
	unsigned bits = 0;

	for (unsigned i = first; i < AHEAD_LOOKUPS; i++)
		bits += zw_entry_bits(a->entry[i]) + (a->entry[i] & AHEAD_LINKED ? AHEAD_ROOT_BITS : 0);
	return bits;
}

/* What the loop reads: the caller's input nearly to its end, and then a copy of what is left, with zeros behind it. */
struct ahead_input {
	const uint8_t *last;                     /* where a batch may begin */
	const uint8_t *begin, *caller_begin;     /* begin[0] is a copy of caller_begin[0], or the same */
	uint8_t tail[2 * AHEAD_IN_BYTES];
};

ZW_INLINE void begin_input(struct ahead_input *in, const struct zw_symbol_run *run)
{
	in->begin = in->caller_begin = run->br.next;
	in->last = zw_bits_left_bytes(&run->br) < AHEAD_IN_BYTES ? run->br.next : run->br.end - AHEAD_IN_BYTES;
}

ZW_INLINE bool is_in_tail(const struct ahead_input *in) { return in->begin == in->tail; }

/* Where next goes on; at most AHEAD_IN_BYTES are left. */
ZW_INLINE const uint8_t *enter_tail(struct ahead_input *in, const uint8_t *next, const uint8_t *end)
{
	size_t bytes = (size_t)(end - next);

	ZW_ASSERT(!is_in_tail(in) && bytes <= AHEAD_IN_BYTES);
	memcpy(in->tail, next, bytes);
	memset(in->tail + bytes, 0, AHEAD_IN_BYTES);
	in->caller_begin = next;
	in->begin = in->tail;
	in->last = in->tail + bytes;
	return in->tail;
}

/* Goes back by so many bits of look-ups that b is behind. */
ZW_INLINE void end_ahead(struct zw_symbol_run *run, const struct ahead_input *in, const struct loop_bits *b, unsigned bits)
{
	const uint8_t *next;

	bits += (b->count & 63) - INDEX_SHIFT;
	next = in->caller_begin + ((b->next - in->begin) - (ptrdiff_t)(bits >> 3));
	if (next == run->br.next) {
		run->br.hold >>= run->br.count - (bits & 7); /* not even a byte was taken */
	} else {
		run->br.next = next;
		run->br.hold = bits & 7 ? (uint64_t)next[-1] >> (8 - (bits & 7)) : 0;
	}
	run->br.count = bits & 7;
}

/* Writes what has been looked up and not been written, oldest first; the youngest is not taken.  symbol: *entry behind them is no symbol,
 * if ends.  Returns by how many bits to go back. */
AHEAD_TARGET
ZW_INLINE unsigned write_rest(struct ahead_out *o, struct ahead_batch *const rest[3], __m256i values, bool ends, uint32_t entry)
{
	const struct ahead_batch *last = rest[0];
	unsigned bits = 0, count;

	for (unsigned i = 0; i < 3; i++) {
		if (i == 2)
			take_batch(rest[i], values, (int32_t)(o->history - o->next));
		count = write_batch(o, rest[i]);
		if (count < AHEAD_LOOKUPS || o->next >= o->stop || o->reason == ZW_SYMBOLS_TOO_FAR) {
			for (bits = bits_from(rest[i], count); ++i < 3;)
				bits += bits_from(rest[i], 0);
			return bits;
		}
		if (!is_empty(rest[i]))
			last = rest[i];
	}
	if (!ends)
		return last->entry[AHEAD_LOOKUPS - 1] & AHEAD_LENGTH ? bits_from(last, AHEAD_LOOKUPS - 1) : 0;
	if (last->entry[AHEAD_LOOKUPS - 1] & AHEAD_LENGTH)
		o->reason = ZW_SYMBOLS_BAD_DISTANCE;
	else
		o->reason = entry & AHEAD_INVALID ? ZW_SYMBOLS_BAD_LITLEN : ZW_SYMBOLS_END_OF_BLOCK;
	return 0;
}

/* decode_ahead() - see enum zw_symbol_stop for how it ends; ZW_SYMBOLS_BOUND also where little input is left.
 * Entry: br.count < 8; out < out_stop, AHEAD_OUT_BYTES writable from out_stop; AHEAD_MIN_BYTES of input or more.
 * Exit:  br.count < 8; a symbol that ends the loop has been taken; nothing behind br.end has, nor has it been read. */
AHEAD_TARGET
ZW_INLINE unsigned decode_ahead_body(struct zw_symbol_run *run)
{
	const struct zw_ahead_tables *const tables = run->ahead_tables;
	struct ahead_batch batches[4], *write = batches, *taken = batches + 1, *take = batches + 2, *look = batches + 3;
	struct ahead_out o = { run->out, run->out_stop, run->history, ZW_SYMBOLS_BOUND }, rest;
	struct ahead_input in;
	struct loop_bits b = { run->br.hold << INDEX_SHIFT, run->br.count + INDEX_SHIFT, run->br.next };
	__m256i values = _mm256_setzero_si256();
	const uint64_t not_index = ~((uint64_t)tables->index_mask << INDEX_SHIFT);
	unsigned bits = 0;
	bool ends = false;
	/* In registers for good. */
	register uint64_t entry __asm__("r12"), hold __asm__("r13"), count __asm__("r14");
	register const uint8_t *next __asm__("r15");

	ZW_ASSERT(run->br.count < 8 && run->out < run->out_stop && run->br.end - run->br.next >= AHEAD_MIN_BYTES);
	begin_input(&in, run);
	for (unsigned i = 0; i < 3; i++)         /* the last one is looked up first */
		clear_batch(&batches[i]);
	loop_fill(&b, true);
	entry = tables->entry[b.hold >> INDEX_SHIFT & tables->index_mask];
	hold = b.hold;
	count = b.count;
	next = b.next;
	for (;;) {
		const struct ahead_batch *usual = write;
		uint8_t *const out = o.next;
		uint64_t t, u;

		if (ZW_UNLIKELY(next > in.last)) {
			if (is_in_tail(&in)) {
				bits = bits_from(take, 0); /* these may be no input */
				clear_batch(take);
				break;
			}
			next = enter_tail(&in, next, run->br.end);
		}
		if (!batch_fits(write, &o))
			break;
		if (ZW_UNLIKELY(entry & AHEAD_SPECIAL)) {
			uint32_t special = (uint32_t)entry;

			b = (struct loop_bits){ hold, (uint32_t)count, next };
			ends = !ahead_follow(tables, &special, &b);
			entry = special;
			if (ends)
				break;
			hold = b.hold;
			count = b.count;
			next = b.next;
		}
		if (ZW_UNLIKELY(write->unusual)) {
			struct ahead_out copy = o; /* o itself in registers */

			write_batch(&copy, write);
			o.next = copy.next;
			usual = &nothing;
		} else {
			check_usual(write, &o);
			zw_store_le64(out, write->literals);
			o.next = out + write->total_bytes;
		}
		__asm__ volatile(
			AHEAD_KEEP_HOLD(0) AHEAD_LOOK_UP(0)                           AHEAD_WRITE(0)
			AHEAD_END_IF_SPECIAL(1) AHEAD_LOOK_UP(1) AHEAD_FILL(0)        AHEAD_WRITE(1)
			AHEAD_END_IF_SPECIAL(2) AHEAD_KEEP_HOLD(1) AHEAD_LOOK_UP(2)   AHEAD_WRITE(2)
			AHEAD_END_IF_SPECIAL(3) AHEAD_LOOK_UP(3) AHEAD_FILL(1)        AHEAD_WRITE(3)
			AHEAD_END_IF_SPECIAL(4) AHEAD_KEEP_HOLD(2) AHEAD_LOOK_UP(4)   AHEAD_WRITE(4)
			AHEAD_END_IF_SPECIAL(5) AHEAD_LOOK_UP(5) AHEAD_FILL(2)        AHEAD_WRITE(5)
			AHEAD_END_IF_SPECIAL(6) AHEAD_KEEP_HOLD(3) AHEAD_LOOK_UP(6)   AHEAD_WRITE(6)
			AHEAD_END_IF_SPECIAL(7) AHEAD_LOOK_UP(7) AHEAD_FILL(3)        AHEAD_WRITE(7)
			"movl $8, %k[t]\n\t"
			"jmp 200f\n\t"
			AHEAD_ENDED_AT(1) AHEAD_ENDED_AT(2) AHEAD_ENDED_AT(3) AHEAD_ENDED_AT(4) AHEAD_ENDED_AT(5) AHEAD_ENDED_AT(6) AHEAD_ENDED_AT(7)
			AHEAD_WRITE_LONG(0) AHEAD_WRITE_LONG(1) AHEAD_WRITE_LONG(2) AHEAD_WRITE_LONG(3)
			AHEAD_WRITE_LONG(4) AHEAD_WRITE_LONG(5) AHEAD_WRITE_LONG(6) AHEAD_WRITE_LONG(7)
			"200:"
			: [entry] "+r"(entry), [hold] "+r"(hold), [count] "+r"(count), [next] "+r"(next), [t] "=&Q"(t), [u] "=&r"(u),
			  "+m"(*(uint8_t (*)[AHEAD_MADE_BYTES])out)
			: [tables] "r"(tables->entry), [not_index] "r"(not_index), [whole_bytes] "r"(UINT64_C(0x303)),
			  [look] "r"(look), [write] "r"(usual), [out] "r"(out), [length] "i"(AHEAD_LENGTH), [special] "i"(AHEAD_SPECIAL),
			  [longer] "i"(AHEAD_LONGER), [min] "i"(REFILL_MIN_BITS), [fill] "i"(AHEAD_FILL_BYTES),
			  [entries] "i"(offsetof(struct ahead_batch, entry)), [holds] "i"(offsetof(struct ahead_batch, hold)),
			  [match] "i"(offsetof(struct ahead_batch, match)), [matches] "i"(offsetof(struct ahead_batch, matches)),
			  [literals] "i"(offsetof(struct ahead_batch, literals))
			: "cc", "memory", "xmm0", "xmm1");
		ZW_WRITTEN(out, usual->total_bytes);
		next += AHEAD_FILL_BYTES * (t / 2);
		if (ZW_UNLIKELY(t < AHEAD_LOOKUPS)) {
			write_matches(out, usual, (unsigned)t);
			ahead_pad(look, (unsigned)t);
		}
		values = take_batch(take, values, (int32_t)(o.history - o.next) - (int32_t)taken->total_bytes);
		{
			struct ahead_batch *const written = write;

			write = taken;
			taken = take;
			take = look;
			look = written;
		}
	}
	b = (struct loop_bits){ hold, (uint32_t)count, next };
	rest = o;
	bits += write_rest(&rest, (struct ahead_batch *const[3]){ write, taken, take }, values, ends, (uint32_t)entry);
	if (rest.reason != ZW_SYMBOLS_BOUND && rest.reason != ZW_SYMBOLS_TOO_FAR)
		loop_drop(&b, (uint32_t)entry);
	end_ahead(run, &in, &b, bits);
	run->out = rest.next;
	return rest.reason;
}
#endif

#endif
