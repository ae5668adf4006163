/* The T1's C on the host, on a machine that is played: start-up of 32 strands, machine description, clock, tick, and what is
 * missing. */
#include "tests/unit/test.h"
#include "domains/bare/machine.h"
#include "domains/bare/niagara/guest.h"
#include "domains/bare/niagara/md.h"
#include "tests/unit/fake_niagara.h"

static void a_guest_starts_all_32_strands(void **state)
{
	struct written_md w;
	struct machine m;
	static _Alignas(64) unsigned char stacks[NIAGARA_STRANDS][64];
	(void)state;
	begin_guest(&w);
	assert_null(machine_begin(&m, 0));
	assert_int_equal(fake.agreed, 1u << HV_GROUP_SUN4V | 1u << HV_GROUP_CORE);
	assert_int_equal(machine_strand(), 0);
	for (unsigned i = 1; i < NIAGARA_STRANDS; i++) {
		unsigned core, package;
		assert_true(machine_start(i, stacks[i] + 64));
		assert_ptr_equal(fake.started[i], &niagara_strands[i]);
		assert_int_equal(niagara_strands[i].stack_top, (uintptr_t)(stacks[i] + 64));
		machine_place(i, &core, &package);
		assert_int_equal(core, i / 4);
		assert_int_equal(package, 0);
		niagara_set_self(fake.started[i]); /* as the strand does */
		assert_int_equal(machine_strand(), i);
	}
}

static void a_strand_that_cannot_start_is_told(void **state)
{
	struct written_md w;
	struct machine m;
	(void)state;
	begin_guest(&w);
	assert_null(machine_begin(&m, 0));
	fake.refuses = 5;
	assert_false(machine_start(5, niagara_free));
	assert_false(machine_start(0, niagara_free)); /* it runs */
	assert_true(machine_start(6, niagara_free));
	assert_false(machine_start(6, niagara_free));
	assert_false(machine_start(NIAGARA_STRANDS, niagara_free));
	fake.refusals = 20;
	assert_true(machine_start(7, niagara_free));
	uint64_t before = fake.counts;
	fake.comes_up = false;
	assert_false(machine_start(8, niagara_free));
	assert_in_range(fake.counts - before, m.timer_hz, m.timer_hz + 10000);
	fake.refusals = 1 << 30;
	assert_false(machine_start(9, niagara_free));
	fake.refusals = 0;
	fake.serves[HV_CPU_START] = false;
	assert_false(machine_start(10, niagara_free));
}

static void what_a_guest_is_told_of_its_machine(void **state)
{
	struct written_md w;
	struct machine m;
	(void)state;
	begin_guest(&w);
	fake.my_id = 9;
	assert_null(machine_begin(&m, 0));
	assert_int_equal(machine_strand(), 9);
	assert_string_equal(m.cpu, "SUNW,UltraSPARC-T1");
	assert_string_equal(m.label, "virtualised");
	assert_string_equal(m.entered, "hypervisor");
	assert_int_equal(m.timer_hz, 1000000000);
	assert_non_null(strstr(m.timer_hz_source, "clock-frequency"));
	assert_ptr_equal(m.memory, niagara_free);
	assert_int_equal((uintptr_t)m.memory + m.memory_bytes,
			 ((uintptr_t)niagara_free & ~(uint64_t)0xfffff) + 0x200000);
	assert_int_equal(m.l1d_bytes, 8192);
	assert_int_equal(machine_wall_time_ns(), 1704164645000000000);

	fake.md_bytes = describe_t1(&w, 0);
	assert_null(machine_begin(&m, 0));
	assert_int_equal(m.timer_hz, 1200000000);
	assert_non_null(strstr(m.timer_hz_source, "stick-frequency"));
	assert_null(machine_begin(&m, 77));
	assert_int_equal(m.timer_hz, 77);
	assert_string_equal(m.timer_hz_source, "fixed when the image was built");

	niagara_given_end = (uintptr_t)niagara_free + 0x1000;
	assert_null(machine_begin(&m, 0));
	assert_string_equal(m.entered, "openboot");
	assert_int_equal(m.memory_bytes, 0x1000);
	niagara_given_end = 0;
}

