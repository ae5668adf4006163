/* Solaris: what the OS says of its CPUs, and the processor sets they are in. */
#ifndef CMTNOISE_SOLARIS_STRANDS_H
#define CMTNOISE_SOLARIS_STRANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/pset.h>
#include "bind/topology.h"

struct solaris_cpu {
	unsigned id; /* processorid_t: need not be dense */
	uint64_t chip, core;
	uint64_t clock_mhz, clock_hz; /* 0 where the release does not tell */
	bool has_chip, has_core;
	char state[16], brand[96], implementation[96]; /* as the OS writes them; "" where the release does not tell */
};

/* All CPUs that the OS knows, ascending id, malloc'ed; 0 or -errno. */
int solaris_cpus(struct solaris_cpu **cpus, size_t *count);

/* p_online(2)'s state of a CPU: P_ONLINE, P_NOINTR, P_OFFLINE ...; -errno. */
int solaris_cpu_state(unsigned cpu);
bool solaris_takes_work(int state);

/* The processor set a CPU is in, and the calling thread's own: PS_NONE for none. */
psetid_t solaris_set_of(unsigned cpu);
psetid_t solaris_own_set(void);

/* The strand that runs clock(), the OS tick. *seen: by its interrupts of level 10 just now; else it is the one that the OS prefers. */
int solaris_clock_strand(unsigned *strand, bool *seen);

#endif
