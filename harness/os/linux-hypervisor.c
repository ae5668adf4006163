/* Linux on SPARC: what it runs on, where no instruction tells. */
#define _GNU_SOURCE
#include <string.h>
#include "harness/os/linux-files.h"
#include "harness/os/os.h"

/* QEMU's user emulation shows a program one line, "type", of the file that Linux begins with the CPU's name; its machines have
 * OpenBIOS for firmware, and Sun's have their own. Whatever is of type sun4v runs on a hypervisor. */
void os_hypervisor(char *name, size_t size)
{
	char type[32], cpu[8], firmware[64];
	bool known = linux_cpuinfo("type", type, sizeof type) > 0;
	bool of_linux = linux_cpuinfo("cpu", cpu, sizeof cpu) >= 0;
	linux_read("/sys/firmware/devicetree/base/name", firmware, sizeof firmware);
	bool qemu = known && (!of_linux || strstr(firmware, "OpenBIOS"));
	snprintf(name, size, "%s", qemu ? "QEMU TCG" : known && !strcmp(type, "sun4v") ? "sun4v" : "");
}
