/*
 * The part of cmocka that these tests use, for targets that cmocka is no package for: they run under an emulator. A failed
 * assertion ends its test; the program's exit status is the number of failed tests.
 */
#ifndef CMTNOISE_CROSS_CMOCKA_H
#define CMTNOISE_CROSS_CMOCKA_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
	const char *name;
	void (*test)(void **state);
	int (*setup)(void **state), (*teardown)(void **state);
};

static jmp_buf cmocka_escape;
enum { CMOCKA_FAILED = 1, CMOCKA_SKIPPED = 2 };

#define cmocka_unit_test(f) {#f, f, NULL, NULL}
#define cmocka_unit_test_setup(f, setup) {#f, f, setup, NULL}
#define cmocka_unit_test_setup_teardown(f, setup, teardown) {#f, f, setup, teardown}

#define test_malloc(size) malloc(size)
#define test_free(memory) free(memory)
#define print_message(...) printf(__VA_ARGS__)
#define skip() longjmp(cmocka_escape, CMOCKA_SKIPPED)
#define fail_msg(...)                                                                                                  \
	(printf("%s:%d: ", __FILE__, __LINE__), printf(__VA_ARGS__), puts(""), longjmp(cmocka_escape, CMOCKA_FAILED))

#define CMOCKA_HOLDS(condition) ((condition) ? (void)0 : fail_msg("not so: %s", #condition))
#define assert_true(c) CMOCKA_HOLDS(c)
#define assert_false(c) CMOCKA_HOLDS(!(c))
#define assert_null(p) CMOCKA_HOLDS(!(p))
#define assert_non_null(p) CMOCKA_HOLDS(p)
#define assert_ptr_equal(a, b) CMOCKA_HOLDS((const void *)(a) == (const void *)(b))
#define assert_ptr_not_equal(a, b) CMOCKA_HOLDS((const void *)(a) != (const void *)(b))
#define assert_memory_equal(a, b, size) CMOCKA_HOLDS(!memcmp(a, b, size))
#define assert_string_equal(a, b) cmocka_strings(a, b, __FILE__, __LINE__)
#define assert_string_not_equal(a, b) CMOCKA_HOLDS(strcmp(a, b))
#define assert_int_equal(a, b) cmocka_numbers((uint64_t)(a), (uint64_t)(b), #a, __FILE__, __LINE__)
#define assert_int_not_equal(a, b) CMOCKA_HOLDS((uint64_t)(a) != (uint64_t)(b))
#define assert_in_range(v, low, high)                                                                                  \
	CMOCKA_HOLDS((uint64_t)(v) - (uint64_t)(low) <= (uint64_t)(high) - (uint64_t)(low))

static inline void cmocka_strings(const char *a, const char *b, const char *file, int line)
{
	if (!strcmp(a, b))
		return;
	printf("%s:%d: \"%s\" is not \"%s\"\n", file, line, a, b);
	longjmp(cmocka_escape, CMOCKA_FAILED);
}

static inline void cmocka_numbers(uint64_t a, uint64_t b, const char *what, const char *file, int line)
{
	if (a == b)
		return;
	printf("%s:%d: %s is %" PRIu64 ", not %" PRIu64 "\n", file, line, what, a, b);
	longjmp(cmocka_escape, CMOCKA_FAILED);
}

static inline int cmocka_run_one(const struct CMUnitTest *test)
{
	static void *state; /* not automatic: longjmp() would leave it undefined */
	int result;
	state = NULL;
	result = setjmp(cmocka_escape);
	if (!result) {
		if (test->setup && test->setup(&state))
			fail_msg("the test's preparation failed");
		test->test(&state);
	}
	if (test->teardown)
		test->teardown(&state);
	printf("%s %s\n", result == CMOCKA_FAILED ? "FAILED" : result ? "skipped" : "ok", test->name);
	return result == CMOCKA_FAILED;
}

static inline int cmocka_run_all(const struct CMUnitTest *tests, size_t count)
{
	int failed = 0;
	for (size_t i = 0; i < count; i++)
		failed += cmocka_run_one(&tests[i]);
	fflush(stdout);
	return failed;
}

#define cmocka_run_group_tests_name(name, tests, setup, teardown)                                                      \
	(printf("== %s\n", name), cmocka_run_all(tests, sizeof tests / sizeof *tests))

#endif
