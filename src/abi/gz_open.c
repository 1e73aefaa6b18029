/* SPDX-License-Identifier: Zlib */
/* gz_open.c - gzip files: opening, closing, buffer size and errors. */
#include "abi/gz_state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- errors ---------------------------------------------------------------------------------------------------- */

void zw_gz_set_error(struct gz_state *g, int code, const char *text)
{
	size_t room;

	free(g->message);
	g->message = NULL;
	g->error = code;
	g->stalled = false;
	if (gz_failed(g))
		g->shown.have = 0;
	if (!text || code == Z_MEM_ERROR)
		return;                              /* gzerror() needs no memory to say that there is none */
	room = strlen(g->path) + strlen(text) + sizeof ": ";
	g->message = malloc(room);
	if (!g->message) {
		g->error = Z_MEM_ERROR;
		return;
	}
	snprintf(g->message, room, "%s: %s", g->path, text);
}

void zw_gz_set_errno(struct gz_state *g)
{
	int saved = errno;
	bool stall = saved == EAGAIN || saved == EWOULDBLOCK;
	unsigned have = g->shown.have;

	zw_gz_set_error(g, Z_ERRNO, strerror(saved));
	if (stall) {
		g->stalled = g->error == Z_ERRNO;
		g->shown.have = have;
	}
	errno = saved;
}

void zw_gz_forget_stall(struct gz_state *g)
{
	if (g->stalled)
		zw_gz_set_error(g, Z_OK, NULL);
}

const char *gzerror(gzFile file, int *errnum)
{
	struct gz_state *g = gz_state_of(file);

	if (!g)
		return NULL;
	if (errnum)
		*errnum = g->error;
	if (g->error == Z_MEM_ERROR)
		return "out of memory";
	return g->message ? g->message : "";
}

void gzclearerr(gzFile file)
{
	struct gz_state *g = gz_state_of(file);

	if (!g)
		return;
	if (g->direction == GZ_READS) {
		g->file_ended = false;
		g->past_end = false;
	}
	zw_gz_set_error(g, Z_OK, NULL);
}

struct gz_state *zw_gz_reader(gzFile file)
{
	struct gz_state *g = gz_state_of(file);

	return g && g->direction == GZ_READS ? g : NULL;
}

struct gz_state *zw_gz_writer(gzFile file)
{
	struct gz_state *g = gz_state_of(file);

	return g && g->direction == GZ_WRITES ? g : NULL;
}

/* ---- opening --------------------------------------------------------------------------------------------------- */

struct gz_mode {
	bool reads, writes, appends, exclusive, close_on_exec, no_block, plain, gzip_only;
	int  level, strategy;
};

/* Reads a mode as gzopen() takes it; false if it cannot be followed.  Unknown letters mean nothing. */
static bool parse_mode(struct gz_mode *m, const char *mode)
{
	*m = (struct gz_mode){ .level = Z_DEFAULT_COMPRESSION, .strategy = Z_DEFAULT_STRATEGY };
	for (; *mode; mode++) {
		switch (*mode) {
		case 'r': m->reads = true;  m->writes = m->appends = false; break;     /* the last of r, w, a counts */
		case 'w': m->writes = true; m->reads = m->appends = false;  break;
		case 'a': m->appends = true; m->reads = m->writes = false;  break;
		case '+': return false;              /* reading and writing at once */
		case 'x': m->exclusive = true;                break;
		case 'e': m->close_on_exec = true;            break;
		case 'N': m->no_block = true;                 break;
		case 'T': m->plain = true;  m->gzip_only = false; break;
		case 'G': m->plain = false; m->gzip_only = true;  break;
		case 'f': m->strategy = Z_FILTERED;           break;
		case 'h': m->strategy = Z_HUFFMAN_ONLY;       break;
		case 'R': m->strategy = Z_RLE;                break;
		case 'F': m->strategy = Z_FIXED;              break;
		default:
			if (*mode >= '0' && *mode <= '9')
				m->level = *mode - '0';
		}
	}
	if (m->reads)
		return !m->plain;                    /* plain reading is found out, not asked for */
	return (m->writes || m->appends) && !m->gzip_only;
}

static int open_flags(const struct gz_mode *m)
{
	int flags = O_LARGEFILE | (m->close_on_exec ? O_CLOEXEC : 0) | (m->no_block ? O_NONBLOCK : 0);

	if (m->reads)
		return flags | O_RDONLY;
	return flags | O_WRONLY | O_CREAT | (m->exclusive ? O_EXCL : 0) | (m->appends ? O_APPEND : O_TRUNC);
}

