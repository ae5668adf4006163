/* SPARC V9: %tick, which timer_read.S reads. */
#include "asm/isa.h"

const char isa_timer_name[] = "tick (membar;rd %tick;membar)";

/* %tick counts the strand's clock. The T-series keep theirs; older ones may change it (UltraSPARC IIe and III under Linux's
 * cpufreq), and no flag tells: that is left to the timer's own test against the OS's clock. */
const char *isa_timer_variance(void)
{
	return 0;
}
