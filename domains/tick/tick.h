/*
 * The tick configuration of the running host: what decides when and where the OS tick runs. One reader, used by `sweep`
 * (run.json), `doctor` and, through run.json, the analysis. domains/tick/<os>.c answers, with <os>-*.c beside it, chosen by the Makefile.
 */
#ifndef CMTNOISE_TICK_H
#define CMTNOISE_TICK_H

#include <stdbool.h>
#include <stddef.h>

struct json;

enum tick_fact {
	TICK_UNKNOWN, /* the OS does not say */
	TICK_NO,
	TICK_YES
};

/* Strings are "" where the OS does not say. Strand lists are in the OS's list format, "1,3-7". */
struct tick_configuration {
	unsigned hz;                  /* OS ticks a second on a busy strand; 0 where unknown */
	char mode[24];                /* "periodic", "nohz-idle" or "nohz-full" */
	char preemption[24];          /* "none", "voluntary", "full", "lazy" or "rt" */
	char nohz_full[256];          /* strands whose tick may stop while one task runs */
	char isolated[256];           /* strands the scheduler leaves alone */
	char rcu_nocbs[256];          /* strands whose RCU callbacks run elsewhere */
	char irq_affinity[256];       /* strands that new device interrupts may go to */
	char workqueue_affinity[256]; /* strands that work without a strand of its own may go to */
	char clocksource[32];
	char tuned_profile[64];
	enum tick_fact timer_migration; /* timers of idle strands move to busy ones */
	enum tick_fact high_resolution; /* timers expire at any moment, not at ticks alone */
	enum tick_fact threadirqs;      /* handlers of interrupts run as threads */
	enum tick_fact skew_tick;       /* each strand ticks at a moment of its own */
};

/* Fills what can be read without special rights; never fails. */
void tick_read(struct tick_configuration *tick);

/* Writes run.json's "tick" object: every member, null where unknown. */
void tick_json(struct json *j, const struct tick_configuration *tick);

/* The member of that name as a file of domains/tick writes it ("250", "nohz-full", "true"); false where it is unknown, or there is
 * none of that name. */
bool tick_word(const struct tick_configuration *tick, const char *key, char *word, size_t size);

#endif
