/* What is known of a tick configuration, by the names that run.json has for it. */
#include <stdio.h>
#include <string.h>
#include "domains/tick/tick.h"
#include "harness/json.h"

enum kind { RATE, TEXT, FACT };

static const struct {
	const char *key;
	enum kind kind;
	size_t offset;
} facts[] = {
	{"hz", RATE, offsetof(struct tick_configuration, hz)},
	{"mode", TEXT, offsetof(struct tick_configuration, mode)},
	{"preemption", TEXT, offsetof(struct tick_configuration, preemption)},
	{"nohz_full", TEXT, offsetof(struct tick_configuration, nohz_full)},
	{"isolated", TEXT, offsetof(struct tick_configuration, isolated)},
	{"rcu_nocbs", TEXT, offsetof(struct tick_configuration, rcu_nocbs)},
	{"irq_affinity", TEXT, offsetof(struct tick_configuration, irq_affinity)},
	{"workqueue_affinity", TEXT, offsetof(struct tick_configuration, workqueue_affinity)},
	{"clocksource", TEXT, offsetof(struct tick_configuration, clocksource)},
	{"tuned_profile", TEXT, offsetof(struct tick_configuration, tuned_profile)},
	{"timer_migration", FACT, offsetof(struct tick_configuration, timer_migration)},
	{"high_resolution", FACT, offsetof(struct tick_configuration, high_resolution)},
	{"threadirqs", FACT, offsetof(struct tick_configuration, threadirqs)},
	{"skew_tick", FACT, offsetof(struct tick_configuration, skew_tick)},
};

static const void *member(const struct tick_configuration *tick, size_t i)
{
	return (const char *)tick + facts[i].offset;
}

static enum tick_fact truth(const struct tick_configuration *tick, size_t i)
{
	return *(const enum tick_fact *)member(tick, i);
}

static bool known(const struct tick_configuration *tick, size_t i)
{
	switch (facts[i].kind) {
	case RATE:
		return *(const unsigned *)member(tick, i);
	case TEXT:
		return *(const char *)member(tick, i);
	case FACT:
		return truth(tick, i) != TICK_UNKNOWN;
	}
	return false;
}

void tick_json(struct json *j, const struct tick_configuration *tick)
{
	json_object(j, "tick");
	for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
		if (!known(tick, i))
			json_null(j, facts[i].key);
		else if (facts[i].kind == RATE)
			json_u64(j, facts[i].key, *(const unsigned *)member(tick, i));
		else if (facts[i].kind == TEXT)
			json_string(j, facts[i].key, member(tick, i));
		else
			json_bool(j, facts[i].key, truth(tick, i) == TICK_YES);
	json_end_object(j);
}

bool tick_word(const struct tick_configuration *tick, const char *key, char *word, size_t size)
{
	size_t i = 0;
	while (i < sizeof facts / sizeof *facts && strcmp(key, facts[i].key) != 0)
		i++;
	if (i == sizeof facts / sizeof *facts || !known(tick, i))
		return false;
	if (facts[i].kind == RATE)
		snprintf(word, size, "%u", *(const unsigned *)member(tick, i));
	else
		snprintf(word, size, "%s",
			 facts[i].kind == TEXT        ? (const char *)member(tick, i)
			 : truth(tick, i) == TICK_YES ? "true"
						      : "false");
	return true;
}
