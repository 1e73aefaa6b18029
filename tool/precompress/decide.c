/* SPDX-License-Identifier: Zlib */
/* decide.c - from what is known about a file and its twin to what to do, and why.
 * Takes: zw_twin_facts, zw_twin_wishes.  Gives: a verdict.  Then: act.c
 * Never: touches a file. */
#include "precompress/decide.h"

static struct zw_twin_verdict say(enum zw_twin_action action, enum zw_twin_reason reason, bool is_problem)
{
	return (struct zw_twin_verdict){ action, reason, is_problem };
}

/* Why a twin that is there cannot stay as it is; ZW_WHY_RIGHT if it can. */
static enum zw_twin_reason find_fault(const struct zw_twin_facts *facts)
{
	if (facts->twin == ZW_TWIN_LINK || facts->twin == ZW_TWIN_OTHER)
		return ZW_WHY_NOT_A_FILE;
	if (facts->twin == ZW_TWIN_DENIED)
		return ZW_WHY_UNREADABLE;
	if (facts->is_broken)
		return ZW_WHY_BROKEN;
	if (!facts->is_right)
		return ZW_WHY_STALE;
	return ZW_WHY_RIGHT;
}

static struct zw_twin_verdict decide_orphan(const struct zw_twin_facts *facts, const struct zw_twin_wishes *wishes)
{
	if (facts->twin == ZW_TWIN_ABSENT)
		return say(ZW_TWIN_SKIP, ZW_WHY_VANISHED, false);
	if (facts->type != ZW_TYPE_WANTED || facts->twin == ZW_TWIN_OTHER)       /* release.tar.gz is no twin of anything */
		return say(ZW_TWIN_SKIP, ZW_WHY_DOWNLOAD, false);
	return say(wishes->prune ? ZW_TWIN_REMOVE : ZW_TWIN_REPORT, ZW_WHY_ORPHAN, true);
}

/* A link gets a link to the twin of what it leads to, or nothing.  A file beside it that is right is somebody's choice. */
static struct zw_twin_verdict decide_link(const struct zw_twin_facts *facts)
{
	if (facts->twin == ZW_TWIN_FILE && facts->is_right)
		return say(ZW_TWIN_KEEP, ZW_WHY_RIGHT, false);
	if (facts->twin == ZW_TWIN_OTHER || facts->twin == ZW_TWIN_DENIED)
		return say(ZW_TWIN_REPORT, find_fault(facts), true);
	if (facts->target_is_right) {
		if (facts->twin == ZW_TWIN_LINK && facts->is_made_link)
			return say(ZW_TWIN_KEEP, ZW_WHY_LINK, false);
		return say(ZW_TWIN_LINK_IT, ZW_WHY_LINK, true);
	}
	if (facts->twin == ZW_TWIN_ABSENT)
		return say(ZW_TWIN_SKIP, ZW_WHY_NO_TARGET_TWIN, false);
	if (facts->twin == ZW_TWIN_LINK && !facts->is_made_link)
		return say(ZW_TWIN_REPORT, ZW_WHY_NOT_A_FILE, true);
	return say(ZW_TWIN_REMOVE, facts->twin == ZW_TWIN_LINK ? ZW_WHY_NO_TARGET_TWIN : ZW_WHY_STALE, true);
}

/* No twin would be made for this source.  One that is right may stay; a wrong one of a type that is not ours goes with
 * --prune only: app.tar.gz beside app.tar may be a download that was never meant as a twin. */
static struct zw_twin_verdict decide_unwanted(const struct zw_twin_facts *facts, const struct zw_twin_wishes *wishes,
					      enum zw_twin_reason reason)
{
	enum zw_twin_reason fault;

	if (facts->twin == ZW_TWIN_ABSENT)
		return say(ZW_TWIN_SKIP, reason, false);
	fault = find_fault(facts);
	if (fault == ZW_WHY_RIGHT)
		return say(ZW_TWIN_KEEP, ZW_WHY_RIGHT, false);
	if (facts->twin == ZW_TWIN_OTHER || facts->twin == ZW_TWIN_DENIED)
		return say(ZW_TWIN_REPORT, fault, true);
	if (reason == ZW_WHY_UNLISTED && !wishes->prune)
		return say(ZW_TWIN_REPORT, fault, true);
	return say(ZW_TWIN_REMOVE, fault, true);
}

static struct zw_twin_verdict decide_file(const struct zw_twin_facts *facts, const struct zw_twin_wishes *wishes)
{
	enum zw_twin_reason fault;

	if (facts->type == ZW_TYPE_UNLISTED)
		return decide_unwanted(facts, wishes, ZW_WHY_UNLISTED);
	if (facts->type == ZW_TYPE_COMPRESSED)
		return decide_unwanted(facts, wishes, ZW_WHY_COMPRESSED);
	if (facts->source_bytes == 0)
		return decide_unwanted(facts, wishes, ZW_WHY_EMPTY);
	if (facts->twin == ZW_TWIN_ABSENT)
		return say(ZW_TWIN_MAKE, ZW_WHY_MISSING, true);
	fault = find_fault(facts);
	if (facts->twin == ZW_TWIN_OTHER)        /* a folder of that name: nothing can take its place */
		return say(ZW_TWIN_REPORT, fault, true);
	if (fault != ZW_WHY_RIGHT)
		return say(ZW_TWIN_MAKE, fault, true);
	if (wishes->force)
		return say(ZW_TWIN_MAKE, ZW_WHY_FORCED, false);
	if (!facts->is_readable)
		return say(ZW_TWIN_ADJUST, ZW_WHY_UNREADABLE, true);
	if (!facts->looks_alike)
		return say(ZW_TWIN_ADJUST, ZW_WHY_ATTRIBUTES, false);
	return say(ZW_TWIN_KEEP, ZW_WHY_RIGHT, false);
}

