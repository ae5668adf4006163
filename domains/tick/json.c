#include "domains/tick/tick.h"
#include "harness/json.h"

static void string(struct json *j, const char *key, const char *value)
{
	json_string(j, key, *value ? value : NULL);
}

static void fact(struct json *j, const char *key, enum tick_fact value)
{
	if (value == TICK_UNKNOWN)
		json_null(j, key);
	else
		json_bool(j, key, value == TICK_YES);
}

void tick_json(struct json *j, const struct tick_configuration *tick)
{
	json_object(j, "tick");
	if (tick->hz)
		json_u64(j, "hz", tick->hz);
	else
		json_null(j, "hz");
	string(j, "mode", tick->mode);
	string(j, "preemption", tick->preemption);
	string(j, "nohz_full", tick->nohz_full);
	string(j, "isolated", tick->isolated);
	string(j, "rcu_nocbs", tick->rcu_nocbs);
	string(j, "irq_affinity", tick->irq_affinity);
	string(j, "workqueue_affinity", tick->workqueue_affinity);
	string(j, "clocksource", tick->clocksource);
	string(j, "tuned_profile", tick->tuned_profile);
	fact(j, "timer_migration", tick->timer_migration);
	fact(j, "high_resolution", tick->high_resolution);
	fact(j, "threadirqs", tick->threadirqs);
	fact(j, "skew_tick", tick->skew_tick);
	json_end_object(j);
}
