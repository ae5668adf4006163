/* The parts of this machine. Assembly is in start.S, traps.S and calls.S; all C is free of it, so that the tests run it on the
 * host with hypervisor calls of their own. */
#ifndef CMTNOISE_NIAGARA_H
#define CMTNOISE_NIAGARA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "domains/bare/niagara/layout.h"

/* A strand, known to it by its scratchpad register 0. */
struct niagara_strand {
	_Alignas(64) uint64_t ticks; /* taken since they were started */
	uint64_t period_counts, path_turns;
	uint64_t stack_top;
	uint64_t runs; /* set by the strand itself */
};

_Static_assert(offsetof(struct niagara_strand, ticks) == STRAND_TICKS, "layout.h");
_Static_assert(offsetof(struct niagara_strand, period_counts) == STRAND_PERIOD, "layout.h");
_Static_assert(offsetof(struct niagara_strand, path_turns) == STRAND_PATH, "layout.h");
_Static_assert(offsetof(struct niagara_strand, stack_top) == STRAND_STACK, "layout.h");
_Static_assert(offsetof(struct niagara_strand, runs) == STRAND_RUNS, "layout.h");
_Static_assert(sizeof(struct niagara_strand) == STRAND_BYTES, "layout.h");

extern struct niagara_strand niagara_strands[NIAGARA_STRANDS];

/* start.S: entered by our own reset image, with no hypervisor below; else by a hypervisor. */
extern uint64_t niagara_was_reset;
void niagara_start_strand(void); /* where CPU_START begins; its argument is the struct niagara_strand */

/* machine.c: where the memory ends that a loader got for the image; 0: nobody said, and all of the guest's is its own. Beyond, the
 * hypervisor may still write for whoever had the guest before. */
extern uint64_t niagara_given_end;

/* traps.S */
extern const unsigned char niagara_traps[];
_Noreturn void niagara_trapped(uint64_t type, uint64_t pc); /* called by it */

/* image.ld */
extern unsigned char niagara_free[], niagara_memory_end[];

/* calls.S */
struct niagara_strand *niagara_self(void);
void niagara_set_self(struct niagara_strand *strand);
uint64_t niagara_strand_status(void);
void niagara_tick_on(void); /* by niagara_self() */
void niagara_tick_off(void);

/* A call of the hypervisor: the status, and the first value it returns. */
uint64_t niagara_call(uint64_t function, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t *value);
uint64_t niagara_core_call(uint64_t function, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t *value);

extern uint64_t niagara_hz; /* counts of %tick a second, from machine_begin() on */

/* Agrees with the hypervisor on a version of its calls. */
void niagara_agree(void);

/* Finds the boot strand's number out; false when it is none of a T1's. */
bool niagara_find_self(void);

/* Counts between two ticks, 0 where the strand's timer cannot go at this rate. */
uint64_t niagara_period_counts(uint64_t timer_hz, uint64_t hz);

/* "" for none. */
const char *niagara_trap_name(uint64_t type);

#endif
