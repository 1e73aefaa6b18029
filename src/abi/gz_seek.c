/* SPDX-License-Identifier: Zlib */
/* gz_seek.c - gzip files: positions.  A compressed file can only be read forward, so going back starts over; a seek is
 * remembered and carried out by the next read or write. */
#include "abi/gz_read.h"

#include <limits.h>

int gzrewind(gzFile file)
{
	struct gz_state *g = zw_gz_reader(file);

	if (!g || gz_failed(g) || GZ_LSEEK(g->fd, g->start, SEEK_SET) < 0)
		return -1;
	zw_gz_start_over(g);
	return 0;
}

/* Moves within a file that is not compressed: the system can seek there.  False if it cannot. */
static bool seek_plain(struct gz_state *g, z_off64_t distance)
{
	if (GZ_LSEEK(g->fd, distance - (z_off64_t)g->shown.have, SEEK_CUR) < 0)
		return false;
	g->shown.have = 0;
	g->file_ended = false;
	g->past_end = false;
	g->skip_pending = false;
	zw_gz_set_error(g, Z_OK, NULL);
	g->strm.avail_in = 0;
	g->shown.pos += distance;
	return true;
}

/* Takes up to distance bytes that are already decoded; returns how far there is still to go. */
static z_off64_t skip_shown(struct gz_state *g, z_off64_t distance)
{
	unsigned n = distance < (z_off64_t)g->shown.have ? (unsigned)distance : g->shown.have;

	if (n) {                                 /* next may be NULL when there is nothing */
		g->shown.next += n;
		g->shown.have -= n;
		g->shown.pos += n;
	}
	return distance - n;
}

z_off64_t gzseek64(gzFile file, z_off64_t offset, int whence)
{
	struct gz_state *g = gz_state_of(file);
	z_off64_t distance, target;              /* distance: from the position of the last byte read or written */

	if (!g || gz_failed(g) || (whence != SEEK_SET && whence != SEEK_CUR))
		return -1;
	distance = offset;
	if (whence == SEEK_SET) {
		if (__builtin_sub_overflow(distance, g->shown.pos, &distance))
			return -1;
	} else if (g->skip_pending && __builtin_add_overflow(distance, g->skip_bytes, &distance)) {
		return -1;
	}
	if (__builtin_add_overflow(g->shown.pos, distance, &target))
		return -1;
	g->skip_pending = false;                 /* KEEP-STOCK: also when this call then fails */

	if (g->direction == GZ_READS && g->source == GZ_SOURCE_PLAIN && target >= 0)
		return seek_plain(g, distance) ? g->shown.pos : -1;
	if (distance < 0) {
		if (g->direction != GZ_READS || target < 0 || gzrewind(file))
			return -1;
		distance = target;
	}
	if (g->direction == GZ_READS)
		distance = skip_shown(g, distance);
	g->skip_pending = distance != 0;
	g->skip_bytes = distance;
	return target;
}

/* A 64-bit position for a caller whose off_t may be smaller; -1 if it does not fit. */
static z_off_t narrow(z_off64_t position)
{
	return (z_off_t)position == position ? (z_off_t)position : -1;
}

z_off_t gzseek(gzFile file, z_off_t offset, int whence)
{
	return narrow(gzseek64(file, offset, whence));
}

z_off64_t gztell64(gzFile file)
{
	struct gz_state *g = gz_state_of(file);

	if (!g)
		return -1;
	return g->shown.pos + (g->skip_pending ? g->skip_bytes : 0);
}

z_off_t gztell(gzFile file)
{
	return narrow(gztell64(file));
}

z_off64_t gzoffset64(gzFile file)
{
	struct gz_state *g = gz_state_of(file);
	z_off64_t offset;

	if (!g)
		return -1;
	offset = GZ_LSEEK(g->fd, 0, SEEK_CUR);
	if (offset < 0)
		return -1;
	return g->direction == GZ_READS ? offset - (z_off64_t)g->strm.avail_in : offset;
}

z_off_t gzoffset(gzFile file)
{
	return narrow(gzoffset64(file));
}
