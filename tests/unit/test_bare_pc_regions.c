/* The memory map that a PC's loader leaves: free memory behind the image, a page to start strands in; hostile maps. */
#include "tests/unit/test.h"
#include "domains/bare/pc/regions.h"

#define MB ((uint64_t)1 << 20)
#define GB REGION_GIGABYTE

enum { RESERVED = 2, IMAGE_END = 0x180000 };

static void the_largest_stretch_behind_the_image_is_chosen(void **state)
{
	(void)state;
	struct region_choice c = {.least = IMAGE_END + 1, .most = REGION_MAPPED};
	region_consider(&c, 0, 0x9fc00, REGION_FREE);
	assert_int_equal(c.bytes, 0);
	region_consider(&c, 1 * MB, 15 * MB, REGION_FREE);
	assert_int_equal(c.begin, IMAGE_END + REGION_PAGE);
	assert_int_equal(c.begin + c.bytes, 16 * MB);
	region_consider(&c, 32 * MB, 2 * GB, RESERVED);
	region_consider(&c, 16 * MB + 1, 100 * MB, REGION_FREE);
	assert_int_equal(c.begin, 16 * MB + REGION_PAGE);
	assert_int_equal(c.begin + c.bytes, 116 * MB);
	region_consider(&c, 200 * MB, 50 * MB, REGION_FREE);
	assert_int_equal(c.begin, 16 * MB + REGION_PAGE);
}

static void memory_above_4_gb_is_taken_by_the_gigabyte_where_it_can_be_mapped(void **state)
{
	(void)state;
	struct region_choice c = {.least = IMAGE_END, .most = 512 * GB};
	region_consider(&c, 1 * MB, 2 * GB, REGION_FREE);
	region_consider(&c, 4 * GB, 3 * GB + 300 * MB, REGION_FREE);
	assert_int_equal(c.begin, 4 * GB);
	assert_int_equal(c.bytes, 3 * GB);
	region_consider(&c, 600 * GB, 1000 * GB, REGION_FREE);
	assert_int_equal(c.begin, 4 * GB);

	struct region_choice only_4 = {.least = IMAGE_END, .most = REGION_MAPPED};
	region_consider(&only_4, 1 * MB, 8 * GB, REGION_FREE);
	assert_int_equal(only_4.begin + only_4.bytes, 4 * GB);

	struct region_choice across = {.least = IMAGE_END, .most = 512 * GB};
	region_consider(&across, 3 * GB + 1 * MB, 4 * GB, REGION_FREE);
	assert_int_equal(across.begin, 4 * GB);
	assert_int_equal(across.bytes, 3 * GB);
}

static void a_region_that_wraps_round_is_none(void **state)
{
	(void)state;
	struct region_choice c = {.least = IMAGE_END, .most = 512 * GB};
	region_consider(&c, UINT64_MAX - MB, 2 * MB, REGION_FREE);
	region_consider(&c, 2 * MB, UINT64_MAX, REGION_FREE);
	region_consider(&c, 2 * MB, 0, REGION_FREE);
	assert_int_equal(c.bytes, 0);
	assert_int_equal(c.start_page, 0);
}

static uint64_t start_page(uint64_t base, uint64_t bytes, uint64_t base2, uint64_t bytes2)
{
	struct region_choice c = {.least = IMAGE_END, .most = REGION_MAPPED};
	region_consider(&c, base, bytes, REGION_FREE);
	region_consider(&c, base2, bytes2, REGION_FREE);
	return c.start_page;
}

static void strands_start_in_a_free_page_below_640_kb(void **state)
{
	(void)state;
	assert_int_equal(start_page(0, 0x9fc00, 1 * MB, 64 * MB), REGION_START_PAGE);
	assert_int_equal(start_page(0, 0x5000, 0x7000, 0x10000), REGION_START_PAGE);
	assert_int_equal(start_page(0, 0x8fff, 0x9000, 0x1000), REGION_PAGE);
	assert_int_equal(start_page(0, 0x1fff, 0x9001, 0x90000), 0xa000);
	assert_int_equal(start_page(0, 0x1000, 0x9f800, 64 * MB), 0);
	assert_int_equal(start_page(1 * MB, 64 * MB, 0, 0), 0);
}

struct __attribute__((packed)) entry {
	uint32_t size;
	uint64_t base, bytes;
	uint32_t type;
};

static void a_multiboot_map_is_walked_by_its_own_sizes(void **state)
{
	(void)state;
	struct __attribute__((packed)) {
		struct entry low;
		struct entry high;
		uint32_t more; /* the second entry has a longer form */
		struct entry last;
	} map = {{20, 0, 0x9fc00, REGION_FREE},
		 {24, 1 * MB, 16 * MB, REGION_FREE},
		 0,
		 {20, 64 * MB, 32 * MB, REGION_FREE}};
	struct region_choice c = {.least = IMAGE_END, .most = REGION_MAPPED};
	regions_of_multiboot(&c, &map, sizeof map);
	assert_int_equal(c.begin, 64 * MB);
	assert_int_equal(c.bytes, 32 * MB);
	assert_int_equal(c.start_page, REGION_START_PAGE);

	struct region_choice cut = {.least = IMAGE_END, .most = REGION_MAPPED};
	regions_of_multiboot(&cut, &map, sizeof map - 1);
	assert_int_equal(cut.begin, IMAGE_END);
}

static void a_multiboot_map_with_hostile_sizes_ends_the_walk(void **state)
{
	(void)state;
	static const uint32_t sizes[] = {0, 19, 21, 100, UINT32_MAX, UINT32_MAX - 3};
	for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct entry *map = test_malloc(2 * sizeof *map);
		map[0] = (struct entry){sizes[i], 2 * MB, MB, REGION_FREE};
		map[1] = (struct entry){20, 64 * MB, 32 * MB, RESERVED};
		struct region_choice c = {.least = IMAGE_END, .most = REGION_MAPPED};
		regions_of_multiboot(&c, map, 2 * sizeof *map);
		assert_true(c.bytes == 0 || c.begin == 2 * MB);
		test_free(map);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_largest_stretch_behind_the_image_is_chosen),
		cmocka_unit_test(memory_above_4_gb_is_taken_by_the_gigabyte_where_it_can_be_mapped),
		cmocka_unit_test(a_region_that_wraps_round_is_none),
		cmocka_unit_test(strands_start_in_a_free_page_below_640_kb),
		cmocka_unit_test(a_multiboot_map_is_walked_by_its_own_sizes),
		cmocka_unit_test(a_multiboot_map_with_hostile_sizes_ends_the_walk),
	};
	return cmocka_run_group_tests_name("a PC's memory", tests, NULL, NULL);
}
