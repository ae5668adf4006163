/* What the harness asks of an instruction set; asm/<isa>/isa.c and asm/<isa>/timer.S answer. Freestanding. */
#ifndef CMTNOISE_ISA_H
#define CMTNOISE_ISA_H

#include <stddef.h>
#include <stdint.h>

/* The strand's time counter in raw counts, serialised: every earlier instruction has completed before the counter is
 * read, and no later one starts before that. */
uint64_t timer_read(void);

/* For the body of a loop that waits for another strand: gives the core's issue slots to the strands beside this one. */
void isa_relax(void);

extern const char isa_name[];       /* "x86_64" */
extern const char isa_timer_name[]; /* the counter and how it is read, for the record */

/* 1 if this CPU has the feature a kernel's `needs` names, 0 if not or unknown. */
int isa_has(const char *feature);

/* NULL if the counter runs at one rate whatever the strand's frequency or sleep state, else a sentence saying why that
 * is not known. */
const char *isa_timer_variance(void);

/* Brand string of the CPU and name of the hypervisor as the CPU reports them; "" where it does not. size >= 1. */
void isa_cpu_name(char *name, size_t size);
void isa_hypervisor(char *name, size_t size);

#endif
