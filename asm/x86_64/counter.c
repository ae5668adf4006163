/* x86-64: the time-stamp counter, which timer_read.S reads. */
#include <cpuid.h>
#include <stdint.h>
#include "asm/isa.h"

const char isa_timer_name[] = "tsc (lfence;rdtsc;lfence)";

const char *isa_timer_variance(void)
{
	enum { INVARIANT_TSC = 1 << 8 };
	static const char emulated[] = "QEMU TCG";
	char hypervisor[32];
	uint32_t a, b, c, d = 0;
	unsigned same = 0;
	isa_hypervisor(hypervisor, sizeof hypervisor);
	while (same < sizeof emulated && hypervisor[same] == emulated[same])
		same++;
	/* An emulator's counter is made of the emulator's own clock. */
	if ((__get_cpuid(0x80000007, &a, &b, &c, &d) && d & INVARIANT_TSC) || same == sizeof emulated)
		return 0;
	return "the CPU does not say that its time-stamp counter is invariant (CPUID 80000007h, EDX bit 8): it may "
	       "change its rate with the clock frequency, or stop in a sleep state";
}
