/* The arithmetic behind a rate that was counted. Freestanding. */
#ifndef CMTNOISE_RATE_H
#define CMTNOISE_RATE_H

#include <stdbool.h>
#include <stdint.h>

/* Anything else is a fault of the method. */
bool rate_plausible(uint64_t hz);

/* counts * hz / per, to the nearest; 0 if per is 0. per * hz is below 2^64. */
uint64_t rate_scale(uint64_t counts, uint64_t hz, uint64_t per);

/* The middle one of an odd number of tries, which are put in order. *agree: they lie within 1 % of it. */
uint64_t rate_middle(uint64_t *tries, unsigned count, bool *agree);

#endif
