/* SPDX-License-Identifier: Zlib */
/* contract_gz_stall.c - descriptors that do not block: since 1.3.2 a file that has nothing, or takes nothing, at the moment stops a
 * call but not the file.  Older versions make it a final error, so only 1.3.2 and ours are asked. */
#include "abi/contract.h"
#include "abi/gz_files.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define BODY_BYTES 90000u

static struct test_bytes body, packed;

static int make_body(void **state)
{
	(void)state;
	corpus_make(CORPUS_MIXED, 3, BODY_BYTES, &body);
	contract_pack(peer_ours(), 6, 31, body.data, 50000, &packed);
	contract_pack(peer_ours(), 6, 31, body.data + 50000, BODY_BYTES - 50000, &packed);      /* two members */
	return gz_make_dir(state);
}

static int free_body(void **state)
{
	bytes_free(&body);
	bytes_free(&packed);
	return gz_remove_dir(state);
}

/* What has come so far is a beginning of the body; the file stalls and has not ended. */
static void expect_stalled(const struct peer_zlib *p, gzFile f, int n, const Bytef *out, size_t got)
{
	EXPECT_AT(p, (long long)got, n <= 0, 1);
	EXPECT_AT(p, (long long)got, errno, EAGAIN);
	EXPECT_AT(p, (long long)got, p->gzeof(f), 0);
	EXPECT_AT(p, (long long)got, p->gztell64(f), got);
	EXPECT_AT(p, (long long)got, memcmp(out, body.data, got), 0);
}

/* Requests of every size, smaller and larger than the buffers; input comes in pieces of any size. */
static void a_reader_waits_and_goes_on(void **state)
{
	static const unsigned requests[] = { 1, 100, 4095, 4096, 5000, 16384, 200000 };
	static Bytef out[BODY_BYTES + 200000];

	(void)state;
	EACH_ZLIB(p) {
		if (!has_1_3_2(p))
			continue;
		for (size_t q = 0; q < sizeof requests / sizeof requests[0]; q++) {
			struct rng random = rng_seed(q);
			size_t sent = 0, got = 0;
			int ends[2], n;
			gzFile f;

			assert_int_equal(pipe(ends), 0);
			f = p->gzdopen(ends[0], "rN");
			assert_non_null(f);
			while (sent < packed.len_bytes) {
				size_t piece = 1 + rng_below(&random, q & 1 ? 9000 : 60), left = packed.len_bytes - sent;

				while ((n = p->gzread(f, out + got, requests[q])) > 0)
					got += (size_t)n;
				if (got < BODY_BYTES)
					expect_stalled(p, f, n, out, got);
				piece = piece < left ? piece : left;
				EXPECT(p, write(ends[1], packed.data + sent, piece), piece);
				sent += piece;
			}
			close(ends[1]);
			while ((n = p->gzread(f, out + got, requests[q])) > 0)
				got += (size_t)n;
			EXPECT_AT(p, requests[q], n, 0);
			EXPECT_AT(p, requests[q], got, BODY_BYTES);
			EXPECT(p, memcmp(out, body.data, BODY_BYTES), 0);
			EXPECT(p, p->gzeof(f), 1);
			EXPECT(p, p->gzclose(f), Z_OK);
		}
	}
}

/* A byte at a time by gzgetc(), and gzerror() while it stalls: Z_ERRNO, which the next call forgets. */
static void gzgetc_waits_and_goes_on(void **state)
{
	(void)state;
	EACH_ZLIB(p) {
		static Bytef out[BODY_BYTES];
		size_t sent = 0, got = 0;
		int ends[2], c, error;
		gzFile f;

		if (!has_1_3_2(p))
			continue;
		assert_int_equal(pipe(ends), 0);
		f = p->gzdopen(ends[0], "rN");
		while (sent < packed.len_bytes) {
			size_t piece = packed.len_bytes - sent < 500 ? packed.len_bytes - sent : 500;

			while ((c = p->gzgetc(f)) >= 0)
				out[got++] = (Bytef)c;
			if (got < BODY_BYTES) {
				expect_stalled(p, f, c, out, got);
				(void)p->gzerror(f, &error);
				EXPECT_AT(p, (long long)got, error, Z_ERRNO);
			}
			EXPECT(p, write(ends[1], packed.data + sent, piece), piece);
			sent += piece;
		}
		close(ends[1]);
		while ((c = p->gzgetc(f)) >= 0)
			out[got++] = (Bytef)c;
		EXPECT(p, got, BODY_BYTES);
		EXPECT(p, memcmp(out, body.data, BODY_BYTES), 0);
		(void)p->gzerror(f, &error);
		EXPECT(p, error, Z_OK);
		EXPECT(p, p->gzclose(f), Z_OK);
	}
}

/* A writer's call says how much of it was taken; what was taken is not lost. */
static void a_writer_waits_and_goes_on(void **state)
{
	static const unsigned requests[] = { 100, 5000, 30000, BODY_BYTES };

	(void)state;
	EACH_ZLIB(p) {
		if (!has_1_3_2(p))
			continue;
		for (size_t q = 0; q < sizeof requests / sizeof requests[0]; q++) {
			struct test_bytes file = { 0 };
			struct test_bytes noise = { 0 };
			size_t done = 0;
			unsigned stalls = 0;
			int ends[2], n, code;
			z_stream s = { 0 };
			gzFile f;

			corpus_make(CORPUS_RANDOM, q, 300000, &noise);
			bytes_reserve(&file, 400000);
			assert_int_equal(pipe(ends), 0);
			assert_int_equal(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
			f = p->gzdopen(ends[1], "wN1");
			while (done < noise.len_bytes) {
				size_t left = noise.len_bytes - done;

				errno = 0;
				n = p->gzwrite(f, noise.data + done, (unsigned)(left < requests[q] ? left : requests[q]));
				EXPECT(p, n >= 0, 1);
				done += (size_t)n;
				if (n)
					continue;
				EXPECT(p, errno, EAGAIN);
				stalls++;
				n = (int)read(ends[0], file.data + file.len_bytes, 20000);
				EXPECT(p, n > 0, 1);
				file.len_bytes += (size_t)n;
			}
			EXPECT(p, stalls > 0, 1);
			while ((code = p->gzflush(f, Z_FINISH)) != Z_OK) {
				EXPECT(p, code, Z_ERRNO);
				n = (int)read(ends[0], file.data + file.len_bytes, 20000);
				EXPECT(p, n > 0, 1);
				file.len_bytes += (size_t)n;
			}
			while ((n = (int)read(ends[0], file.data + file.len_bytes, 20000)) > 0)
				file.len_bytes += (size_t)n;
			(void)p->gzclose(f);             /* 1.3.2 finishes a second time: the end of the file is looked at here */
			EXPECT(p, contract_inflate_init(p, &s, 31), Z_OK);
			{
				static Bytef back[300001];

				contract_input(&s, file.data, file.len_bytes);
				contract_output(&s, back, sizeof back);
				EXPECT_AT(p, requests[q], p->inflate(&s, Z_FINISH), Z_STREAM_END);
				EXPECT_AT(p, requests[q], s.total_out, noise.len_bytes);
				EXPECT(p, memcmp(back, noise.data, noise.len_bytes), 0);
			}
			EXPECT(p, p->inflateEnd(&s), Z_OK);
			close(ends[0]);
			bytes_free(&file);
			bytes_free(&noise);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_reader_waits_and_goes_on),
		cmocka_unit_test(gzgetc_waits_and_goes_on),
		cmocka_unit_test(a_writer_waits_and_goes_on),
	};

	return cmocka_run_group_tests(tests, make_body, free_body);
}
