/* SPDX-License-Identifier: Zlib */
/* lazy_effort.c - levels 5..9: how much the walks of the next segment look at, by what those of the last one gained.
 * Takes: a segment's counts.  Gives: depths.  Then: the parser's next segment.
 * Never: looks at input or tables. */
#include "deflate/lazy_effort.h"

#define DEEP_FACTOR         6u               /* short walks are so much deeper where that pays */
#define LOOK_MORE           3u               /* they look at so many more in one segment, to see whether it does: */
#define EARLY_SEGMENTS      7u               /* in the first behind these, in which chains are short yet, */
#define LOOK_SEGMENTS       8u               /* and in one of so many from there on */
#define LATE_SHARE         10                /* it pays when one of so many ends with a late candidate */
#define MUCH_SHARE          2                /* much is gained when it is a byte in so many short walks, */
#define FEW_SHARE           4                /* short walks cost nothing when the others are so many times as many */
#define LITTLE_SHARE       16                /* little when it is less than one in so many */

static bool looks_further(const struct zw_match_finder *m) { return m->effort_segment == EARLY_SEGMENTS; }

unsigned zw_short_depth(const struct zw_match_finder *m)
{
	if (m->walk_effort == WALKS_DEEP)
		return m->params.short_depth * DEEP_FACTOR;
	return m->params.short_depth + (looks_further(m) ? LOOK_MORE : 0);
}

unsigned zw_again_depth(const struct zw_match_finder *m)
{
	return m->walk_effort == WALKS_FEW ? m->params.again_least_depth : m->params.joint_again_depth;
}

unsigned zw_first_depth(const struct zw_match_finder *m)
{
	if (m->effort_segment < EARLY_SEGMENTS && m->params.first_depth > m->params.short_depth)
		return m->params.short_depth;
	return m->params.first_depth;
}

void zw_choose_effort(struct zw_match_finder *m, const struct lazy_yield *yield)
{
	const int short_walks = (int)(yield->walks - yield->longer_walks), late_short = (int)yield->late_short;
	const bool few = short_walks * FEW_SHARE < (int)yield->longer_walks;
	const bool looked = m->walk_effort == WALKS_DEEP || looks_further(m);

	if (++m->effort_segment == EARLY_SEGMENTS + LOOK_SEGMENTS)
		m->effort_segment = EARLY_SEGMENTS;
	if (!yield->walks)                       /* they were left out: nothing is known */
		return;
	if (few || yield->late_bytes * MUCH_SHARE > short_walks || (looked && late_short * LATE_SHARE > short_walks))
		m->walk_effort = WALKS_DEEP;
	else
		m->walk_effort = yield->late_bytes * LITTLE_SHARE < short_walks ? WALKS_FEW : WALKS_USUAL;
}
