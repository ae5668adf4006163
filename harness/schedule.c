#include "harness/schedule.h"

uint64_t schedule_slot_ns(const struct schedule *s, uint64_t slot)
{
	return s->start_ns + slot * s->period_ns;
}

uint64_t schedule_due(const struct schedule *s, uint64_t slot, uint64_t now_ns)
{
	if (now_ns < schedule_slot_ns(s, slot))
		return slot;
	uint64_t due = (now_ns - s->start_ns) / s->period_ns;
	return due < s->slots ? due : s->slots;
}
