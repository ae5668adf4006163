/* The static-thread runtime: what was fixed when the image was built, and the console that
 * everything goes to. Freestanding. */
#ifndef CMTNOISE_BARE_H
#define CMTNOISE_BARE_H

#include "domains/bare/machine.h"
#include "harness/text.h"

/* A thread: the strand it is fixed to and the kernels it runs, one after the other. Written by threads.awk. */
struct bare_thread {
	unsigned strand;
	const char *const *kernels; /* names, in order, at least one */
	size_t kernel_count;
	void *stack_top;
};

extern const struct bare_thread bare_threads[]; /* by strand */
extern const size_t bare_thread_count;

enum { BARE_STACK_BYTES = 32768 }; /* a job with its operand view, and the frames of calibration */

/* Written by the Makefile from its variables. */
struct bare_config {
	uint64_t repetitions, quantum_ns;
	uint64_t iterations; /* 0: calibrate */
	uint64_t tick_hz;    /* 0: no tick */
	uint64_t tick_path;  /* turns of the tick handler's loop */
	uint64_t timer_hz;   /* 0: the machine finds out */
	bool together;       /* all strands at once; else one after the other */
	const char *label;   /* "": as the machine says */
	const char *host;
};

extern const struct bare_config bare_config;

/* What the machine said of itself when it began. */
extern struct machine bare_machine;

/* Split, as the product of counts and 10^9 may need more than 64 bits. */
static inline uint64_t bare_counts_to_ns(uint64_t counts, uint64_t hz)
{
	static const uint64_t second_ns = 1000000000;
	return counts / hz * second_ns + counts % hz * second_ns / hz;
}

/* Provenance of what is measured: as it was fixed, else as the machine says. */
const char *bare_label(void);

/* The console. The strand whose turn it is writes. */
extern struct text console;
void console_flush(void);
void console_line(const char *format, ...) __attribute__((format(printf, 1, 2))); /* with its line end */

#endif
