/* SPARC V9: there is no instruction that tells a program what the CPU is and can; the OS is asked. */
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

/* %tick counts the strand's clock. The T-series keep theirs; older ones may change it (UltraSPARC IIe and III under Linux's
 * cpufreq), and no flag tells: that is left to the timer's own test against the OS's clock. */
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
	os_hypervisor(name, size);
}
