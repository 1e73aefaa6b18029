/* SPDX-License-Identifier: Zlib */
/* fuzz_gz.c - any calls of the gz functions.  A reader, on any file, may only show the bytes that one long read shows, each
 * at its place; what a writer was given comes back from its file. */
#include "fuzz_input.h"

#include <sys/mman.h>
#include <unistd.h>

#define CALLS_MAX       60
#define READ_MAX_BYTES 72000              /* more than fuzz_size() gives */

static int file_of(const struct test_bytes *content)
{
	int fd = memfd_create("fuzz_gz", 0);

	FUZZ_CHECK(fd >= 0);
	FUZZ_CHECK(write(fd, content->data, content->len_bytes) == (ssize_t)content->len_bytes);
	FUZZ_CHECK(lseek(fd, 0, SEEK_SET) == 0);
	return fd;
}

static gzFile open_copy(const struct peer_zlib *p, int fd, const char *mode, unsigned buffer_bytes)
{
	gzFile f;

	FUZZ_CHECK(lseek(fd, 0, SEEK_SET) == 0);
	f = p->gzdopen(dup(fd), mode);
	FUZZ_CHECK(f);
	FUZZ_CHECK(p->gzbuffer(f, buffer_bytes) == 0);
	return f;
}

/* Everything that can be read, in pieces of one size. */
static void read_whole(const struct peer_zlib *p, int fd, struct test_bytes *whole)
{
	gzFile f = open_copy(p, fd, "r", 8192);
	int n;

	do {
		bytes_reserve(whole, READ_MAX_BYTES);
		n = p->gzread(f, whole->data + whole->len_bytes, READ_MAX_BYTES);
		whole->len_bytes += n > 0 ? (size_t)n : 0;
	} while (n > 0);
	p->gzclose(f);
}

/* A file: members of the fixed mixture with the fuzzer's bytes behind them, or these bytes alone. */
static void make_file(struct fuzz_input *in, struct test_bytes *file)
{
	unsigned members = fuzz_byte(in) % 4;

	while (members--) {
		size_t len = fuzz_size(in);
		z_stream s = { 0 };

		FUZZ_CHECK(deflateInit2(&s, fuzz_between(in, 0, 9), Z_DEFLATED, 31, 8, 0) == Z_OK);
		bytes_reserve(file, deflateBound(&s, (uLong)len));
		s.next_in = fuzz_source(in, len);
		s.avail_in = (uInt)len;
		s.next_out = file->data + file->len_bytes;
		s.avail_out = (uInt)(file->room_bytes - file->len_bytes);
		FUZZ_CHECK(deflate(&s, Z_FINISH) == Z_STREAM_END);
		file->len_bytes += s.total_out;
		deflateEnd(&s);
	}
	if (file->len_bytes && fuzz_byte(in) % 4 == 0)
		file->data[((size_t)fuzz_byte(in) << 8 | fuzz_byte(in)) % file->len_bytes] ^= fuzz_byte(in);
}

static void check_bytes(const struct test_bytes *whole, z_off64_t at, const void *got, size_t len)
{
	FUZZ_CHECK(!len || (at >= 0 && (size_t)at + len <= whole->len_bytes));
	FUZZ_CHECK(!len || memcmp(whole->data + at, got, len) == 0);
}

static void read_step(const struct peer_zlib *p, gzFile f, struct fuzz_input *in, const struct test_bytes *whole)
{
	static char out[READ_MAX_BYTES];
	z_off64_t at = p->gztell64(f), to;
	size_t len = fuzz_size(in);
	int n, c;

	switch (fuzz_byte(in) % 8) {
	case 0: case 1:
		n = p->gzread(f, out, (unsigned)len);
		FUZZ_CHECK(n >= -1 && n <= (int)len);
		if (n > 0)
			check_bytes(whole, p->gztell64(f) - n, out, (size_t)n);
		break;
	case 2:
		c = p->gzgetc(f);
		if (c >= 0)
			check_bytes(whole, p->gztell64(f) - 1, &(char){ (char)c }, 1);
		break;
	case 3:
		c = fuzz_byte(in);
		if (p->gzungetc(c, f) == c)
			FUZZ_CHECK(p->gzgetc(f) == c);
		break;
	case 4:
		len = len % sizeof out + 1;
		if (p->gzgets(f, out, (int)len)) {
			n = (int)(p->gztell64(f) - (at > (z_off64_t)whole->len_bytes ? (z_off64_t)whole->len_bytes : at));
			FUZZ_CHECK(n > 0 && n < (int)len && out[n] == 0);
			check_bytes(whole, p->gztell64(f) - n, out, (size_t)n);
		}
		break;
	case 5: case 6:
		to = p->gzseek64(f, (z_off64_t)len - fuzz_byte(in) * 100, fuzz_between(in, SEEK_SET, SEEK_CUR));
		FUZZ_CHECK(to == -1 || to == p->gztell64(f));
		break;
	case 7:
		c = fuzz_between(in, 0, 3);
		if (c == 0)
			p->gzrewind(f);
		else if (c == 1)
			p->gzclearerr(f);
		else
			FUZZ_CHECK(p->gzdirect(f) >= 0);
		break;
	}
}

