/* The T1's C on the host, with the hypervisor, the registers and the timer played here: start-up of 32 strands, machine description,
 * clock, tick, and what is missing. */
#include "tests/unit/test.h"
#include <stdlib.h>
#include "asm/isa.h"
#include "domains/bare/machine.h"
#include "domains/bare/niagara/guest.h"
#include "domains/bare/niagara/hypervisor.h"
#include "domains/bare/niagara/md.h"
#include "domains/bare/niagara/niagara.h"

enum { FUNCTIONS = 0x100 };

static struct {
	bool serves[FUNCTIONS];
	uint64_t my_id, seconds, strand_status;
	unsigned refusals; /* EWOULDBLOCK, this often */
	uint64_t refuses;  /* strand that CPU_START does not know */
	bool comes_up;     /* a strand that was started runs */
	const unsigned char *md;
	size_t md_bytes;
	char console[64];
	size_t written;
	struct niagara_strand *started[NIAGARA_STRANDS];
	unsigned calls, agreed, yields;
	struct niagara_strand *self;
	uint64_t counts;
	bool ticking;
	uint64_t exit_code;
	jmp_buf ended;
} fake;

/* What start.S, traps.S and image.ld have. */
uint64_t niagara_was_reset;
const unsigned char niagara_traps[1];
_Alignas(4096) unsigned char niagara_free[4096];
unsigned char niagara_memory_end[1];

void niagara_start_strand(void)
{
}

void bare_trap(uint64_t type, uint64_t pc, const char *what)
{
	(void)type, (void)pc, (void)what;
	abort();
}

uint64_t timer_read(void)
{
	return fake.counts += 1000;
}

struct niagara_strand *niagara_self(void)
{
	return fake.self;
}

void niagara_set_self(struct niagara_strand *strand)
{
	fake.self = strand;
}

uint64_t niagara_strand_status(void)
{
	return fake.strand_status;
}

void niagara_tick_on(void)
{
	fake.ticking = true;
}

void niagara_tick_off(void)
{
	fake.ticking = false;
}

uint64_t niagara_core_call(uint64_t function, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t *value)
{
	(void)c, (void)d;
	assert_int_equal(function, HV_SET_VERSION);
	assert_int_equal(b, 1);
	fake.agreed |= 1u << a;
	*value = 0;
	return HV_EOK;
}

static uint64_t give_description(uint64_t buffer, uint64_t size, uint64_t *value)
{
	assert_int_equal(buffer % 16, 0);
	*value = fake.md_bytes;
	if (size < fake.md_bytes)
		return HV_EINVAL;
	memcpy((void *)buffer, fake.md, fake.md_bytes);
	return HV_EOK;
}

static uint64_t start_strand(uint64_t strand, uint64_t pc, uint64_t traps, uint64_t argument)
{
	assert_int_equal(pc, (uintptr_t)niagara_start_strand);
	assert_int_equal(traps, (uintptr_t)niagara_traps);
	assert_ptr_equal((void *)argument, &niagara_strands[strand]);
	if (strand == fake.refuses)
		return HV_ENOCPU;
	fake.started[strand] = (void *)argument;
	niagara_strands[strand].runs = fake.comes_up; /* what start.S does on the strand */
	return HV_EOK;
}

static uint64_t put(uint64_t byte)
{
	assert_true(fake.written < sizeof fake.console);
	fake.console[fake.written++] = (char)byte;
	return HV_EOK;
}

uint64_t niagara_call(uint64_t function, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t *value)
{
	fake.calls++;
	if (!fake.serves[function])
		return HV_EBADTRAP;
	if (fake.refusals && fake.refusals--)
		return HV_EWOULDBLOCK;
	switch (function) {
	case HV_CONS_PUTCHAR:
		return put(a);
	case HV_MACH_DESC:
		return give_description(a, b, value);
	case HV_CPU_START:
		return start_strand(a, b, c, d);
	case HV_CPU_MYID:
		*value = fake.my_id;
		return HV_EOK;
	case HV_TOD_GET:
		*value = fake.seconds;
		return HV_EOK;
	case HV_MACH_EXIT:
		fake.exit_code = a;
		longjmp(fake.ended, 1);
	case HV_CPU_YIELD:
		if (++fake.yields == 3)
			longjmp(fake.ended, 1);
		return HV_EOK;
	}
	return HV_EBADTRAP;
}

