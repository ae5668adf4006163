#include "domains/tick/tick.h"
#include "harness/json.h"

static void string(struct json *j, const char *key, const char *value)
{
	json_string(j, key, *value ? value : NULL);
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
	string(j, "clocksource", tick->clocksource);
	json_end_object(j);
}
