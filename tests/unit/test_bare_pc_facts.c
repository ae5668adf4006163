/* A PC's arithmetic: where a strand sits by its id, the rate of the counter from tries, the date from the CMOS clock. */
#include "tests/unit/test.h"
#include "domains/bare/pc/date.h"
#include "domains/bare/pc/place.h"
#include "domains/bare/pc/rate.h"

struct known {
	unsigned leaf, subleaf;
	struct cpuid_leaf values;
};

static const struct known *cpu;

static struct cpuid_leaf ask(unsigned leaf, unsigned subleaf)
{
	for (const struct known *k = cpu; k->leaf != UINT32_MAX; k++)
		if (k->leaf == leaf && k->subleaf == subleaf)
			return k->values;
	return (struct cpuid_leaf){0, 0, 0, 0};
}

/* clang-format off: one leaf a line */
#define END                                                                                                            \
	{                                                                                                              \
		UINT32_MAX, 0,                                                                                         \
		{                                                                                                      \
			0, 0, 0, 0                                                                                     \
		}                                                                                                      \
	}
#define HAS_SEVERAL (1u << 28)

static const struct known smt_by_0b[] = {
	{0, 0, {0x0d, 0, 0, 0}}, {0x0b, 0, {1, 2, 0x100, 0}}, {0x0b, 1, {4, 16, 0x201, 0}}, END};
static const struct known dies_by_1f[] = {{0, 0, {0x1f, 0, 0, 0}},
					  {0x0b, 0, {1, 2, 0x100, 0}},
					  {0x0b, 1, {5, 32, 0x201, 0}},
					  {0x1f, 0, {1, 2, 0x100, 0}},
					  {0x1f, 1, {4, 16, 0x201, 0}},
					  {0x1f, 2, {6, 64, 0x502, 0}},
					  END};
static const struct known no_smt_by_0b[] = {
	{0, 0, {0x16, 0, 0, 0}}, {0x0b, 0, {0, 1, 0x100, 0}}, {0x0b, 1, {3, 6, 0x201, 0}}, END};
static const struct known old_intel[] = {/* 4 cores of 2 strands, ids with room for 8 cores */
					 {0, 0, {0x0a, 0, 0, 0}},
					 {1, 0, {0, 16 << 16, 0, HAS_SEVERAL}},
					 {4, 0, {7u << 26 | 0x121, 0, 0, 0}},
					 END};
static const struct known old_amd[] = {{0, 0, {1, 0, 0, 0}},
				       {1, 0, {0, 6 << 16, 0, HAS_SEVERAL}},
				       {0x80000000, 0, {0x80000008, 0, 0, 0}},
				       {0x80000008, 0, {0, 0, 3 << 12 | 5, 0}},
				       END};
static const struct known amd_with_strands[] = {{0, 0, {0x0d, 0, 0, 0}},
						{1, 0, {0, 16 << 16, 0, HAS_SEVERAL}},
						{0x80000000, 0, {0x8000001e, 0, 0, 0}},
						{0x80000001, 0, {0, 0, 1 << 22, 0}},
						{0x80000008, 0, {0, 0, 4 << 12 | 15, 0}},
						{0x8000001e, 0, {0, 1 << 8, 0, 0}},
						END};
static const struct known single[] = {{0, 0, {1, 0, 0, 0}}, {1, 0, {0, 1 << 16, 0, 0}}, END};
static const struct known nonsense[] = {/* more strands in a core than in a package, and no older leaf */
					{0, 0, {0x0b, 0, 0, 0}},
					{0x0b, 0, {9, 2, 0x100, 0}},
					{0x0b, 1, {4, 16, 0x201, 0}},
					END};
/* clang-format on */

static void a_strand_sits_where_its_id_tells(void **state)
{
	(void)state;
	static const struct {
		const struct known *cpu;
		struct place_bits bits;
	} cases[] = {
		{smt_by_0b, {1, 4}}, {dies_by_1f, {1, 6}},       {no_smt_by_0b, {0, 3}}, {old_intel, {1, 4}},
		{old_amd, {0, 3}},   {amd_with_strands, {1, 4}}, {single, {0, 0}},       {nonsense, {0, 0}},
	};
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		cpu = cases[i].cpu;
		struct place_bits bits = place_bits(ask);
		assert_int_equal(bits.core, cases[i].bits.core);
		assert_int_equal(bits.package, cases[i].bits.package);
	}
}

static void a_rate_is_scaled_without_overflow(void **state)
{
	(void)state;
	assert_int_equal(rate_scale(20000000, 1193182, 23864), 999984915);
	assert_int_equal(rate_scale(100000000000, 1193182, 11932), 9999849145156); /* no rate, but no overflow either */
	assert_int_equal(rate_scale(3, 1, 2), 2);
	assert_int_equal(rate_scale(UINT64_MAX / 3, 3, 3), UINT64_MAX / 3);
	assert_int_equal(rate_scale(7, 1000, 0), 0);
	assert_int_equal(rate_scale(3000000000, 200000000, 1000000000), 600000000);
}

