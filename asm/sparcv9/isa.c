/* SPARC V9: there is no instruction that tells a program what the CPU is and can; the OS is asked. */
#include "asm/isa.h"
#include "harness/os/os.h"

const char isa_name[] = "sparcv9";

/* Reads of a state register: as long as a strand waits for one, a T-series core issues for its other strands. */
void isa_relax(void)
{
	__asm__ volatile("rd %%ccr, %%g0\n\trd %%ccr, %%g0\n\trd %%ccr, %%g0" ::: "memory");
}

int isa_has(const char *feature)
{
	return os_cpu_has(feature) > 0;
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
