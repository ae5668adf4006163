/* Linux: the host as run.json describes it. */
#include "harness/host.h"
#include "harness/os/linux-files.h"
#include "harness/os/os.h"

/* Where the instruction set has no way to ask the CPU itself. x86 and others write "model name", SPARC "cpu". */
static void cpu_name_of_os(char *name, size_t size)
{
	if (linux_cpuinfo("model name", name, size) <= 0)
		linux_cpuinfo("cpu", name, size);
}

void os_describe(struct json *j)
{
	char boot[4096];
	host_json(j, cpu_name_of_os, linux_read("/proc/cmdline", boot, sizeof boot) >= 0 ? boot : NULL);
}
