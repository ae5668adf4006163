/* Linux: the host as run.json describes it. */
#define _GNU_SOURCE
#include <string.h>
#include <sys/utsname.h>
#include "asm/isa.h"
#include "harness/json.h"
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
	struct utsname name;
	char cpu[128], hypervisor[32], boot[4096];

	uname(&name); /* fails only for a bad address */
	isa_cpu_name(cpu, sizeof cpu);
	if (!cpu[0])
		cpu_name_of_os(cpu, sizeof cpu);
	isa_hypervisor(hypervisor, sizeof hypervisor);
	json_string(j, "name", name.nodename);
	json_string(j, "os", os_name);
	json_string(j, "os_release", name.release);
	json_string(j, "os_version", name.version);
	json_string(j, "machine", name.machine);
	json_string(j, "cpu", cpu[0] ? cpu : NULL);
	json_string(j, "hypervisor", hypervisor[0] ? hypervisor : NULL);
	json_u64(j, "memory_bytes", os_memory_bytes());
	json_string(j, "boot_parameters", linux_read("/proc/cmdline", boot, sizeof boot) >= 0 ? boot : NULL);
}
