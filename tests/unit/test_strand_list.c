#include "tests/unit/test.h"
#include <errno.h>
#include "bind/strand_list.h"

struct ids {
	unsigned items[6];
	size_t count;
};

/* Stops at the sixth. */
static int keep(unsigned id, void *context)
{
	struct ids *ids = context;
	ids->items[ids->count++] = id;
	return ids->count == 6 ? 7 : 0;
}

static void lists_are_read_in_order(void **state)
{
	struct ids ids = {0};
	(void)state;
	assert_int_equal(strand_list_parse("8,4-6,0", keep, &ids), 0);
	assert_int_equal(ids.count, 5);
	static const unsigned expected[] = {8, 4, 5, 6, 0};
	for (size_t i = 0; i < ids.count; i++)
		assert_int_equal(ids.items[i], expected[i]);
	ids.count = 0;
	assert_int_equal(strand_list_parse("", keep, &ids), 0);
	assert_int_equal(ids.count, 0);
}

static void the_callback_ends_it(void **state)
{
	struct ids ids = {0};
	(void)state;
	assert_int_equal(strand_list_parse("0-4294967294", keep, &ids), 7);
	assert_int_equal(ids.items[5], 5);
	ids.count = 0;
	assert_int_equal(strand_list_parse("4294967293-4294967294", keep, &ids),
			 0); /* the largest ids do not wrap around */
	assert_int_equal(ids.count, 2);
	assert_true(ids.items[1] == 4294967294U);
}

static void bad_lists(void **state)
{
	static const char *const bad[] = {
		"a",    "1-", "3-1", "1,",  ",1",         "1,,2",         "1 2",
		" 1",   "+1", "-1",  "0x1", "4294967295", "0-4294967295", "99999999999999999999",
		"1-2-3"};
	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct ids ids = {0};
		assert_int_equal(strand_list_parse(bad[i], keep, &ids), -EINVAL);
	}
}

static void lists_are_written_compactly(void **state)
{
	static const struct {
		unsigned ids[6];
		size_t count, size;
		const char *text;
	} cases[] = {
		{{0}, 0, 4, ""},
		{{3}, 1, 4, "3"},
		{{0, 1, 2, 3, 8}, 5, 12, "0-3,8"},
		{{0, 1, 2, 3, 8}, 5, 6, "0-3,8"}, /* fits to the byte */
		{{10, 11, 12, 99, 101}, 5, 9, "10-12..."},
		{{10, 12, 14, 16, 18}, 5, 12, "10,12,14..."},
		{{10, 12, 14, 16}, 4, 12, "10,12,14,16"},
		{{1000, 2000}, 2, 4, "..."},
		{{4294967293U, 4294967294U}, 2, 22, "4294967293-4294967294"},
	};
	char text[32];
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		memset(text, '#', sizeof text);
		strand_list_format(text, cases[i].size, cases[i].ids, cases[i].count);
		assert_string_equal(text, cases[i].text);
		assert_int_equal(text[cases[i].size], '#');
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_are_read_in_order),
		cmocka_unit_test(the_callback_ends_it),
		cmocka_unit_test(bad_lists),
		cmocka_unit_test(lists_are_written_compactly),
	};
	return cmocka_run_group_tests_name("strand_list", tests, NULL, NULL);
}