static void the_middle_of_the_tries_is_taken(void **state)
{
	(void)state;
	bool agree;
	uint64_t near[] = {1000, 1005, 999, 1001, 1000};
	assert_int_equal(rate_middle(near, 5, &agree), 1000);
	assert_true(agree);
	uint64_t held_up[] = {5000, 1001, 1000, 999, 1000};
	assert_int_equal(rate_middle(held_up, 5, &agree), 1000);
	assert_false(agree);
	uint64_t early[] = {1000, 500, 1001, 400, 1002};
	assert_int_equal(rate_middle(early, 5, &agree), 1000);
	assert_false(agree);
	uint64_t one[] = {7};
	assert_int_equal(rate_middle(one, 1, &agree), 7);
	assert_true(agree);
}

static void a_rate_that_no_counter_has_is_a_fault(void **state)
{
	(void)state;
	assert_false(rate_plausible(0) || rate_plausible(99999999) || rate_plausible(10000000001));
	assert_true(rate_plausible(100000000) && rate_plausible(1000000000) && rate_plausible(10000000000));
}

enum { BCD_12 = 0, BCD_24 = 2, BINARY_12 = 4, BINARY_24 = 6 };

static void dates_are_read_in_every_format(void **state)
{
	(void)state;
	static const struct {
		struct date date;
		unsigned format;
		uint64_t seconds;
	} cases[] = {
		{{0x00, 0x00, 0x00, 0x01, 0x01, 0x24}, BCD_24, 1704067200},
		{{0x59, 0x59, 0x23, 0x31, 0x12, 0x23}, BCD_24, 1704067199},
		{{0x00, 0x00, 0x00, 0x01, 0x01, 0x00}, BCD_24, 946684800},
		{{0x00, 0x00, 0x12, 0x29, 0x02, 0x24}, BCD_24, 1709208000},
		{{0x00, 0x00, 0x12, 0x01, 0x03, 0x24}, BCD_24, 1709294400},
		{{0x00, 0x00, 0x12, 0x01, 0x03, 0x25}, BCD_24, 1740830400},
		{{30, 45, 13, 21, 11, 26}, BINARY_24, 1795268730},
		{{0x30, 0x45, 0x81, 0x21, 0x11, 0x26}, BCD_12, 1795268730}, /* 1 in the afternoon */
		{{30, 45, 0x80 | 1, 21, 11, 26}, BINARY_12, 1795268730},
		{{0x00, 0x00, 0x12, 0x01, 0x01, 0x24}, BCD_12, 1704067200}, /* 12 at night */
		{{0x00, 0x00, 0x92, 0x01, 0x01, 0x24}, BCD_12, 1704110400}, /* 12 at noon */
	};
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(date_seconds(cases[i].date, cases[i].format), cases[i].seconds);
}

static void a_clock_that_tells_no_date_is_not_believed(void **state)
{
	(void)state;
	static const struct date none[] = {
		{0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
		{0x60, 0, 0, 1, 1, 0},
		{0, 0x60, 0, 1, 1, 0},
		{0, 0, 0x24, 1, 1, 0},
		{0, 0, 0, 0, 1, 0},
		{0, 0, 0, 0x32, 1, 0},
		{0, 0, 0, 1, 0, 0},
		{0, 0, 0, 1, 0x13, 0},
		{0, 0, 0, 1, 1, 0xa0},
	};
	for (unsigned i = 0; i < sizeof none / sizeof *none; i++)
		assert_int_equal(date_seconds(none[i], BCD_24), 0);
}

static void dates_differ_in_any_part(void **state)
{
	(void)state;
	struct date d = {1, 2, 3, 4, 5, 6}, same = d;
	assert_true(date_same(&d, &same));
	for (unsigned i = 0; i < 6; i++) {
		struct date other = d;
		((unsigned *)&other)[i]++;
		assert_false(date_same(&d, &other));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_strand_sits_where_its_id_tells),
		cmocka_unit_test(a_rate_is_scaled_without_overflow),
		cmocka_unit_test(the_middle_of_the_tries_is_taken),
		cmocka_unit_test(a_rate_that_no_counter_has_is_a_fault),
		cmocka_unit_test(dates_are_read_in_every_format),
		cmocka_unit_test(a_clock_that_tells_no_date_is_not_believed),
		cmocka_unit_test(dates_differ_in_any_part),
	};
	return cmocka_run_group_tests_name("a PC's facts", tests, NULL, NULL);
}
