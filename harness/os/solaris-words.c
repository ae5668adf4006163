/* Solaris: what the OS calls things, for sentences of shared code. */
#include <errno.h>
#include <string.h>
#include <sys/processor.h>
#include "harness/os/os.h"
#include "harness/os/solaris-strands.h"
#include "harness/why.h"

const struct os_words os_words = {
	.masked = "cmtnoise was started bound to another CPU (pbind -b): name it to use it",
	.excluded = "it is in another processor set: psrset -e SET cmtnoise ... runs in that set, psrset lists them",
	.offline = "bring it up with: psradm -n CPU",
	.unbound = "did pbind or psrset change it, or was the CPU taken offline with psradm -F?",
	.unlocked = "run as root, or with the privilege proc_lock_memory",
	.untraced = "this OS's events cannot be traced by cmtnoise; dtrace shows them (docs/solaris.md)",
};

/* processor_bind(2): EINVAL for a CPU that is not online or not in the thread's processor set, EPERM for lack of rights. Which of them it
 * is, is asked afterwards. */
void os_start_reason(struct why *reason, unsigned strand, int error)
{
	int state = solaris_cpu_state(strand);
	psetid_t set = solaris_set_of(strand), own = solaris_own_set();
	if (state < 0 && error == -EINVAL)
		why_set(reason, error, "the OS has no CPU %u now; psrinfo lists them", strand);
	else if (state >= 0 && !solaris_takes_work(state))
		why_set(reason, error, "it is %s now: psradm -n %u brings it back",
			state == P_OFFLINE ? "off-line" : "not in use", strand);
	else if (set != own && set != PS_NONE)
		why_set(reason, error, "it is in processor set %d: psrset -e %d cmtnoise ... runs there", (int)set,
			(int)set);
	else if (set != own)
		why_set(reason, error,
			"cmtnoise is in processor set %d, which has not this CPU: psrset -u PID, or name its CPUs",
			(int)own);
	else if (error == -EPERM)
		why_set(reason, error,
			"not permitted to bind threads: run as root, or leave the processor set or resource pool that forbids it");
	else
		why_set(reason, error, "%s", "");
}
