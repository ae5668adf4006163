/* The positive control: %tick_cmpr raises interrupt_level_14 (traps.S). */
#include "domains/bare/machine.h"
#include "domains/bare/niagara/niagara.h"

/* The nearest whole number: what a period is short or long of its rate is under a count. */
uint64_t niagara_period_counts(uint64_t timer_hz, uint64_t hz)
{
	uint64_t period = hz && hz <= timer_hz ? (timer_hz + hz / 2) / hz : 0;
	return period > 2 * TICK_MARGIN ? period : 0;
}

bool machine_tick_start(uint64_t hz, uint64_t path)
{
	struct niagara_strand *self = niagara_self();
	self->period_counts = niagara_period_counts(niagara_hz, hz);
	if (!self->period_counts)
		return false;
	self->ticks = 0;
	self->path_turns = path;
	niagara_tick_on();
	return true;
}

void machine_tick_stop(void)
{
	niagara_tick_off();
}

uint64_t machine_ticks(void)
{
	return __atomic_load_n(&niagara_self()->ticks, __ATOMIC_RELAXED);
}
