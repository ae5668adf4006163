/*
 * What the harness asks of an operating system. harness/os/<os>.c answers (with <os>-*.c beside it where one file would
 * hold two subjects); the Makefile picks it. Results are 0 or -errno; what an OS cannot do is -ENOTSUP, never silent
 * success.
 */
#ifndef CMTNOISE_OS_H
#define CMTNOISE_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct findings;
struct json;
struct os_thread;
struct topology;
struct why;

extern const char os_name[]; /* "linux" */

/* What the OS calls things, for sentences of shared code. */
struct os_words {
	const char *masked, *excluded, *offline; /* of a strand in that state: why, and the way back */
	const char *unbound;                     /* what may have taken a thread's binding away */
	const char *unlocked;                    /* how to be allowed to lock memory */
	const char *untraced;                    /* why there is no cmtnoise-trace */
};
extern const struct os_words os_words;

/* Where the running program lies; 0 or -errno. */
int os_program(char *path, size_t size);

/* Starts fn(argument) on a thread bound to the strand; the binding is in force before fn begins. os_join() waits for its
 * end and frees it, or returns -EINTR when a signal arrived first (the thread then still runs). */
int os_start(struct os_thread **thread, unsigned strand, void (*fn)(void *argument), void *argument);
int os_join(struct os_thread *thread);

/* Why os_start() gave that error: sets a clause, "" where strerror() says it all. */
void os_start_reason(struct why *reason, unsigned strand, int error);

/* The calling thread as the OS's own tools number it. */
uint64_t os_thread_id(void);

/* The strand the calling thread is on, and whether it is bound to that strand alone. */
int os_where(unsigned *strand, bool *bound);

/* Whether the CPU has a feature (a kernel's `needs`), for instruction sets that have no instruction to ask it with: 1, 0, or
 * -ENOTSUP where the OS does not say. */
int os_cpu_has(const char *feature);

/* The hypervisor or emulator that the OS knows it runs on, likewise for instruction sets that cannot tell; "" for none. */
void os_hypervisor(char *name, size_t size);

/* Real-time scheduling of the calling thread. On success name is the policy and priority in force ("fifo 80") and `why` holds what
 * limits it here, or ""; on failure `why` says what is missing. */
int os_realtime(const char **name, struct why *why);

/* Zeroed, page-aligned memory, every page touched by the caller's strand. *locked tells whether it is locked too. */
void *os_alloc(size_t bytes, bool *locked);
void os_free(void *memory, size_t bytes);
uint64_t os_memory_bytes(void); /* physical memory; 0 where unknown */

uint64_t os_now_ns(void);       /* monotonic, not slewed where the OS has such a clock */
uint64_t os_wall_time_ns(void); /* since 1970-01-01 UTC */
void os_sleep_ns(uint64_t ns);

/* The clock that os_sleep_until_ns() goes by: monotonic, but perhaps slewed against os_now_ns(). */
uint64_t os_clock_ns(void);
int os_sleep_until_ns(uint64_t clock_ns);

/* Counters of a strand and of the calling thread. The names are fixed by results/FORMAT.md. */
enum os_counter {
	COUNTER_TIMER_INTERRUPTS,
	COUNTER_RESCHEDULE_INTERRUPTS,
	COUNTER_FUNCTION_CALL_INTERRUPTS,
	COUNTER_OTHER_INTERRUPTS,
	COUNTER_VOLUNTARY_SWITCHES,
	COUNTER_INVOLUNTARY_SWITCHES,
	COUNTER_MINOR_FAULTS,
	COUNTER_MAJOR_FAULTS,
	COUNTER_STEAL_MS,
	COUNTER_STRAND_INTERRUPTS,
	COUNTER_STRAND_SWITCHES,
	COUNTER_STRAND_INVOLUNTARY_SWITCHES,
	COUNTER_STRAND_SYSTEM_CALLS,
	COUNTER_STRAND_CROSS_CALLS,
	COUNTER_COUNT
};
#define COUNTER_UNKNOWN UINT64_MAX

/* Fills every value; COUNTER_UNKNOWN where the OS does not say. */
void os_counters(unsigned strand, uint64_t values[COUNTER_COUNT]);

/* Flat topology: strands with core and package from the OS alone, caches where known. */
int os_topology(struct topology *t);

/* Sets the state of every strand of a topology of this host. Strands that the OS knows and the topology does not (offline
 * ones) are added. */
int os_strand_states(struct topology *t);

/* Writes the members of run.json's "host" into the open object. */
void os_describe(struct json *j);

/* Adds what would disturb or limit a measurement on these strands, and what is fine. */
int os_doctor(struct findings *findings, const struct topology *t);

#endif