struct zw_twin_verdict zw_twin_decide(const struct zw_twin_facts *facts, const struct zw_twin_wishes *wishes)
{
	switch (facts->source) {
	case ZW_TWIN_ABSENT: return decide_orphan(facts, wishes);
	case ZW_TWIN_OTHER:  return say(ZW_TWIN_SKIP, ZW_WHY_SPECIAL, false);
	case ZW_TWIN_DENIED: return say(ZW_TWIN_FAIL, ZW_WHY_SOURCE_DENIED, true);
	case ZW_TWIN_LINK:   return decide_link(facts);
	case ZW_TWIN_FILE:   return decide_file(facts, wishes);
	}
	return say(ZW_TWIN_FAIL, ZW_WHY_ERROR, true);
}

static bool is_gain(const struct zw_twin_wishes *wishes, uint64_t source_bytes, uint64_t twin_bytes)
{
	uint64_t gain = source_bytes > twin_bytes ? source_bytes - twin_bytes : 0;

	return gain > 0 && gain >= wishes->min_gain_bytes &&
		(double)gain * 100 >= (double)wishes->min_gain_percent * (double)source_bytes;
}

/* The second half of ZW_TWIN_MAKE, when it is known what the file becomes.  old_bytes is the size of a twin that is there
 * and right, 0 if there is none. */
struct zw_twin_verdict zw_twin_weigh(const struct zw_twin_facts *facts, const struct zw_twin_wishes *wishes,
				     struct zw_twin_verdict before, uint64_t old_bytes, uint64_t new_bytes)
{
	uint64_t best_bytes = old_bytes && old_bytes <= new_bytes ? old_bytes : new_bytes;

	if (!is_gain(wishes, facts->source_bytes, best_bytes)) {
		if (facts->twin == ZW_TWIN_ABSENT)
			return say(ZW_TWIN_SKIP, ZW_WHY_NO_GAIN, false);
		return say(ZW_TWIN_REMOVE, before.reason == ZW_WHY_FORCED ? ZW_WHY_NO_GAIN : before.reason, before.is_problem);
	}
	if (best_bytes == new_bytes && best_bytes != old_bytes)
		return before;
	if (!facts->is_readable || !facts->looks_alike)
		return say(ZW_TWIN_ADJUST, facts->is_readable ? ZW_WHY_ATTRIBUTES : ZW_WHY_UNREADABLE, !facts->is_readable);
	return say(ZW_TWIN_KEEP, ZW_WHY_SMALLER_KEPT, false);
}

const char *zw_twin_action_name(enum zw_twin_action action)
{
	static const char *const names[ZW_TWIN_ACTION_COUNT] = {
		[ZW_TWIN_SKIP] = "skipped", [ZW_TWIN_KEEP] = "kept", [ZW_TWIN_MAKE] = "made", [ZW_TWIN_ADJUST] = "adjusted",
		[ZW_TWIN_LINK_IT] = "linked", [ZW_TWIN_REMOVE] = "removed", [ZW_TWIN_REPORT] = "left", [ZW_TWIN_FAIL] = "failed",
	};

	return names[action];
}

const char *zw_twin_reason_text(enum zw_twin_reason reason)
{
	static const char *const texts[ZW_WHY_COUNT] = {
		[ZW_WHY_RIGHT] = "the twin is right",
		[ZW_WHY_MISSING] = "the twin is missing",
		[ZW_WHY_STALE] = "the twin is stale: it holds other bytes than the file",
		[ZW_WHY_BROKEN] = "the twin is broken: it is not a whole gzip file",
		[ZW_WHY_UNREADABLE] = "the twin is unreadable for some who may read the file",
		[ZW_WHY_ATTRIBUTES] = "the twin's time, mode or owner are not the file's",
		[ZW_WHY_FORCED] = "compressed again, as --force wants",
		[ZW_WHY_NOT_A_FILE] = "what has the twin's name is a link or no file",
		[ZW_WHY_UNLISTED] = "its type is not in the list (--types, --all-types)",
		[ZW_WHY_COMPRESSED] = "its content is compressed already",
		[ZW_WHY_EMPTY] = "it is empty",
		[ZW_WHY_NO_GAIN] = "it does not get smaller by as much as --min-gain wants",
		[ZW_WHY_SMALLER_KEPT] = "the twin that is there is as small or smaller",
		[ZW_WHY_SPECIAL] = "it is no regular file",
		[ZW_WHY_ORPHAN] = "the twin is orphaned: its file is gone",
		[ZW_WHY_DOWNLOAD] = "it is a compressed file in its own right",
		[ZW_WHY_LINK] = "a link to the twin of what the link leads to",
		[ZW_WHY_NO_TARGET_TWIN] = "what the link leads to has no right twin",
		[ZW_WHY_SOURCE_DENIED] = "the file cannot be read",
		[ZW_WHY_CHANGING] = "the file keeps changing while it is read",
		[ZW_WHY_VANISHED] = "it is gone",
		[ZW_WHY_LONG_NAME] = "its name is too long to get .gz behind it",
		[ZW_WHY_ERROR] = "the file system said no",
	};

	return texts[reason];
}
