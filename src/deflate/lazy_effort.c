/* SPDX-License-Identifier: Zlib */
/* lazy_effort.c - levels 4..9: how much the walks of the next segment look at, by what those of the last one gained.
 * Takes: a segment's counts.  Gives: depths.  Then: the parser's next segment.
 * Never: looks at input or tables. */
#include "deflate/lazy_effort.h"

#define DEEP_FACTOR     6u                   /* short walks are so much deeper where late candidates gain much */
#define LOOK_MORE       3u                   /* they look at so many more in one segment, to see what late ones gain: */
#define EARLY_SEGMENTS  7u                   /* in the first behind these, in which chains are short yet, */
#define LOOK_SEGMENTS   8u                   /* and in one of so many from there on */
#define EARLY_DEPTH     2u                   /* until chains are longer first searches and short walks look at no more, or at the level's least */
#define MUCH_SHARE     26                    /* much is gained when it is more than ten bytes in so many walks, */
#define MUCH_SHARE_DIGITS 30                 /* in path data in so many (M47); */
#define LITTLE_SHARE   24                    /* little when it is less than one in so many */
#define RECORD_DIGITS  32u                   /* of 256 bytes sampled so many are digits in records of numbers, */
#define RECORD_BYTES   22u                   /* whose matches cover so much on average (orders and countries: 23 to 28 and 14 to 24); */
#define DIGITS_ALONE   64u                   /* so many are found in path data, where one candidate is too few */
#define VERY_LONG_BYTES 64u                  /* matches are very long when they cover so much on average */
#define VERY_LONG_SEGMENTS 3u                /* in so many segments one after the other: a style sheet has two of them (M47) */

static bool is_early(const struct zw_match_finder *m) { return m->effort_segment < EARLY_SEGMENTS; }

/* At most EARLY_DEPTH, or what the level looks at at least. */
static unsigned early_depth(const struct zw_match_finder *m, unsigned depth)
{
	unsigned most = m->params.short_least_depth > EARLY_DEPTH ? m->params.short_least_depth : EARLY_DEPTH;

	return depth < most ? depth : most;
}

static bool looks_further(const struct zw_match_finder *m) { return m->effort_segment == EARLY_SEGMENTS; }

bool zw_in_records(const struct zw_match_finder *m)
{
	return m->content.digits >= RECORD_DIGITS && m->match_mean_bytes >= RECORD_BYTES;
}

bool zw_in_very_long(const struct zw_match_finder *m)
{
	return m->params.long_dense_bytes && m->very_long_segments == VERY_LONG_SEGMENTS;
}

static bool in_path_data(const struct zw_match_finder *m) { return m->content.digits >= DIGITS_ALONE; }

bool zw_in_early_path_data(const struct zw_match_finder *m) { return is_early(m) && in_path_data(m); }

unsigned zw_joint_depth(const struct zw_match_finder *m)
{
	if (m->walk_effort == WALKS_DEEP && !in_path_data(m) && !zw_in_records(m))
		return m->params.joint_deep_depth;
	return m->params.joint_depth;
}

unsigned zw_short_depth(const struct zw_match_finder *m)
{
	if (zw_in_very_long(m))
		return m->params.short_least_depth;
	if (m->walk_effort == WALKS_DEEP)
		return m->params.short_depth * DEEP_FACTOR;
	if (m->walk_effort == WALKS_FEW && !looks_further(m) && !in_path_data(m))
		return m->params.short_least_depth;
	if (is_early(m) || (m->walk_effort == WALKS_FEW && !looks_further(m)))
		return early_depth(m, m->params.short_depth);
	return m->params.short_depth + (looks_further(m) ? LOOK_MORE : 0);
}

unsigned zw_again_depth(const struct zw_match_finder *m)
{
	if (zw_in_early_path_data(m))
		return m->params.again_digits_depth;
	return m->walk_effort == WALKS_FEW ? m->params.again_least_depth : m->params.joint_again_depth;
}

unsigned zw_first_depth(const struct zw_match_finder *m)
{
	return is_early(m) ? early_depth(m, m->params.first_depth) : m->params.first_depth;
}

void zw_choose_effort(struct zw_match_finder *m, const struct lazy_yield *yield)
{
	const int walks = (int)yield->walks, much = in_path_data(m) ? MUCH_SHARE_DIGITS : MUCH_SHARE;

	if (m->match_mean_bytes < VERY_LONG_BYTES)
		m->very_long_segments = 0;
	else if (m->very_long_segments < VERY_LONG_SEGMENTS)
		m->very_long_segments++;
	if (++m->effort_segment == EARLY_SEGMENTS + LOOK_SEGMENTS)
		m->effort_segment = EARLY_SEGMENTS;
	if (!walks || yield->late_bytes * much > walks * 10) /* none: they were left out, matches are long, and few will be short */
		m->walk_effort = WALKS_DEEP;
	else
		m->walk_effort = yield->late_little * LITTLE_SHARE < walks ? WALKS_FEW : WALKS_USUAL;
}