/* Gives a descriptor that was opened by somebody else what the mode asks for. */
static void adjust_descriptor(int fd, const struct gz_mode *m)
{
	if (m->close_on_exec)
		(void)fcntl(fd, F_SETFD, fcntl(fd, F_GETFD) | FD_CLOEXEC);
	if (m->no_block)
		(void)fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

void zw_gz_start_over(struct gz_state *g)
{
	g->shown.have = 0;
	g->shown.pos = 0;
	g->source = GZ_SOURCE_UNKNOWN;
	g->after_member = false;
	g->file_ended = false;
	g->past_end = false;
	g->later_error = Z_OK;
	g->member_finished = false;
	g->skip_pending = false;
	g->strm.avail_in = 0;
	zw_gz_set_error(g, Z_OK, NULL);
}

static struct gz_state *new_state(const char *path, const struct gz_mode *m)
{
	struct gz_state *g = calloc(1, sizeof *g);

	if (!g)
		return NULL;
	g->path = strdup(path);
	if (!g->path) {
		free(g);
		return NULL;
	}
	g->fd = -1;
	g->direction = m->reads ? GZ_READS : GZ_WRITES;
	g->wanted_bytes = GZ_BUFFER_BYTES;
	g->plain = m->plain || (m->reads && !m->gzip_only);     /* an empty file counts as plain */
	g->gzip_only = m->gzip_only;
	g->level = m->level;
	g->strategy = m->strategy;
	return g;
}

static void free_state(struct gz_state *g)
{
	free(g->in);
	free(g->out);
	free(g->message);
	free(g->path);
	free(g);
}

/* fd: an open descriptor, or -1 to open path. */
static gzFile open_any(const char *path, int fd, const char *mode)
{
	struct gz_mode m;
	struct gz_state *g;

	if (!mode || !parse_mode(&m, mode))
		return NULL;
	g = new_state(path, &m);
	if (!g)
		return NULL;
	if (fd >= 0)
		adjust_descriptor(fd, &m);
	else
		fd = open(path, open_flags(&m), 0666);
	if (fd < 0) {
		free_state(g);                       /* free() keeps errno since POSIX.1-2024, and in glibc and musl */
		return NULL;
	}
	g->fd = fd;
	if (m.appends)
		(void)GZ_LSEEK(fd, 0, SEEK_END);     /* so that gzoffset() is right */
	if (m.reads) {
		g->start = GZ_LSEEK(fd, 0, SEEK_CUR);
		if (g->start < 0)
			g->start = 0;                    /* a pipe */
	}
	zw_gz_start_over(g);
	return (gzFile)g;
}

gzFile gzopen(const char *path, const char *mode)
{
	return path ? open_any(path, -1, mode) : NULL;
}

gzFile gzopen64(const char *path, const char *mode)
{
	return path ? open_any(path, -1, mode) : NULL;
}

gzFile gzdopen(int fd, const char *mode)
{
	char name[sizeof "<fd:>" + 3 * sizeof fd];

	if (fd < 0)
		return NULL;
	snprintf(name, sizeof name, "<fd:%d>", fd);
	return open_any(name, fd, mode);
}

int gzbuffer(gzFile file, unsigned size)
{
	struct gz_state *g = gz_state_of(file);

	if (!g || g->buffer_bytes || size > UINT_MAX / 2)
		return -1;                           /* too late, or twice the size does not fit */
	g->wanted_bytes = size < GZ_BUFFER_MIN_BYTES ? GZ_BUFFER_MIN_BYTES : size;
	return 0;
}

/* ---- closing --------------------------------------------------------------------------------------------------- */

static int close_and_free(struct gz_state *g, int result)
{
	int fd = g->fd;

	free_state(g);
	return close(fd) ? Z_ERRNO : result;
}

int gzclose_r(gzFile file)
{
	struct gz_state *g = zw_gz_reader(file);

	if (!g)
		return Z_STREAM_ERROR;
	if (g->buffer_bytes)
		inflateEnd(&g->strm);
	return close_and_free(g, g->error == Z_BUF_ERROR ? Z_BUF_ERROR : Z_OK);
}

int gzclose_w(gzFile file)
{
	struct gz_state *g = zw_gz_writer(file);

	if (!g)
		return Z_STREAM_ERROR;
	return close_and_free(g, zw_gz_finish_writing(g));
}

int gzclose(gzFile file)
{
	return zw_gz_reader(file) ? gzclose_r(file) : gzclose_w(file);
}
