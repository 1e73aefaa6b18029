/* SPDX-License-Identifier: Zlib */
/* test_payloads.c - the built-in bodies are what they were, and own files are read as they are. */
#include "bench/payloads.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct { const char *name; size_t size_bytes; } required[] = {
	{ "data.json", 602254 }, { "random.bin", 1048576 }, { "rows.html", 159279 }, { "items.json", 443791 },
	{ "300b.json", 300 }, { "1k.html", 1024 }, { "25k.html", 25600 }, { "api-2k.json", 2560 },
};

static const struct zw_payload *find(const struct zw_payloads *payloads, const char *name)
{
	for (size_t i = 0; i < payloads->count; i++)
		if (strcmp(payloads->list[i].name, name) == 0)
			return &payloads->list[i];
	return NULL;
}

/* Making one checks its size and CRC, so this fails where a compiler evaluates something in another order. */
static void a_body_differs_on_this_machine(void **state)
{
	struct zw_payloads payloads = { NULL, 0 };

	(void)state;
	assert_true(zw_payloads_add_built_in(&payloads));
	assert_int_equal(payloads.count, zw_payload_recipe_count);
	for (size_t i = 0; i < sizeof required / sizeof required[0]; i++) {
		const struct zw_payload *payload = find(&payloads, required[i].name);

		assert_non_null(payload);
		assert_int_equal(payload->body.size_bytes, required[i].size_bytes);
		assert_int_equal(payload->is_incompressible, strcmp(required[i].name, "random.bin") == 0);
	}
	zw_payloads_free(&payloads);
}

static void a_wrong_crc_is_not_noticed(void **state)
{
	struct zw_payload_recipe recipe = zw_payload_recipes[0];
	struct zw_payload payload;

	(void)state;
	recipe.crc32 ^= 1;
	assert_false(zw_payload_make(&recipe, &payload));
}

static void the_published_records_end_elsewhere(void **state)
{
	static const char last[] = "\"ts\":\"2026-09-01T12:39:39 Z\"},{}]";
	struct zw_payloads payloads = { NULL, 0 };
	const struct zw_payload *data;

	(void)state;
	assert_true(zw_payloads_add_built_in(&payloads));
	data = find(&payloads, "data.json");
	assert_memory_equal(data->body.data, "[{\"id\":0,\"user\":\"user_0\",\"email\":\"user0@example.com\",\"active\":false,", 64);
	assert_memory_equal(data->body.data + data->body.size_bytes - (sizeof last - 1), last, sizeof last - 1);
	zw_payloads_free(&payloads);
}

static void files_below_a_directory_are_lost(void **state)
{
	struct zw_payloads payloads = { NULL, 0 };
	char *dir = zw_temp_dir_make("test");
	char *sub = zw_tool_format("%s/sub", dir);
	char *first = zw_tool_format("%s/a", dir), *second = zw_tool_format("%s/b", sub), *empty = zw_tool_format("%s/c", dir);

	(void)state;
	assert_int_equal(mkdir(sub, 0700), 0);
	assert_true(zw_file_write(first, "one", 3));
	assert_true(zw_file_write(second, "three", 5));
	assert_true(zw_file_write(empty, "", 0));
	assert_true(zw_payloads_add_path(&payloads, dir));
	assert_int_equal(payloads.count, 2);
	assert_string_equal(payloads.list[0].name, "a");
	assert_string_equal(payloads.list[1].name, "sub/b");
	assert_memory_equal(payloads.list[1].body.data, "three", 5);
	assert_false(zw_payloads_add_path(&payloads, empty));
	zw_tree_remove(dir);
	assert_false(zw_payloads_add_path(&payloads, dir));
	zw_payloads_free(&payloads);
	free(dir);
	free(sub);
	free(first);
	free(second);
	free(empty);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_body_differs_on_this_machine),
		cmocka_unit_test(a_wrong_crc_is_not_noticed),
		cmocka_unit_test(the_published_records_end_elsewhere),
		cmocka_unit_test(files_below_a_directory_are_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
