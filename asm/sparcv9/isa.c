/* SPARC V9: there is no instruction that tells a program what the CPU is and can; the OS is asked (os_cpu_has). */
#include "asm/isa.h"
#include "harness/os/os.h"

const char isa_name[] = "sparcv9";
const char isa_timer_name[] = "tick (membar;rd %tick;membar)";

/* Reads of a state register: as long as a strand waits for one, a T-series core issues for its other strands. */
void isa_relax(void)
{
	__asm__ volatile("rd %%ccr, %%g0\n\trd %%ccr, %%g0\n\trd %%ccr, %%g0" ::: "memory");
}

int isa_has(const char *feature)
{
	return os_cpu_has(feature) > 0;
}

/* %tick counts the clock of the core. The T-series and all that this runs on keep one clock; there is no flag to ask. */
const char *isa_timer_variance(void)
{
	return 0;
}

void isa_cpu_name(char *name, size_t size)
{
	(void)size;
	name[0] = 0;
}

void isa_hypervisor(char *name, size_t size)
{
	(void)size;
	name[0] = 0;
}
