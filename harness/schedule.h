/* The slots of `cmtnoise inject`: begun every period, counted from 0. Freestanding. */
#ifndef CMTNOISE_SCHEDULE_H
#define CMTNOISE_SCHEDULE_H

#include <stdint.h>

struct schedule {
	uint64_t start_ns, period_ns; /* on the clock of os_clock_ns() */
	uint64_t slots;
};

uint64_t schedule_slot_ns(const struct schedule *s, uint64_t slot);

/* The slot to serve at now_ns by one who waited for `slot`: that one within its period, else the one whose period it is by now,
 * and s->slots when the last one is over. */
uint64_t schedule_due(const struct schedule *s, uint64_t slot, uint64_t now_ns);

#endif
