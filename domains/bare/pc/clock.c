/* The rate of the time-stamp counter, and the wall clock. */
#include <cpuid.h>
#include "asm/isa.h"
#include "domains/bare/bare.h"
#include "domains/bare/pc/pc.h"

enum { PIT_HZ = 1193182, PIT_CONTROL = 0x43, PIT_CHANNEL2 = 0x42, PIT_GATE = 0x61, PIT_OUTPUT = 0x20 };
enum { CMOS_INDEX = 0x70, CMOS_DATA = 0x71 };

static const uint64_t SECOND_NS = 1000000000;
static const uint64_t LEAST_HZ = 100000000, MOST_HZ = 10000000000; /* anything else is a fault of the method */

void clock_wait_ns(uint64_t ns)
{
	uint64_t counts = (uint64_t)((double)ns * 1e-9 * (double)bare_machine.timer_hz), begin = timer_read();
	while (timer_read() - begin < counts)
		isa_relax();
}

/* CPUID 15h: the counter is a multiple of a crystal whose rate may be told. */
static uint64_t crystal_hz(void)
{
	unsigned a, b, c, d;
	if (__get_cpuid_max(0, 0) < 0x15)
		return 0;
	__cpuid(0x15, a, b, c, d);
	return a && b ? (uint64_t)c * b / a : 0;
}

/* A hypervisor may tell the rate in kHz (the leaf that VMware introduced, and KVM and others took over). */
static uint64_t hypervisor_hz(void)
{
	unsigned a, b, c, d;
	__cpuid(1, a, b, c, d);
	if (!(c >> 31))
		return 0;
	__cpuid(0x40000000, a, b, c, d);
	if (a < 0x40000010)
		return 0;
	__cpuid(0x40000010, a, b, c, d);
	return (uint64_t)a * 1000;
}

/* Counts in which channel 2 of the interval timer counts down, in mode 0. */
static uint64_t pit_counts(uint16_t pit_ticks)
{
	port_out(PIT_GATE, (port_in(PIT_GATE) & ~2) | 1); /* gate open, speaker off */
	port_out(PIT_CONTROL, 0xb0);
	port_out(PIT_CHANNEL2, (uint8_t)pit_ticks);
	port_out(PIT_CHANNEL2, (uint8_t)(pit_ticks >> 8));
	uint64_t begin = timer_read(), patience = MOST_HZ / 10;
	while (!(port_in(PIT_GATE) & PIT_OUTPUT))
		if (timer_read() - begin > patience)
			return 0;
	return timer_read() - begin;
}

static uint64_t middle(uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t low = a < b ? a : b, high = a < b ? b : a;
	return c < low ? low : c > high ? high : c;
}

static uint64_t pit_hz(void)
{
	enum { TICKS = 23864 }; /* 20 ms */
	uint64_t counts = middle(pit_counts(TICKS), pit_counts(TICKS), pit_counts(TICKS));
	return counts * PIT_HZ / TICKS;
}

uint64_t clock_timer_hz(const char **source)
{
	static const struct {
		uint64_t (*ask)(void);
		const char *name;
	} ways[] = {
		{crystal_hz, "CPUID 15h"}, {hypervisor_hz, "hypervisor, CPUID 40000010h"}, {pit_hz, "interval timer"}};
	for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++) {
		uint64_t hz = ways[i].ask();
		*source = ways[i].name;
		if (hz >= LEAST_HZ && hz <= MOST_HZ)
			return hz;
	}
	return 0;
}

static unsigned cmos(unsigned at)
{
	port_out(CMOS_INDEX, (uint8_t)at);
	return port_in(CMOS_DATA);
}

struct date {
	unsigned second, minute, hour, day, month, year;
};

static struct date read_date(void)
{
	enum { UPDATING = 0x80 };
	for (unsigned patience = 1000000; patience && cmos(0x0a) & UPDATING; patience--)
		isa_relax();
	return (struct date){cmos(0), cmos(2), cmos(4), cmos(7), cmos(8), cmos(9)};
}

static unsigned from_bcd(unsigned value)
{
	return value / 16 * 10 + value % 16;
}

static bool same_date(struct date a, struct date b)
{
	return a.second == b.second && a.minute == b.minute && a.hour == b.hour && a.day == b.day && a.month == b.month;
}

/* Years since 2000: the century's place differs from machine to machine. */
static uint64_t seconds_of(struct date d)
{
	static const unsigned days_before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
	uint64_t days = 10957 + d.year * 365 + (d.year + 3) / 4 + days_before[d.month - 1] + d.day - 1;
	if (d.month > 2 && d.year % 4 == 0)
		days++;
	return days * 86400 + d.hour * 3600 + d.minute * 60 + d.second;
}

uint64_t clock_wall_seconds(void)
{
	enum { HOURS_24 = 2, BINARY = 4, AFTERNOON = 0x80 };
	unsigned patience = 10, format = cmos(0x0b);
	struct date d = read_date(), again;
	while (again = read_date(), !same_date(d, again) && patience--)
		d = again;
	bool afternoon = !(format & HOURS_24) && d.hour & AFTERNOON;
	d.hour &= ~(unsigned)AFTERNOON;
	if (!(format & BINARY))
		d = (struct date){from_bcd(d.second), from_bcd(d.minute), from_bcd(d.hour),
				  from_bcd(d.day),    from_bcd(d.month),  from_bcd(d.year)};
	if (!(format & HOURS_24))
		d.hour = d.hour % 12 + (afternoon ? 12 : 0);
	bool plausible =
		d.second < 60 && d.minute < 60 && d.hour < 24 && d.day - 1 < 31 && d.month - 1 < 12 && d.year < 100;
	return plausible ? seconds_of(d) : 0;
}

uint64_t machine_wall_time_ns(void)
{
	static uint64_t booted_ns, booted_counts; /* first asked by the boot strand, before any other runs */
	uint64_t hz = bare_machine.timer_hz;
	if (!booted_counts) {
		booted_ns = clock_wall_seconds() * SECOND_NS;
		booted_counts = timer_read();
	}
	uint64_t counts = timer_read() - booted_counts;
	return booted_ns + counts / hz * SECOND_NS + counts % hz * SECOND_NS / hz;
}
