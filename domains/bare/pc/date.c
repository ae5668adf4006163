/* Registers as in the data sheet of Motorola's MC146818A. */
#include "domains/bare/pc/date.h"

enum { HOURS_24 = 2, BINARY = 4, AFTERNOON = 0x80 };

bool date_same(const struct date *a, const struct date *b)
{
	return a->second == b->second && a->minute == b->minute && a->hour == b->hour && a->day == b->day &&
	       a->month == b->month && a->year == b->year;
}

static unsigned from_bcd(unsigned value)
{
	return value / 16 * 10 + value % 16;
}

static struct date decode(struct date d, unsigned register_b)
{
	bool afternoon = !(register_b & HOURS_24) && d.hour & AFTERNOON;
	if (!(register_b & HOURS_24))
		d.hour &= ~(unsigned)AFTERNOON;
	if (!(register_b & BINARY))
		d = (struct date){from_bcd(d.second), from_bcd(d.minute), from_bcd(d.hour),
				  from_bcd(d.day),    from_bcd(d.month),  from_bcd(d.year)};
	if (!(register_b & HOURS_24))
		d.hour = d.hour % 12 + (afternoon ? 12 : 0);
	return d;
}

static bool plausible(const struct date *d)
{
	return d->second < 60 && d->minute < 60 && d->hour < 24 && d->day - 1 < 31 && d->month - 1 < 12 &&
	       d->year < 100;
}

uint64_t date_seconds(struct date d, unsigned register_b)
{
	static const unsigned days_before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
	enum { DAYS_BEFORE_2000 = 10957 };
	d = decode(d, register_b);
	if (!plausible(&d))
		return 0;
	uint64_t days = DAYS_BEFORE_2000 + d.year * 365 + (d.year + 3) / 4 + days_before[d.month - 1] + d.day - 1;
	if (d.month > 2 && d.year % 4 == 0)
		days++;
	return days * 86400 + d.hour * 3600 + d.minute * 60 + d.second;
}
