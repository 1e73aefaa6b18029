/* SPDX-License-Identifier: Zlib */
/* contract_large.c - more than 4 GB through the gz functions and the z_size_t functions.  Only in ./check --deep.
 * deflate() and inflate() themselves: tests/regress/test_near_deflate.c, test_near_inflate.c. */
#include "abi/contract.h"
#include "abi/gz_files.h"

#include <sys/mman.h>

#define PIECE_BYTES (16u << 20)
#define PIECES      257                      /* 4 GB and 16 MB */
#define LARGE_BYTES ((uint64_t)PIECES * PIECE_BYTES)

static Bytef piece[PIECE_BYTES];

/* Positions and offsets beyond 4 GB; the trailer's length is taken modulo 2^32 and is right. */
static void a_file_of_more_than_4_gb(void **state)
{
	const struct peer_zlib *readers[PEER_SUBJECTS_MAX];
	size_t count = peer_subjects(readers);

	(void)state;
	if (!contract_is_deep())
		skip();                          /* writes more than 4 GB: for ./check --deep */
	EACH_ZLIB(p) {
		const z_off64_t mark = (z_off64_t)LARGE_BYTES + 5;
		char path[GZ_PATH_BYTES];
		gzFile f = p->gzopen64(gz_path(path, "large"), "w1");

		for (unsigned i = 0; i < PIECES; i++)
			EXPECT(p, p->gzwrite(f, piece, PIECE_BYTES), PIECE_BYTES);
		EXPECT(p, p->gztell64(f), LARGE_BYTES);
		EXPECT(p, p->gzseek64(f, mark, SEEK_SET), mark);
		EXPECT(p, p->gzputc(f, 'x'), 'x');
		EXPECT(p, p->gzclose(f), Z_OK);
		for (size_t i = 0; i < count; i++) {
			const struct peer_zlib *r = readers[i];

			f = r->gzopen64(path, "r");
			EXPECT(r, r->gzseek64(f, mark, SEEK_SET), mark);
			EXPECT(r, r->gzgetc(f), 'x');
			EXPECT(r, r->gzgetc(f), -1);
			EXPECT(r, r->gzeof(f), 1);
			EXPECT(r, r->gztell64(f), mark + 1);
			EXPECT(r, r->gztell(f), sizeof(z_off_t) < 8 ? -1 : mark + 1);
			EXPECT(r, r->gzoffset64(f), r->gzoffset(f)); /* the packed file is small */
			EXPECT(r, r->gzclose(f), Z_OK);  /* no Z_DATA_ERROR: CRC and length were right */
		}
	}
}

/* Address space of bytes, a multiple of PIECE_BYTES, in which every PIECE_BYTES are the same memory. */
static Bytef *map_repeated(size_t bytes)
{
	int fd = memfd_create("piece", 0);
	Bytef *at = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	assert_true(fd >= 0 && at != MAP_FAILED);
	assert_int_equal(ftruncate(fd, PIECE_BYTES), 0);
	for (size_t done = 0; done < bytes; done += PIECE_BYTES)
		assert_true(mmap(at + done, PIECE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) != MAP_FAILED);
	close(fd);
	return at;
}

/* Lengths that no uInt can say: compress2_z() takes all, uncompress2_z() gives all, whole and into one byte too few. */
static void a_buffer_of_more_than_4_gb(void **state)
{
	const size_t room = 64u << 20, bytes = (size_t)LARGE_BYTES;
	Bytef *body, *packed;

	(void)state;
	if (!contract_is_deep() || sizeof(size_t) < 8)
		skip();                          /* takes more than 4 GB of memory: for ./check --deep, and where a size holds them */
	body = map_repeated(bytes);
	packed = malloc(room);
	assert_non_null(packed);
	EACH_ZLIB(p) {
		z_size_t packed_bytes = room, out_bytes = bytes, used;

		if (!has_1_3_2(p))
			continue;
		EXPECT(p, p->compress2_z(packed, &packed_bytes, body, bytes, 1), Z_OK);
		assert_true(packed_bytes < room);
		used = packed_bytes;
		EXPECT(p, p->uncompress2_z(body, &out_bytes, packed, &used), Z_OK);
		EXPECT(p, out_bytes, bytes);
		EXPECT(p, used, packed_bytes);
		out_bytes = bytes - 1;
		EXPECT(p, p->uncompress_z(body, &out_bytes, packed, packed_bytes), Z_BUF_ERROR);
		EXPECT(p, out_bytes, bytes - 1);
		out_bytes = bytes;
		EXPECT(p, p->uncompress_z(body, &out_bytes, packed, packed_bytes - 1), Z_DATA_ERROR);
	}
	free(packed);
	munmap(body, bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_of_more_than_4_gb),
		cmocka_unit_test(a_buffer_of_more_than_4_gb),
	};

	return cmocka_run_group_tests(tests, gz_make_dir, gz_remove_dir);
}