static void a_guest_without_calls_measures_if_the_rate_is_built_in(void **state)
{
	struct written_md w;
	struct machine m;
	(void)state;
	begin_guest(&w);
	memset(fake.serves, 0, sizeof fake.serves);
	const char *fault = machine_begin(&m, 0);
	assert_non_null(fault);
	assert_non_null(strstr(fault, "gave no machine description: build the image with TIMER_HZ="));
	assert_null(machine_begin(&m, 1000000000));
	assert_int_equal(machine_strand(), 0);
	assert_string_equal(m.cpu, "");
	assert_int_equal((uintptr_t)m.memory + m.memory_bytes, (uintptr_t)niagara_memory_end);
	fake.counts = 2500000000 - 1000;
	assert_int_equal(machine_wall_time_ns(), 2500000000);
	machine_write("nobody hears", 12); /* and it does not hang */
	assert_int_equal(fake.written, 0);
}

static void a_description_that_is_no_use_is_told(void **state)
{
	struct written_md w;
	struct machine m;
	(void)state;
	begin_guest(&w);
	fake.md_bytes = 1 << 20;
	assert_non_null(strstr(machine_begin(&m, 0), "longer than 64 KB"));
	fake.md_bytes = 8;
	assert_non_null(strstr(machine_begin(&m, 0), "cannot be read"));
	assert_int_equal(guest_memory_end(0x100000000), 0);
	memset(&w, 0, sizeof w);
	fake.md_bytes = md_finish(&w);
	assert_non_null(strstr(machine_begin(&m, 0), "has no clock-frequency: build"));
	begin_guest(&w);
	fake.my_id = NIAGARA_STRANDS;
	assert_non_null(strstr(machine_begin(&m, 0), "none of a T1's 32"));
}

static void after_a_reset_there_is_one_strand_and_no_hypervisor(void **state)
{
	struct written_md w;
	struct machine m;
	(void)state;
	begin_guest(&w);
	niagara_was_reset = 1;
	fake.strand_status = 3 << 10 | 2 << 8 | 1;
	assert_null(machine_begin(&m, 0));
	assert_int_equal(machine_strand(), 14);
	assert_false(machine_start(15, niagara_free));
	assert_int_equal(m.timer_hz, 100000000);
	assert_non_null(strstr(m.timer_hz_source, "QEMU"));
	assert_string_equal(m.label, "emulated");
	assert_string_equal(m.entered, "reset");
	fake.counts = 150000000 - 1000;
	assert_int_equal(machine_wall_time_ns(), 1500000000);
	assert_int_equal(fake.calls, 0);
}

static void a_machine_description_is_read_within_its_bounds(void **state)
{
	struct written_md w;
	struct md md;
	uint64_t value = 0;
	char text[8];
	(void)state;
	size_t bytes = describe_t1(&w, 1000000000);
	for (size_t count = 0; count < bytes; count++)
		assert_false(md_open(&md, w.all, count));
	assert_true(md_open(&md, w.all, bytes));
	size_t cpu = md_node(&md, "cpu", 0), second = md_node(&md, "cpu", cpu + 1);
	assert_true(md_number(&md, second, "clock-frequency", &value));
	assert_int_equal(value, 1000000001);
	assert_int_equal(md_node(&md, "cpu", second + 1), md.element_count);
	assert_int_equal(md_node(&md, "cp", 0), md.element_count);
	assert_false(md_number(&md, md_node(&md, "platform", 0), "clock-frequency", &value)); /* of a later node */
	assert_false(md_number(&md, cpu, "compatible", &value));
	assert_false(md_number(&md, md.element_count, "clock-frequency", &value));
	assert_true(md_text(&md, cpu, "compatible", text, sizeof text));
	assert_string_equal(text, "SUNW,Ul");
	assert_false(md_text(&md, cpu, "clock-frequency", text, sizeof text));

	/* Names and data that would lie behind the end. */
	for (size_t e = 16; e < 16 + w.element_bytes; e += 16)
		put_big(w.all + e + 4, 0xfffffff0, 4);
	assert_true(md_open(&md, w.all, bytes));
	assert_int_equal(md_node(&md, "cpu", 0), md.element_count);
	bytes = describe_t1(&w, 0);
	assert_true(md_open(&md, w.all, bytes));
	cpu = md_node(&md, "cpu", 0);
	put_big(w.all + 16 + (cpu + 1) * 16 + 12, 0xffffffff, 4);
	assert_false(md_text(&md, cpu, "compatible", text, sizeof text));
	put_big(w.all + 4, 0xfffffff0, 4);
	assert_false(md_open(&md, w.all, bytes));
	put_big(w.all, 0x20000, 4);
	assert_false(md_open(&md, w.all, sizeof w.all));
}

