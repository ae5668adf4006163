#define _GNU_SOURCE
#include "harness/os/linux-affinity.h"
#include <errno.h>

cpu_set_t *linux_affinity(size_t *size)
{
	for (unsigned strands = 1024; strands <= 1u << 20; strands *= 2) {
		cpu_set_t *set = CPU_ALLOC(strands);
		*size = CPU_ALLOC_SIZE(strands);
		if (!set)
			return NULL;
		if (!sched_getaffinity(0, *size, set))
			return set;
		int error = errno; /* EINVAL: the OS has more strands than the set holds */
		CPU_FREE(set);
		errno = error;
		if (error != EINVAL)
			return NULL;
	}
	return NULL;
}

cpu_set_t *linux_single_strand(unsigned strand, size_t *size)
{
	cpu_set_t *set = CPU_ALLOC(strand + 1);
	*size = CPU_ALLOC_SIZE(strand + 1);
	if (!set)
		return NULL;
	CPU_ZERO_S(*size, set);
	CPU_SET_S(strand, *size, set);
	return set;
}
