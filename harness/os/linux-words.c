/* Linux: what the OS calls things, for sentences of shared code. */
#define _GNU_SOURCE
#include <errno.h>
#include "harness/os/os.h"
#include "harness/why.h"

const struct os_words os_words = {
	.masked = "outside the affinity mask that cmtnoise was started with (taskset): name it to use it",
	.excluded = "the cgroup's cpuset leaves it out: widen cpuset.cpus, or run outside that cgroup",
	.offline = "bring it up with: echo 1 > /sys/devices/system/cpu/cpuN/online",
	.unbound = "did something change its affinity, or the cpuset?",
	.unlocked = "raise the limit (ulimit -l) or run as root",
	.untraced =
		"there is no program cmtnoise-trace here: it is built only where libtracefs-dev and libtraceevent-dev "
		"are installed",
};

void os_start_reason(struct why *reason, unsigned strand, int error)
{
	(void)strand;
	why_set(reason, error, "%s", error == -EINVAL ? "offline, or outside the cpuset" : "");
}
