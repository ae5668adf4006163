/* Strands: who is running, where each sits, starting and stopping them. */
#include "asm/isa.h"
#include "domains/bare/machine.h"
#include "domains/bare/niagara/hypervisor.h"
#include "domains/bare/niagara/niagara.h"

enum { STRANDS_PER_CORE = 4 };

struct niagara_strand niagara_strands[NIAGARA_STRANDS];

/* The strand status register of the T1 (OpenSPARC T1 hypervisor source, hprivregs.h): the core and its strand. */
static unsigned number_by_register(void)
{
	return (unsigned)(niagara_strand_status() >> 8) & (NIAGARA_STRANDS - 1);
}

/* The boot strand's number. False when it is none of a T1's; without CPU_MYID it is taken for 0, where guests begin. */
bool niagara_find_self(void)
{
	uint64_t number = 0;
	if (niagara_was_reset)
		number = number_by_register();
	else if (niagara_call(HV_CPU_MYID, 0, 0, 0, 0, &number))
		number = 0;
	if (number >= NIAGARA_STRANDS)
		return false;
	niagara_strands[number].runs = 1;
	niagara_set_self(&niagara_strands[number]);
	return true;
}

unsigned machine_strand(void)
{
	return (unsigned)(niagara_self() - niagara_strands);
}

/* A guest's numbers are the hypervisor's: four in a row are one core's where whole cores were given to it. */
void machine_place(unsigned strand, unsigned *core, unsigned *package)
{
	*core = strand / STRANDS_PER_CORE;
	*package = 0;
}

static bool call_start(unsigned strand, uint64_t until)
{
	uint64_t value, status;
	do
		status = niagara_call(HV_CPU_START, strand, (uintptr_t)niagara_start_strand, (uintptr_t)niagara_traps,
				      (uintptr_t)&niagara_strands[strand], &value);
	while (status == HV_EWOULDBLOCK && timer_read() < until);
	return status == HV_EOK;
}

bool machine_start(unsigned strand, void *stack_top)
{
	struct niagara_strand *s = &niagara_strands[strand];
	if (niagara_was_reset || strand >= NIAGARA_STRANDS || s->runs)
		return false;                       /* after a reset there is strand 0 alone: QEMU emulates no other */
	uint64_t until = timer_read() + niagara_hz; /* a second */
	s->stack_top = (uintptr_t)stack_top;
	if (!call_start(strand, until))
		return false;
	while (!__atomic_load_n(&s->runs, __ATOMIC_ACQUIRE))
		if (timer_read() < until)
			isa_relax();
		else
			return false;
	return true;
}

/* Interrupts are off: what CPU_YIELD waits for does not come, or is not taken. */
void machine_park(void)
{
	uint64_t value;
	for (;;) {
		if (niagara_was_reset || niagara_call(HV_CPU_YIELD, 0, 0, 0, 0, &value))
			isa_relax();
	}
}

/* The emulated T1 cannot be switched off: who reads the console ends it. */
void machine_end(bool failed)
{
	uint64_t value;
	if (!niagara_was_reset)
		niagara_call(HV_MACH_EXIT, failed, 0, 0, 0, &value);
	machine_park();
}
