/* Affinity sets of any size; the fixed cpu_set_t ends at strand 1023. Free them with CPU_FREE(). */
#ifndef CMTNOISE_LINUX_AFFINITY_H
#define CMTNOISE_LINUX_AFFINITY_H

#include <sched.h>

/* The calling thread's affinity, in a set as large as the OS asks for; size in bytes. NULL with errno set. */
cpu_set_t *linux_affinity(size_t *size);

cpu_set_t *linux_single_strand(unsigned strand, size_t *size);

#endif
