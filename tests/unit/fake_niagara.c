#include "tests/unit/fake_niagara.h"
#include <stdlib.h>
#include "asm/isa.h"
#include "domains/bare/machine.h"

struct fake_niagara fake;

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

size_t describe_t1(struct written_md *w, uint64_t hz)
{
	memset(w, 0, sizeof *w);
	md_add(w, 'N', "platform", 3);
	md_add(w, 'v', "stick-frequency", 1200000000);
	md_add(w, 'E', "", 0);
	md_add(w, 'N', "mblock", 7);
	md_add(w, 'v', "base", 0x100000000);
	md_add(w, 'v', "size", 0x1000);
	md_add(w, 'E', "", 0);
	md_add(w, 'N', "mblock", 11);
	md_add(w, 'v', "base", (uintptr_t)niagara_free & ~(uint64_t)0xfffff);
	md_add(w, 'v', "size", 0x200000);
	md_add(w, 'E', "", 0);
	for (unsigned cpu = 0; cpu < 2; cpu++) {
		md_add(w, 'N', "cpu", 0);
		if (hz)
			md_add(w, 'v', "clock-frequency", hz + cpu);
		md_add_text(w, "compatible", "SUNW,UltraSPARC-T1\0sun4v", 25);
		md_add(w, 'E', "", 0);
	}
	return md_finish(w);
}

void begin_guest(struct written_md *w)
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
