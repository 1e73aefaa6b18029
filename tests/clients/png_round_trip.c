/* SPDX-License-Identifier: Zlib */
/* png_round_trip.c - png_round_trip DIRECTORY: writes images with libpng at every level, strategy and filter, reads them
 * back and compares every pixel.  1 when one differs. */
#include <png.h>

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH  301
#define HEIGHT 97
#define PIXEL_MAX_BYTES 8

static unsigned char pixels[HEIGHT][WIDTH * PIXEL_MAX_BYTES];

/* A gradient with some noise in a corner: rows that filters like, and rows that nothing compresses. */
static void paint(size_t row_bytes)
{
	unsigned noise = 1;

	for (unsigned y = 0; y < HEIGHT; y++)
		for (size_t x = 0; x < row_bytes; x++) {
			noise = noise * 1103515245 + 12345;
			pixels[y][x] = (unsigned char)(x > row_bytes / 2 && y > HEIGHT / 2 ? noise >> 16 : x + y * 3);
		}
}

static int write_image(const char *path, int color_type, int level, int strategy, int filters)
{
	FILE *f = fopen(path, "wb");
	png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
	png_infop info = png_create_info_struct(png);

	if (!f || setjmp(png_jmpbuf(png)))
		return 1;
	png_init_io(png, f);
	png_set_IHDR(png, info, WIDTH, HEIGHT, 8, color_type, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
		     PNG_FILTER_TYPE_DEFAULT);
	png_set_compression_level(png, level);
	png_set_compression_strategy(png, strategy);
	png_set_filter(png, 0, filters);
	png_write_info(png, info);
	for (unsigned y = 0; y < HEIGHT; y++)
		png_write_row(png, pixels[y]);
	png_write_end(png, info);
	png_destroy_write_struct(&png, &info);
	return fclose(f);
}

static int read_image(const char *path, size_t row_bytes)
{
	static unsigned char row[WIDTH * PIXEL_MAX_BYTES];
	FILE *f = fopen(path, "rb");
	png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
	png_infop info = png_create_info_struct(png);
	int bad = 0;

	if (!f || setjmp(png_jmpbuf(png)))
		return 1;
	png_init_io(png, f);
	png_read_info(png, info);
	for (unsigned y = 0; y < HEIGHT; y++) {
		png_read_row(png, row, NULL);
		bad |= memcmp(row, pixels[y], row_bytes) != 0;
	}
	png_read_end(png, info);
	png_destroy_read_struct(&png, &info, NULL);
	fclose(f);
	return bad;
}

int main(int argc, char **argv)
{
	static const struct { int color_type; size_t pixel_bytes; } types[] = {
		{ PNG_COLOR_TYPE_GRAY, 1 }, { PNG_COLOR_TYPE_GRAY_ALPHA, 2 }, { PNG_COLOR_TYPE_RGB, 3 }, { PNG_COLOR_TYPE_RGB_ALPHA, 4 },
	};
	static const int filters[] = { PNG_FILTER_NONE, PNG_FILTER_SUB, PNG_FILTER_PAETH, PNG_ALL_FILTERS };
	char path[4096];
	int count = 0;

	if (argc != 2)
		return 2;
	snprintf(path, sizeof path, "%s/image.png", argv[1]);
	for (unsigned type = 0; type < 4; type++) {
		size_t row_bytes = WIDTH * types[type].pixel_bytes;

		paint(row_bytes);
		for (int level = 0; level <= 9; level++)
			for (int strategy = 0; strategy <= 4; strategy++, count++)
				if (write_image(path, types[type].color_type, level, strategy, filters[(level + strategy) % 4]) ||
				    read_image(path, row_bytes)) {
					fprintf(stderr, "colour type %d, level %d, strategy %d\n", types[type].color_type, level, strategy);
					return 1;
				}
	}
	printf("png: %d images\n", count);
	return 0;
}
