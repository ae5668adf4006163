/* The runtime's own vsnprintf and memory functions, held against the C library's. */
#include "tests/unit/test.h"
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

#define vsnprintf bare_vsnprintf
#define snprintf bare_snprintf
#define memcpy bare_memcpy
#define memmove bare_memmove
#define memset bare_memset
#define memcmp bare_memcmp
#define strlen bare_strlen
#define strncmp bare_strncmp
#define strcmp bare_strcmp
#define strstr bare_strstr
#define strcspn bare_strcspn
#define strerror bare_strerror
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#include "domains/bare/printf.c"
#include "domains/bare/libc.c"
#pragma GCC diagnostic pop
#undef vsnprintf
#undef snprintf
#undef memcpy
#undef memmove
#undef memset
#undef memcmp
#undef strlen
#undef strncmp
#undef strcmp
#undef strstr
#undef strcspn
#undef strerror

static void check(size_t size, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void check(size_t size, const char *format, ...)
{
	char ours[128], theirs[128];
	va_list arguments, again;
	memset(ours, '#', sizeof ours);
	memset(theirs, '#', sizeof theirs);
	va_start(arguments, format);
	va_copy(again, arguments);
	int length = bare_vsnprintf(ours, size, format, arguments);
	assert_int_equal(length, vsnprintf(theirs, size, format, again));
	assert_memory_equal(ours, theirs, sizeof ours);
	va_end(again);
	va_end(arguments);
}

static void formats_as_the_c_library_does(void **state)
{
	(void)state;
	check(100, "plain, 100 %%");
	check(100, "%s|%.3s|%.*s|%s", "text", "cut here", 2, "cut", "");
	check(100, "%d %d %d %ld %lld", 0, -1, INT_MIN, LONG_MIN, LLONG_MIN);
	check(100, "%u %lu %llu %zu", UINT_MAX, ULONG_MAX, ULLONG_MAX, (size_t)12345);
	check(100, "%x 0x%llx %.8x %c", 0xbeef, 0x123456789abcdefull, 0x12u, 'c');
	check(100, "%.1f %.0f %.3f %.2f %f", 0.25001, 2.7, 1234.5678, -3.14159, 0.5);
	check(100, "%.1f %.2f", 9.96, 99.999);
}

static void cuts_what_does_not_fit(void **state)
{
	(void)state;
	for (size_t size = 0; size < 20; size++)
		check(size, "%s %d", "twelve bytes", 345);
}

static void a_number_too_large_is_a_word(void **state)
{
	char text[32];
	(void)state;
	assert_int_equal(bare_snprintf(text, sizeof text, "%.1f", 1e30), 4);
	assert_string_equal(text, "huge");
}

static void memory_moves_and_compares(void **state)
{
	char a[64], b[64];
	(void)state;
	for (size_t to = 0; to < 12; to++)
		for (size_t from = 0; from < 12; from++) {
			for (size_t i = 0; i < sizeof a; i++)
				a[i] = b[i] = (char)i;
			assert_ptr_equal(bare_memmove(a + to, a + from, 37), a + to);
			memmove(b + to, b + from, 37);
			assert_memory_equal(a, b, sizeof a);
			bare_memset(a + to, 0x1a5, from + 20);
			memset(b + to, 0xa5, from + 20);
			assert_memory_equal(a, b, sizeof a);
		}
	assert_int_equal(bare_memcmp("abc", "abc", 3), 0);
	assert_true(bare_memcmp("abc", "abd", 3) < 0 && bare_memcmp("ab\xff", "abc", 3) > 0);
}

static void strings_are_found_and_compared(void **state)
{
	const char *text = "QEMU TCG";
	(void)state;
	assert_ptr_equal(bare_strstr(text, "TCG"), text + 5);
	assert_null(bare_strstr(text, "TCGX"));
	assert_ptr_equal(bare_strstr(text, ""), text);
	assert_int_equal(bare_strcspn("avx2,fma", ","), 4);
	assert_int_equal(bare_strcspn("fma", ",;"), 3);
	assert_true(bare_strcmp("add", "add_wide") < 0 && !bare_strcmp("add", "add"));
	assert_true(!bare_strncmp("add", "add_wide", 3) && bare_strncmp("b", "a", 9) > 0);
	assert_int_equal(bare_strlen(text), 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(formats_as_the_c_library_does),  cmocka_unit_test(cuts_what_does_not_fit),
		cmocka_unit_test(a_number_too_large_is_a_word),   cmocka_unit_test(memory_moves_and_compares),
		cmocka_unit_test(strings_are_found_and_compared),
	};
	return cmocka_run_group_tests_name("the bare runtime's C library", tests, NULL, NULL);
}
