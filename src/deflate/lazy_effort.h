/* SPDX-License-Identifier: Zlib */
/* lazy_effort.h - levels 4..9: how much the walks of the next segment look at, by what those of the last one gained.
 *
 * Walks from short matches are most of all and gain least, so they look at few candidates; and that is where the time goes in
 * bodies whose matches are short (M38).  Walks from longer matches look at all that the level allows.  Where these gain much by
 * late candidates, short matches have such candidates, too, and at level 5 longer ones have more of them; where they gain nearly
 * nothing, short walks look at one or two.  Some bodies have nearly no longer matches; so once in a while a segment's short walks
 * look further. */
#ifndef ZW_DEFLATE_LAZY_EFFORT_H
#define ZW_DEFLATE_LAZY_EFFORT_H

#include "deflate/match_finder.h"

#define SHORT_WALK_BYTES 8u                  /* a walk from a match shorter than this is a short one */
#define LATE_CANDIDATES  2u                  /* a candidate behind so many is a late one */
#define LITTLE_MOST       12                 /* a walk that gains more says little about the others (M47) */

/* What walks gave, over one call. */
struct lazy_yield {
	unsigned walks, gains, matches;
	int late_bytes;                          /* by which walks made matches longer by a late candidate, */
	int late_little;                         /* of which a walk counts LITTLE_MOST at most */
};

/* A late candidate made a match longer by bytes. */
ZW_INLINE void zw_yield_late(struct lazy_yield *yield, int bytes)
{
	yield->late_bytes += bytes;
	yield->late_little += bytes < LITTLE_MOST ? bytes : LITTLE_MOST;
}

/* Candidates of a walk in the segment that begins, as a rule. */
unsigned zw_joint_depth(const struct zw_match_finder *m);

/* Candidates of a short walk, and of its second try, in that segment; before the joint walk's depth limits them. */
unsigned zw_short_depth(const struct zw_match_finder *m);
unsigned zw_again_depth(const struct zw_match_finder *m);

/* Whether the last segment was one of records: long matches between numbers.  What walks gain there they gain late, but such bodies
 * become so much smaller anyway that it is not worth the time (M42). */
bool zw_in_records(const struct zw_match_finder *m);

/* Whether matches are very long, and have been for a while.  There the next one is often a repeat of the last or near it, and entering
 * what they cover takes most of the time; walks look at no more than the least of the level, and fewer positions are entered (M47). */
bool zw_in_very_long(const struct zw_match_finder *m);

/* Whether there are so many digits that it is path data, numbers between letters, whose matches are short; and chains are short yet, too.
 * There late candidates and second walks take more time than they are worth (M47). */
bool zw_in_early_path_data(const struct zw_match_finder *m);

/* Candidates of a first search: fewer while chains are short. */
unsigned zw_first_depth(const struct zw_match_finder *m);

/* Behind a segment: the next one's effort. */
void zw_choose_effort(struct zw_match_finder *m, const struct lazy_yield *yield);

#endif
