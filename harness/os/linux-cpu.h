/* Linux on SPARC: what a CPU has, by the AT_HWCAP that the OS gave. A part of os_cpu_has() on its own, for tests. */
#ifndef CMTNOISE_LINUX_CPU_H
#define CMTNOISE_LINUX_CPU_H

int linux_sparc_has(const char *feature, unsigned long hwcap); /* 1, 0, -ENOTSUP for a feature that is not known */

#endif
