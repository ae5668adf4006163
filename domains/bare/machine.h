/*
 * What the static-thread runtime asks of a machine; domains/bare/<machine>/ answers, and begins: its entry point sets a
 * stack, clears .bss and calls bare_boot() on the boot strand. Freestanding. Interrupts are off from the first instruction to
 * the last, but for the machine's own tick where one is asked for.
 */
#ifndef CMTNOISE_MACHINE_H
#define CMTNOISE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct machine {
	const char *cpu;        /* brand, "" where unknown */
	const char *hypervisor; /* "" for none known */
	const char *label;      /* provenance of what is measured: measured, virtualised or emulated */
	/* How the image was entered, for the run: "multiboot", "pvh", "reset", "hypervisor", "openboot". */
	const char *entered;
	uint64_t timer_hz; /* counts of timer_read() a second */
	const char *timer_hz_source;
	void *memory; /* free memory behind the image, zeroed or not; aligned to 4096 */
	size_t memory_bytes;
	uint64_t l1i_bytes, l1d_bytes, l2_bytes, l3_bytes; /* 0 where unknown or absent */
};

extern const char machine_name[]; /* of its folder */

/* Called once, first, on the boot strand: makes the console work and finds the facts out. `timer_hz` is the rate that was
 * fixed when the image was built, 0 for none. NULL, or a sentence saying why nothing can be measured here. */
const char *machine_begin(struct machine *m, uint64_t timer_hz);

/* Writes to the console and returns when everything was taken. */
void machine_write(const char *bytes, size_t count);

/* The calling strand, and where a strand sits (logical indices as far as the machine tells). */
unsigned machine_strand(void);
void machine_place(unsigned strand, unsigned *core, unsigned *package);

/* Whether the CPU has a feature that a kernel needs: asked where the instruction set has no instruction to tell (SPARC). */
bool machine_has(const char *feature);

/* Starts a strand that never ran: it calls bare_strand() on this stack (its highest address, aligned to 64), set up as the
 * boot strand is. Returns once the strand runs; false when there is none, or it did not answer in time. */
bool machine_start(unsigned strand, void *stack_top);

/* Stops the calling strand so that it takes nothing from the others any more. */
_Noreturn void machine_park(void);

/* Ends everything: power off where there is such a thing, else the strand is parked and who reads the console ends it. */
_Noreturn void machine_end(bool failed);

/* The positive control: a periodic interrupt on the calling strand whose handler runs `path` turns of a short loop. `hz` > 0.
 * False where the machine has no such timer. */
bool machine_tick_start(uint64_t hz, uint64_t path);
void machine_tick_stop(void);
uint64_t machine_ticks(void); /* taken on the calling strand since it was started; 0 without a tick */

/* Nanoseconds since 1970-01-01 UTC from the machine's own clock; time since boot where it has none. */
uint64_t machine_wall_time_ns(void);

/* What the common part gives the machine. */
_Noreturn void bare_boot(void);
_Noreturn void bare_strand(void);
/* For every trap that is not the machine's own business: tells it on the console and ends. `what` names the trap, "" for none. */
_Noreturn void bare_trap(uint64_t type, uint64_t pc, const char *what);

#endif
