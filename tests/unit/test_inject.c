/* The schedule of slices, what is refused, and a whole injection on a made-up machine. */
#include "tests/unit/test.h"
#include <errno.h>
#include <stdlib.h>
#include "asm/isa.h"
#include "harness/inject.h"
#include "harness/schedule.h"

/* A machine whose timer counts nanoseconds, each read 100 of them, and whose one thread runs within os_start(). */
enum { READ_NS = 100, BEGIN_NS = 5000 };
static uint64_t now_ns;
static uint64_t oversleep_at_ns, oversleep_ns; /* the first sleep that ends then or later takes so much longer */
static unsigned lost_after;                    /* answers of os_where() before the binding is lost */
static int realtime_error;
static const struct strand strand = {.id = 3, .core = 1};

const char os_name[] = "made-up";

uint64_t timer_read(void)
{
	return now_ns += READ_NS;
}

uint64_t os_clock_ns(void)
{
	return now_ns;
}

int os_sleep_until_ns(uint64_t clock_ns)
{
	now_ns = clock_ns > now_ns ? clock_ns : now_ns;
	if (oversleep_ns && now_ns >= oversleep_at_ns) {
		now_ns += oversleep_ns;
		oversleep_ns = 0;
	}
	return 0;
}

int os_start(struct os_thread **thread, unsigned id, void (*fn)(void *argument), void *argument)
{
	assert_int_equal(id, strand.id);
	*thread = NULL;
	fn(argument);
	return 0;
}

int os_join(struct os_thread *thread)
{
	(void)thread;
	return 0;
}

int os_where(unsigned *id, bool *bound)
{
	*id = lost_after ? strand.id : strand.id + 1;
	*bound = true;
	lost_after -= lost_after > 0;
	return 0;
}

int os_realtime(const char **name, struct why *why)
{
	if (!realtime_error)
		*name = "fifo 80";
	return why_set(why, realtime_error, "not permitted");
}

void *os_alloc(size_t bytes, bool *locked)
{
	*locked = true;
	return calloc(1, bytes);
}

uint64_t os_memory_bytes(void)
{
	return 1 << 20;
}

uint64_t os_wall_time_ns(void)
{
	return 0;
}

/* 1000 slots of 10 µs, of which 2 µs are stolen. */
static void prepare(struct injection *in)
{
	*in = (struct injection){.strand = &strand,
				 .period_ns = 10000,
				 .slice_ns = 2000,
				 .duration_ns = 10000000,
				 .timer_hz = 1000000000,
				 .host = "here",
				 .label = "modelled"};
	now_ns = BEGIN_NS;
	oversleep_ns = 0;
	lost_after = 1000;
	realtime_error = 0;
}

static void slots_are_whole_periods_from_the_start(void **state)
{
	const struct schedule s = {.start_ns = 1000, .period_ns = 300, .slots = 10};
	(void)state;
	assert_int_equal(schedule_slot_ns(&s, 0), 1000);
	assert_int_equal(schedule_slot_ns(&s, 9), 3700);
	assert_int_equal(schedule_slot_ns(&(struct schedule){.start_ns = 1, .period_ns = 4000000}, 10000000000),
			 40000000000000001);
}

