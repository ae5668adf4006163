/* The machine as it finds itself. */
#include "domains/bare/bare.h"
#include <stdio.h>
#include <string.h>
#include "asm/isa.h"
#include "domains/bare/niagara/guest.h"
#include "domains/bare/niagara/hypervisor.h"
#include "domains/bare/niagara/niagara.h"

const char machine_name[] = "niagara";

uint64_t niagara_hz;

/* In the image, not in what start.S clears: a loader writes it before that. */
uint64_t niagara_given_end __attribute__((section(".data")));

static const uint64_t SECOND_NS = 1000000000;

/* OpenSPARC T1 Microarchitecture Specification. */
static const struct machine T1 = {.l1i_bytes = 16 << 10, .l1d_bytes = 8 << 10, .l2_bytes = 3 << 20};

static void describe_emulated(struct machine *m)
{
	m->cpu = "QEMU Sun-UltraSparc-T1";
	m->hypervisor = "QEMU TCG"; /* this CPU model has no other accelerator */
	m->label = "emulated";
	m->entered = "reset";
	m->timer_hz = 100000000;
	m->timer_hz_source = "QEMU's T1: %tick is fixed at 100 MHz (hw/sparc64/sparc64.c)";
	m->memory_bytes = (uintptr_t)niagara_memory_end - (uintptr_t)niagara_free;
}

/* NULL, or why there is no machine description. */
static const char *describe_guest(struct machine *m)
{
	const char *fault = guest_ask();
	m->cpu = guest_cpu();
	m->hypervisor = "sun4v";
	m->label = "virtualised";
	m->entered = niagara_given_end ? "openboot" : "hypervisor";
	m->timer_hz = guest_timer_hz(&m->timer_hz_source);
	uint64_t end = niagara_given_end ? niagara_given_end : guest_memory_end((uintptr_t)niagara_free);
	m->memory_bytes = (end ? end : (uintptr_t)niagara_memory_end) - (uintptr_t)niagara_free;
	return fault;
}

static const char *no_rate(const char *reason)
{
	static char sentence[256];
	snprintf(sentence, sizeof sentence,
		 "the rate of %%tick is not known, since %s: build the image with TIMER_HZ=, the counts a second",
		 reason);
	return sentence;
}

const char *machine_begin(struct machine *m, uint64_t timer_hz)
{
	const char *fault = NULL;
	*m = T1;
	m->memory = niagara_free;
	if (!niagara_was_reset)
		niagara_agree();
	if (!niagara_find_self())
		return "the boot strand's number is none of a T1's 32";
	if (niagara_was_reset)
		describe_emulated(m);
	else
		fault = describe_guest(m);
	if (timer_hz) {
		m->timer_hz = timer_hz;
		m->timer_hz_source = "fixed when the image was built";
	}
	niagara_hz = m->timer_hz;
	if (!m->timer_hz)
		return no_rate(fault ? fault : m->timer_hz_source);
	return NULL;
}

/* Of VIS the T1 has the partitioned adds in hardware; square roots it leaves to software, and fused multiply-add came later
 * (OpenSPARC T1 Microarchitecture Specification, "Floating-Point Frontend Unit"). QEMU would do all of them. */
bool machine_has(const char *feature)
{
	return !strcmp(feature, "fpadd32");
}

/* The hypervisor's clock has seconds. The emulated T1 has a clock too, but it is the host's: no two runs would be alike. */
uint64_t machine_wall_time_ns(void)
{
	uint64_t seconds, counts = timer_read();
	if (!niagara_was_reset && !niagara_call(HV_TOD_GET, 0, 0, 0, 0, &seconds))
		return seconds * SECOND_NS;
	return bare_counts_to_ns(counts, niagara_hz);
}
