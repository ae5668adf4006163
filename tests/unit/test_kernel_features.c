/* Kernels that need what a CPU lacks: a CPU and kernels made up here. */
#include "tests/unit/test.h"
#include "asm/isa.h"
#include "harness/kernels.h"

const struct kernel kernel_registry[] = {
	{.name = "plain", .needs = ""}, {.name = "wide", .needs = "avx2,fma"}, {.name = "widest", .needs = "avx512"}};
const size_t kernel_registry_count = 3;

static const char *has = "";

int isa_has(const char *feature)
{
	return strstr(has, feature) != NULL;
}

static void the_first_missing_feature_is_named(void **state)
{
	char feature[32];
	(void)state;
	has = "avx2 fma";
	assert_false(kernel_lacks(&kernel_registry[0], feature, sizeof feature));
	assert_false(kernel_lacks(&kernel_registry[1], feature, sizeof feature));
	assert_true(kernel_lacks(&kernel_registry[2], feature, sizeof feature));
	assert_string_equal(feature, "avx512");
	has = "avx2";
	assert_true(kernel_lacks(&kernel_registry[1], feature, sizeof feature));
	assert_string_equal(feature, "fma");
}

static void kernels_are_found_by_their_whole_name(void **state)
{
	(void)state;
	assert_ptr_equal(kernel_find("wide", 4), &kernel_registry[1]);
	assert_ptr_equal(kernel_find("wide,plain", 4), &kernel_registry[1]);
	assert_null(kernel_find("wid", 3));
	assert_null(kernel_find("wides", 5));
	assert_null(kernel_find("", 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_missing_feature_is_named),
		cmocka_unit_test(kernels_are_found_by_their_whole_name),
	};
	return cmocka_run_group_tests_name("kernel_features", tests, NULL, NULL);
}