static void a_late_one_serves_the_slot_whose_period_it_is(void **state)
{
	const struct schedule s = {.start_ns = 1000, .period_ns = 300, .slots = 10};
	static const struct {
		uint64_t slot, now_ns, due;
	} cases[] = {
		{0, 1000, 0}, {0, 1299, 0}, {0, 1300, 1}, {4, 2200, 4},  {4, 2199, 4},
		{0, 900, 0},  {4, 3699, 8}, {4, 3999, 9}, {4, 4000, 10}, {9, 900000, 10},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(schedule_due(&s, cases[i].slot, cases[i].now_ns), cases[i].due);
}

static void every_slot_is_served_and_none_is_short(void **state)
{
	struct injection in;
	(void)state;
	prepare(&in);
	assert_int_equal(inject(&in), 0);
	assert_int_equal(in.count, 1000);
	assert_int_equal(in.missed, 0);
	for (size_t i = 0; i < in.count; i++) {
		assert_int_equal(in.stolen[i].start_counts, BEGIN_NS + i * 10000 + READ_NS);
		assert_int_equal(in.stolen[i].duration_counts, 2000);
	}
	free(in.stolen);
}

static void slots_slept_through_are_missed_and_counted(void **state)
{
	struct injection in;
	(void)state;
	prepare(&in);
	oversleep_at_ns = BEGIN_NS + 500 * 10000; /* slot 500 wakes in the period of slot 507 */
	oversleep_ns = 75000;
	assert_int_equal(inject(&in), 0);
	assert_int_equal(in.missed, 7);
	assert_int_equal(in.count, 993);
	assert_int_equal(in.stolen[500].start_counts, BEGIN_NS + 5075000 + READ_NS);
	assert_int_equal(in.stolen[501].start_counts, BEGIN_NS + 5080000 + READ_NS);
	free(in.stolen);

	prepare(&in);
	oversleep_at_ns = BEGIN_NS + 998 * 10000; /* beyond the end */
	oversleep_ns = 1000000;
	assert_int_equal(inject(&in), 0);
	assert_int_equal(in.missed, 2);
	assert_int_equal(in.count, 998);
	free(in.stolen);
}

static void a_lost_binding_ends_it_and_keeps_what_was_stolen(void **state)
{
	struct injection in;
	struct collected log;
	(void)state;
	prepare(&in);
	lost_after = 3; /* before the first slice, and in slices 0 and 64 */
	assert_int_equal(inject(&in), -EXDEV);
	assert_string_equal(in.why.text,
			    "strand 3: the binding was lost during the injection: the thread is bound to strand 4");
	assert_int_equal(in.count, 128);
	collect_begin(&log);
	inject_write(&log.text, &in, "failed");
	assert_int_equal(text_finish(&log.text), 0);
	assert_non_null(strstr(log.bytes, "# slices: 128\n# missed: 0\n# status: failed\n"));
	assert_non_null(strstr(log.bytes, "\nstart_counts\tduration_counts\n5100\t2000\n15100\t2000\n"));
	free(in.stolen);
}

static void refused_realtime_is_a_warning(void **state)
{
	struct injection in;
	(void)state;
	prepare(&in);
	realtime_error = -EPERM;
	assert_int_equal(inject(&in), 0);
	assert_string_equal(in.realtime, "no");
	assert_int_equal(in.warnings.count, 1);
	assert_non_null(
		strstr(in.warnings.text[0], "slices may come late, be missed or be cut up by others: not permitted"));
	free(in.stolen);
}

static void what_cannot_be_is_refused(void **state)
{
	struct injection in;
	struct why why;
	(void)state;
	prepare(&in);
	assert_int_equal(inject_check(&in, &why), 0);
	in.slice_ns = 5000;
	assert_int_equal(inject_check(&in, &why), -EINVAL);
	assert_non_null(strstr(why.text, "--slice 5000ns is half of --period 10000ns or more"));
	in.slice_ns = 4999;
	assert_int_equal(inject_check(&in, &why), 0);
	in.duration_ns = 9999;
	assert_int_equal(inject_check(&in, &why), -EINVAL);
	assert_non_null(strstr(why.text, "nothing would be stolen"));
	in.duration_ns = UINT64_MAX / 2;
	assert_int_equal(inject_check(&in, &why), -EINVAL);
	assert_non_null(strstr(why.text, "--duration is too long"));
	in.duration_ns = 1000000000; /* 100000 slices of 16 bytes, on a machine of 1 MiB */
	assert_int_equal(inject_check(&in, &why), -EINVAL);
	assert_non_null(strstr(why.text, "the log of 100000 slices would take 0.0 GB of memory"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slots_are_whole_periods_from_the_start),
		cmocka_unit_test(a_late_one_serves_the_slot_whose_period_it_is),
		cmocka_unit_test(every_slot_is_served_and_none_is_short),
		cmocka_unit_test(slots_slept_through_are_missed_and_counted),
		cmocka_unit_test(a_lost_binding_ends_it_and_keeps_what_was_stolen),
		cmocka_unit_test(refused_realtime_is_a_warning),
		cmocka_unit_test(what_cannot_be_is_refused),
	};
	return cmocka_run_group_tests_name("inject", tests, NULL, NULL);
}
