#include "harness/host.h"
#include <string.h>
#include <sys/utsname.h>
#include "asm/isa.h"
#include "harness/json.h"
#include "harness/os/os.h"

void host_json(struct json *j, void (*cpu_of_os)(char *name, size_t size), const char *boot)
{
	struct utsname name;
	char cpu[128], hypervisor[32];

	if (uname(&name) == -1) /* only for a bad address */
		memset(&name, 0, sizeof name);
	isa_cpu_name(cpu, sizeof cpu);
	if (!cpu[0])
		cpu_of_os(cpu, sizeof cpu);
	isa_hypervisor(hypervisor, sizeof hypervisor);
	json_string(j, "name", name.nodename);
	json_string(j, "os", os_name);
	json_string(j, "os_release", name.release);
	json_string(j, "os_version", name.version);
	json_string(j, "machine", name.machine);
	json_string(j, "cpu", cpu[0] ? cpu : NULL);
	json_string(j, "hypervisor", hypervisor[0] ? hypervisor : NULL);
	json_u64(j, "memory_bytes", os_memory_bytes());
	json_string(j, "boot_parameters", boot);
}
