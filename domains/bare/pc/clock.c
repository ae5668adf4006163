/* The rate of the time-stamp counter, and the wall clock. */
#include <cpuid.h>
#include "asm/isa.h"
#include "domains/bare/bare.h"
#include "domains/bare/pc/date.h"
#include "domains/bare/pc/pc.h"
#include "domains/bare/pc/rate.h"

enum { PIT_HZ = 1193182, PIT_CONTROL = 0x43, PIT_CHANNEL2 = 0x42, PIT_GATE = 0x61, PIT_OUTPUT = 0x20 };
enum { CMOS_INDEX = 0x70, CMOS_DATA = 0x71 };

static const uint64_t SECOND_NS = 1000000000;

/* Without isa_relax(): an emulator of many strands takes it for a word to run all the others first. */
void clock_wait_ns(uint64_t ns)
{
	uint64_t counts = rate_scale(bare_machine.timer_hz, ns, SECOND_NS), begin = timer_read();
	while (timer_read() - begin < counts)
		;
}

/* CPUID 15h: the counter is a multiple of a crystal whose rate may be told. */
static uint64_t crystal_hz(const char **source)
{
	unsigned a, b, c, d;
	*source = "CPUID 15h";
	if (__get_cpuid_max(0, 0) < 0x15)
		return 0;
	__cpuid(0x15, a, b, c, d);
	return a && b ? (uint64_t)c * b / a : 0;
}

/* A hypervisor may tell the rate in kHz (the leaf that VMware introduced, and KVM and others took over). */
static uint64_t hypervisor_hz(const char **source)
{
	unsigned a, b, c, d;
	*source = "hypervisor, CPUID 40000010h";
	__cpuid(1, a, b, c, d);
	if (!(c >> 31))
		return 0;
	__cpuid(0x40000000, a, b, c, d);
	if (a < 0x40000010)
		return 0;
	__cpuid(0x40000010, a, b, c, d);
	return (uint64_t)a * 1000;
}

/* Counts in which channel 2 of the interval timer counts down, in mode 0; 0 if it does not. */
static uint64_t pit_counts(uint16_t pit_ticks)
{
	static const uint64_t PATIENCE = 1000000000;      /* of a counter of 10 GHz: ten times what it takes */
	port_out(PIT_GATE, (port_in(PIT_GATE) & ~2) | 1); /* gate open, speaker off */
	port_out(PIT_CONTROL, 0xb0);
	port_out(PIT_CHANNEL2, (uint8_t)pit_ticks);
	port_out(PIT_CHANNEL2, (uint8_t)(pit_ticks >> 8));
	uint64_t begin = timer_read();
	while (!(port_in(PIT_GATE) & PIT_OUTPUT))
		if (timer_read() - begin > PATIENCE)
			return 0;
	return timer_read() - begin;
}

/* An interval timer that is emulated, or read by a strand that is held up, makes single tries wrong by any factor. */
static uint64_t pit_hz(const char **source)
{
	enum { TICKS = 11932, TRIES = 5 }; /* 10 ms */
	uint64_t tries[TRIES];
	bool agree;
	*source = "interval timer";
	for (unsigned i = 0; i < TRIES; i++) {
		tries[i] = pit_counts(TICKS);
		if (!tries[i])
			return 0;
	}
	uint64_t hz = rate_scale(rate_middle(tries, TRIES, &agree), PIT_HZ, TICKS);
	if (!agree)
		*source = "interval timer, whose tries differ by more than 1 %: an estimate";
	return hz;
}

/* CPUID 16h: the counter runs at the base frequency, of which only the nominal value is told. */
static uint64_t nominal_hz(const char **source)
{
	unsigned a, b, c, d;
	*source = "CPUID 16h, nominal";
	if (__get_cpuid_max(0, 0) < 0x16)
		return 0;
	__cpuid(0x16, a, b, c, d);
	return (uint64_t)(a & 0xffff) * 1000000;
}

uint64_t clock_timer_hz(const char **source)
{
	static uint64_t (*const ways[])(const char **source) = {crystal_hz, hypervisor_hz, pit_hz, nominal_hz};
	for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++) {
		uint64_t hz = ways[i](source);
		if (rate_plausible(hz))
			return hz;
	}
	return 0;
}

static unsigned cmos(unsigned at)
{
	port_out(CMOS_INDEX, (uint8_t)at);
	return port_in(CMOS_DATA);
}

static struct date read_date(void)
{
	enum { UPDATING = 0x80 };
	for (unsigned patience = 1000000; patience && cmos(0x0a) & UPDATING; patience--)
		isa_relax();
	return (struct date){cmos(0), cmos(2), cmos(4), cmos(7), cmos(8), cmos(9)};
}

/* Read until it reads the same twice: an update may begin between two registers. */
static uint64_t cmos_seconds(void)
{
	struct date d = read_date();
	for (unsigned patience = 10; patience; patience--) {
		struct date again = read_date();
		if (date_same(&d, &again))
			return date_seconds(d, cmos(0x0b));
		d = again;
	}
	return 0;
}

uint64_t machine_wall_time_ns(void)
{
	static uint64_t booted_ns, booted_counts; /* first asked by the boot strand, before any other runs */
	if (!booted_counts) {
		booted_ns = cmos_seconds() * SECOND_NS;
		booted_counts = timer_read();
	}
	return booted_ns + bare_counts_to_ns(timer_read() - booted_counts, bare_machine.timer_hz);
}