static void the_console_waits_until_everything_is_taken(void **state)
{
	struct written_md w;
	(void)state;
	begin_guest(&w);
	fake.refusals = 3;
	machine_write("@end: ok\n", 9);
	assert_int_equal(fake.written, 9);
	assert_memory_equal(fake.console, "@end: ok\n", 9);
}

static void the_end_is_an_exit_or_a_strand_that_takes_nothing(void **state)
{
	struct written_md w;
	(void)state;
	begin_guest(&w);
	if (!setjmp(fake.ended))
		machine_end(true);
	assert_int_equal(fake.exit_code, 1);
	assert_int_equal(fake.yields, 0);
	fake.serves[HV_MACH_EXIT] = false;
	if (!setjmp(fake.ended))
		machine_end(false);
	assert_int_equal(fake.yields, 3);
}

static void a_tick_has_a_whole_number_of_counts(void **state)
{
	struct written_md w;
	struct machine m;
	(void)state;
	assert_int_equal(niagara_period_counts(100000000, 250), 400000);
	assert_int_equal(niagara_period_counts(100000000, 100), 1000000);
	assert_int_equal(niagara_period_counts(1200000000, 1000), 1200000);
	assert_int_equal(niagara_period_counts(100000000, 300), 333333);
	assert_int_equal(niagara_period_counts(100000000, 600), 166667);
	assert_int_equal(niagara_period_counts(100000000, 0), 0);
	assert_int_equal(niagara_period_counts(100000000, 1000000), 0); /* 100 counts: no time for anything else */
	assert_int_equal(niagara_period_counts(100000000, UINT64_MAX), 0);

	begin_guest(&w);
	fake.my_id = 3;
	assert_null(machine_begin(&m, 0));
	niagara_strands[3].ticks = 9;
	assert_true(machine_tick_start(250, 500));
	assert_true(fake.ticking);
	assert_int_equal(machine_ticks(), 0);
	assert_int_equal(niagara_strands[3].period_counts, 4000000);
	assert_int_equal(niagara_strands[3].path_turns, 500);
	machine_tick_stop();
	assert_false(fake.ticking);
	assert_false(machine_tick_start(1000000000, 1));
	assert_false(fake.ticking);
}

static void traps_have_names(void **state)
{
	(void)state;
	assert_string_equal(niagara_trap_name(0x10), "illegal_instruction");
	assert_string_equal(niagara_trap_name(0x34), "mem_address_not_aligned");
	assert_string_equal(niagara_trap_name(0x69), "fast_data_access_MMU_miss");
	assert_string_equal(niagara_trap_name(0x17f), "trap_instruction");
	assert_string_equal(niagara_trap_name(0x180), "htrap_instruction");
	assert_string_equal(niagara_trap_name(0), "");
	assert_string_equal(niagara_trap_name(0x200), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_guest_starts_all_32_strands),
		cmocka_unit_test(a_strand_that_cannot_start_is_told),
		cmocka_unit_test(what_a_guest_is_told_of_its_machine),
		cmocka_unit_test(a_guest_without_calls_measures_if_the_rate_is_built_in),
		cmocka_unit_test(a_description_that_is_no_use_is_told),
		cmocka_unit_test(after_a_reset_there_is_one_strand_and_no_hypervisor),
		cmocka_unit_test(a_machine_description_is_read_within_its_bounds),
		cmocka_unit_test(the_console_waits_until_everything_is_taken),
		cmocka_unit_test(the_end_is_an_exit_or_a_strand_that_takes_nothing),
		cmocka_unit_test(a_tick_has_a_whole_number_of_counts),
		cmocka_unit_test(traps_have_names),
	};
	return cmocka_run_group_tests_name("bare_niagara", tests, NULL, NULL);
}