static void fuzz_reader(struct fuzz_input *in)
{
	const struct peer_zlib *p = fuzz_subject();
	struct test_bytes file = { 0 }, whole = { 0 };
	struct fuzz_input decisions;
	int fd;
	gzFile f;

	make_file(in, &file);
	decisions = *in;
	decisions.left_bytes = decisions.left_bytes < 200 ? decisions.left_bytes : 200;
	in->next += decisions.left_bytes;
	in->left_bytes -= decisions.left_bytes;
	bytes_append(&file, in->next, in->left_bytes);
	fd = file_of(&file);
	read_whole(p, fd, &whole);
	f = open_copy(p, fd, "r", (unsigned)fuzz_size(&decisions));
	for (unsigned i = 0; i < CALLS_MAX && decisions.left_bytes; i++)
		read_step(p, f, &decisions, &whole);
	p->gzclose(f);
	close(fd);
	bytes_free(&file);
	bytes_free(&whole);
}

/* One call on the writer, and the same on the model of what the file contains. */
static void write_step(const struct peer_zlib *p, gzFile f, struct fuzz_input *in, struct test_bytes *model)
{
	static const Bytef zeros[READ_MAX_BYTES + 40];
	size_t len = fuzz_size(in);
	const uint8_t *from = fuzz_source(in, len);
	char text[80];
	int c = fuzz_byte(in);

	switch (fuzz_byte(in) % 8) {
	case 0: case 1:
		FUZZ_CHECK(p->gzwrite(f, from, (unsigned)len) == (int)len);
		bytes_append(model, from, len);
		break;
	case 2:
		FUZZ_CHECK(p->gzputc(f, c) == c);
		bytes_append_byte(model, (uint8_t)c);
		break;
	case 3:
		FUZZ_CHECK(p->gzputs(f, "a string") == 8);
		bytes_append_text(model, "a string");
		break;
	case 4:
		snprintf(text, sizeof text, "%d of %s", c, "many");
		c = p->gzprintf(f, "%d of %s", c, "many");
		FUZZ_CHECK(c == 0 || c == (int)strlen(text));        /* 0: the buffer is smaller */
		if (c)
			bytes_append_text(model, text);
		break;
	case 5:
		FUZZ_CHECK(p->gzseek64(f, (z_off64_t)len, SEEK_CUR) == (z_off64_t)(model->len_bytes + len));
		bytes_append(model, zeros, len);
		break;
	case 6: FUZZ_CHECK(p->gzflush(f, c % 5) == Z_OK); break;
	case 7: FUZZ_CHECK(p->gzsetparams(f, c % 10, c / 10 % 5) == Z_OK); break;
	}
	FUZZ_CHECK(p->gztell64(f) == (z_off64_t)model->len_bytes);
}

static void fuzz_writer(struct fuzz_input *in)
{
	static const char *const modes[] = { "w", "w0", "w1", "w9", "w4h", "wR", "wF", "wf" };
	const struct peer_zlib *p = fuzz_subject();
	struct test_bytes model = { 0 }, back = { 0 };
	int fd = memfd_create("fuzz_gz", 0);
	gzFile f;

	FUZZ_CHECK(fd >= 0);
	f = open_copy(p, fd, modes[fuzz_byte(in) % 8], (unsigned)fuzz_size(in));
	for (unsigned i = 0; i < CALLS_MAX && in->left_bytes; i++)
		write_step(p, f, in, &model);
	FUZZ_CHECK(p->gzclose(f) == Z_OK);
	read_whole(fuzz_judge(), fd, &back);
	FUZZ_CHECK(back.len_bytes == model.len_bytes);
	FUZZ_CHECK(!model.len_bytes || memcmp(back.data, model.data, model.len_bytes) == 0);
	close(fd);
	bytes_free(&model);
	bytes_free(&back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes)
{
	struct fuzz_input in = { data, len_bytes };

	if (fuzz_byte(&in) % 2)
		fuzz_reader(&in);
	else
		fuzz_writer(&in);
	return 0;
}
