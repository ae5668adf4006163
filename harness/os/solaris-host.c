/* Solaris: the host as run.json describes it, and what the CPU is and can where no instruction tells. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "harness/host.h"
#include "harness/os/os.h"
#include "harness/os/solaris-strands.h"

/* sys/auxv_SPARC.h, of which only SPARC's own sys/auxv.h has the names; later bits are not in Solaris 10's. */
enum { SPARC_VIS = 0x20, SPARC_FMAF = 0x100 };

/* The name of the first CPU: releases before brand was told have it in front of implementation's "(chipid ...". */
static void cpu_name_of_os(char *name, size_t size)
{
	struct solaris_cpu *cpus;
	size_t count;
	name[0] = 0;
	if (solaris_cpus(&cpus, &count))
		return;
	strlcpy(name, cpus[0].brand[0] ? cpus[0].brand : cpus[0].implementation, size);
	char *rest = strstr(name, " (");
	if (rest && !cpus[0].brand[0])
		*rest = 0;
	free(cpus);
}

/* Of a T1 linux-cpu.c has the reasons: it leaves square roots to a trap, and has fpadd32 whether its part of VIS is listed or not. */
int os_cpu_has(const char *feature)
{
	char cpu[96];
	struct utsname name;
	uint32_t words[2] = {0, 0};
	if (uname(&name) == -1 || strncmp(name.machine, "sun4", 4))
		return -ENOTSUP;
	getisax(words, 2);
	if (!strcmp(feature, "fmaf"))
		return (words[0] & SPARC_FMAF) != 0;
	cpu_name_of_os(cpu, sizeof cpu);
	bool t1 = strstr(cpu, "UltraSPARC-T1") != NULL;
	if (!strcmp(feature, "fpadd32"))
		return (words[0] & SPARC_VIS) || t1;
	return strcmp(feature, "fsqrt") != 0 ? -ENOTSUP : !t1;
}

/* On SPARC: whatever is sun4v runs on its hypervisor. (x86 is asked itself.) */
void os_hypervisor(char *name, size_t size)
{
	struct utsname host;
	strlcpy(name, uname(&host) != -1 && !strcmp(host.machine, "sun4v") ? "sun4v" : "", size);
}

void os_describe(struct json *j)
{
	host_json(j, cpu_name_of_os, NULL);
}

/* proc(4): since Solaris 10. */
int os_program(char *path, size_t size)
{
	ssize_t length = readlink("/proc/self/path/a.out", path, size - 1);
	path[length > 0 ? length : 0] = 0;
	return length < 0 ? -errno : 0;
}
