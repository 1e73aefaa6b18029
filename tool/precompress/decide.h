/* SPDX-License-Identifier: Zlib */
/* decide.h - what is known about a file and its twin, and what to do with them.  Pure: nothing here touches a file. */
#ifndef ZW_TOOL_PRECOMPRESS_DECIDE_H
#define ZW_TOOL_PRECOMPRESS_DECIDE_H

#include <stdbool.h>
#include <stdint.h>

enum zw_twin_kind {                              /* what a name stands for */
	ZW_TWIN_ABSENT,
	ZW_TWIN_FILE,
	ZW_TWIN_LINK,                            /* a symbolic link */
	ZW_TWIN_OTHER,                           /* a folder, socket, FIFO, device */
	ZW_TWIN_DENIED                           /* a file that cannot be opened or read */
};

enum zw_twin_type {
	ZW_TYPE_WANTED,                          /* in the list of types */
	ZW_TYPE_UNLISTED,
	ZW_TYPE_COMPRESSED                       /* its first bytes are those of a compressed format */
};

struct zw_twin_facts {
	enum zw_twin_kind source, twin;
	enum zw_twin_type type;                  /* of an orphan: by its name without .gz */
	uint64_t source_bytes;
	bool is_right;                           /* the twin is gzip and gives the source's bytes */
	bool is_broken;                          /* the twin is no gzip file, or does not decode */
	bool is_readable;                        /* whoever may read the source may read the twin */
	bool looks_alike;                        /* time, mode and owner are the source's */
	bool is_made_link;                       /* the twin is a link whose text is the source's text and ".gz" */
	bool target_is_right;                    /* what such a link leads to, or would, gives the source's bytes */
};

struct zw_twin_wishes {
	bool force;                              /* compress again what is right, and keep the smaller */
	bool prune;                              /* remove what has no source */
	uint64_t min_gain_bytes;                 /* a twin must save as much, and */
	unsigned min_gain_percent;               /* this part of the source */
};

enum zw_twin_action {
	ZW_TWIN_SKIP,                            /* there is no twin and none is to be */
	ZW_TWIN_KEEP,
	ZW_TWIN_MAKE,                            /* compress; zw_twin_weigh() then says whether it stays */
	ZW_TWIN_ADJUST,                          /* the bytes are right, time, mode or owner are not */
	ZW_TWIN_LINK_IT,                         /* make a link beside a link */
	ZW_TWIN_REMOVE,
	ZW_TWIN_REPORT,                          /* leave it and say so */
	ZW_TWIN_FAIL,                            /* it could not be done */
	ZW_TWIN_ACTION_COUNT
};

enum zw_twin_reason {
	ZW_WHY_RIGHT, ZW_WHY_MISSING, ZW_WHY_STALE, ZW_WHY_BROKEN, ZW_WHY_UNREADABLE, ZW_WHY_ATTRIBUTES, ZW_WHY_FORCED,
	ZW_WHY_NOT_A_FILE, ZW_WHY_UNLISTED, ZW_WHY_COMPRESSED, ZW_WHY_EMPTY, ZW_WHY_NO_GAIN, ZW_WHY_SMALLER_KEPT,
	ZW_WHY_SPECIAL, ZW_WHY_ORPHAN, ZW_WHY_DOWNLOAD, ZW_WHY_LINK, ZW_WHY_NO_TARGET_TWIN, ZW_WHY_SOURCE_DENIED,
	ZW_WHY_CHANGING, ZW_WHY_VANISHED, ZW_WHY_LONG_NAME, ZW_WHY_ERROR, ZW_WHY_COUNT
};

struct zw_twin_verdict {
	enum zw_twin_action action;
	enum zw_twin_reason reason;
	bool is_problem;                         /* --check ends with 1: a server could send wrong bytes, or more than it needs to */
};

struct zw_twin_verdict zw_twin_decide(const struct zw_twin_facts *facts, const struct zw_twin_wishes *wishes);
struct zw_twin_verdict zw_twin_weigh(const struct zw_twin_facts *facts, const struct zw_twin_wishes *wishes,
				     struct zw_twin_verdict before, uint64_t old_bytes, uint64_t new_bytes);
const char *zw_twin_action_name(enum zw_twin_action action);
const char *zw_twin_reason_text(enum zw_twin_reason reason);

#endif