/* A machine description that is put together here: elements first, then names, then data. */
struct written_md {
	unsigned char elements[1024], names[512], data[64], all[2048];
	size_t element_bytes, name_bytes, data_bytes;
};

static void put_big(unsigned char *to, uint64_t value, size_t count)
{
	while (count--)
		*to++ = (unsigned char)(value >> 8 * count);
}

static void add(struct written_md *w, char tag, const char *name, uint64_t value)
{
	unsigned char *e = w->elements + w->element_bytes;
	size_t length = strlen(name);
	e[0] = (unsigned char)tag;
	e[1] = (unsigned char)length;
	put_big(e + 2, 0, 2);
	put_big(e + 4, w->name_bytes, 4);
	put_big(e + 8, value, 8);
	memcpy(w->names + w->name_bytes, name, length + 1);
	w->name_bytes += length + 1;
	w->element_bytes += 16;
}

static void add_text(struct written_md *w, const char *name, const char *text, size_t bytes)
{
	add(w, 'd', name, (uint64_t)bytes << 32 | w->data_bytes);
	memcpy(w->data + w->data_bytes, text, bytes);
	w->data_bytes += bytes;
}

static size_t finish(struct written_md *w)
{
	add(w, 0, "", 0);
	put_big(w->all, 0x10000, 4);
	put_big(w->all + 4, w->element_bytes, 4);
	put_big(w->all + 8, w->name_bytes, 4);
	put_big(w->all + 12, w->data_bytes, 4);
	memcpy(w->all + 16, w->elements, w->element_bytes);
	memcpy(w->all + 16 + w->element_bytes, w->names, w->name_bytes);
	memcpy(w->all + 16 + w->element_bytes + w->name_bytes, w->data, w->data_bytes);
	return 16 + w->element_bytes + w->name_bytes + w->data_bytes;
}

/* A T1's, as far as the runtime reads it. hz 0: no frequency of a cpu. */
static size_t describe_t1(struct written_md *w, uint64_t hz)
{
	memset(w, 0, sizeof *w);
	add(w, 'N', "platform", 3);
	add(w, 'v', "stick-frequency", 1200000000);
	add(w, 'E', "", 0);
	add(w, 'N', "mblock", 7);
	add(w, 'v', "base", 0x100000000);
	add(w, 'v', "size", 0x1000);
	add(w, 'E', "", 0);
	add(w, 'N', "mblock", 11);
	add(w, 'v', "base", (uintptr_t)niagara_free & ~(uint64_t)0xfffff);
	add(w, 'v', "size", 0x200000);
	add(w, 'E', "", 0);
	for (unsigned cpu = 0; cpu < 2; cpu++) {
		add(w, 'N', "cpu", 0);
		if (hz)
			add(w, 'v', "clock-frequency", hz + cpu);
		add_text(w, "compatible", "SUNW,UltraSPARC-T1\0sun4v", 25);
		add(w, 'E', "", 0);
	}
	return finish(w);
}

/* A guest on strand 0 of a hypervisor that serves every call. */
static void begin_guest(struct written_md *w)
{
	memset(&fake, 0, sizeof fake);
	memset(niagara_strands, 0, sizeof(struct niagara_strand[NIAGARA_STRANDS]));
	memset(fake.serves, 1, sizeof fake.serves);
	niagara_was_reset = 0;
	fake.refuses = NIAGARA_STRANDS;
	fake.comes_up = true;
	fake.seconds = 1704164645;
	fake.md_bytes = describe_t1(w, 1000000000);
	fake.md = w->all;
}

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
	fake.md_bytes = finish(&w);
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
