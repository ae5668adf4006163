/* A PC's CMOS clock as it reads. Freestanding. */
#ifndef CMTNOISE_DATE_H
#define CMTNOISE_DATE_H

#include <stdbool.h>
#include <stdint.h>

/* Register contents, in the format that register B tells; the year is of the 21st century. */
struct date {
	unsigned second, minute, hour, day, month, year;
};

bool date_same(const struct date *a, const struct date *b);

/* Seconds since 1970-01-01, taking the clock for UTC; 0 if it tells no date. */
uint64_t date_seconds(struct date d, unsigned register_b);

#endif
