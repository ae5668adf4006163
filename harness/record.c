#include "harness/record.h"
#include "asm/isa.h"
#include "harness/version.h"

static const char *const counter_names[COUNTER_COUNT] = {
	[COUNTER_TIMER_INTERRUPTS] = "timer_interrupts",
	[COUNTER_RESCHEDULE_INTERRUPTS] = "reschedule_interrupts",
	[COUNTER_FUNCTION_CALL_INTERRUPTS] = "function_call_interrupts",
	[COUNTER_OTHER_INTERRUPTS] = "other_interrupts",
	[COUNTER_VOLUNTARY_SWITCHES] = "voluntary_switches",
	[COUNTER_INVOLUNTARY_SWITCHES] = "involuntary_switches",
	[COUNTER_MINOR_FAULTS] = "minor_faults",
	[COUNTER_MAJOR_FAULTS] = "major_faults",
	[COUNTER_STEAL_MS] = "steal_ms",
	[COUNTER_STRAND_INTERRUPTS] = "strand_interrupts",
	[COUNTER_STRAND_SWITCHES] = "strand_switches",
	[COUNTER_STRAND_INVOLUNTARY_SWITCHES] = "strand_involuntary_switches",
	[COUNTER_STRAND_SYSTEM_CALLS] = "strand_system_calls",
	[COUNTER_STRAND_CROSS_CALLS] = "strand_cross_calls",
};

static bool same(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

void warnings_add(struct warnings *w, const char *text)
{
	if (w->count == WARNINGS_MOST)
		return;
	char *to = w->text[w->count];
	size_t length = 0;
	while (length < WARNING_SIZE - 1 && text[length]) {
		to[length] = text[length];
		length++;
	}
	to[length] = 0;
	for (unsigned i = 0; i < w->count; i++)
		if (same(w->text[i], to))
			return;
	w->count++;
}

static void two_digits(struct text *t, uint64_t value)
{
	text_bytes(t, (const char[]){(char)('0' + value / 10), (char)('0' + value % 10)}, 2);
}

void text_utc(struct text *t, uint64_t wall_time_ns)
{
	uint64_t seconds = wall_time_ns / 1000000000, of_day = seconds % 86400;
	/* Days to a civil date, counted in eras of 400 years that begin on 1 March (Howard Hinnant, "chrono-compatible
	 * low-level date algorithms", days_from_civil). */
	uint64_t days = seconds / 86400 + 719468, era = days / 146097, day_of_era = days % 146097;
	uint64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
	uint64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
	uint64_t shifted_month = (5 * day_of_year + 2) / 153; /* 0 is March */
	uint64_t month = shifted_month < 10 ? shifted_month + 3 : shifted_month - 9;

	text_u64(t, year_of_era + era * 400 + (month <= 2));
	text_string(t, "-");
	two_digits(t, month);
	text_string(t, "-");
	two_digits(t, day_of_year - (153 * shifted_month + 2) / 5 + 1);
	text_string(t, "T");
	two_digits(t, of_day / 3600);
	text_string(t, ":");
	two_digits(t, of_day / 60 % 60);
	text_string(t, ":");
	two_digits(t, of_day % 60);
	text_string(t, ".");
	two_digits(t, wall_time_ns % 1000000000 / 10000000);
	two_digits(t, wall_time_ns % 10000000 / 100000);
	two_digits(t, wall_time_ns % 100000 / 1000);
	text_string(t, "Z");
}

static void pair(struct text *t, uint64_t a, uint64_t b)
{
	text_string(t, ": ");
	text_u64(t, a);
	text_string(t, " ");
	text_u64(t, b);
	text_string(t, "\n");
}

static void counters(struct text *t, const struct record *r)
{
	unsigned known = 0;
	for (unsigned i = 0; i < COUNTER_COUNT; i++) {
		if (r->before.values[i] == COUNTER_UNKNOWN || r->after.values[i] == COUNTER_UNKNOWN)
			continue;
		known++;
		text_string(t, "# counter.");
		text_string(t, counter_names[i]);
		pair(t, r->before.values[i], r->after.values[i]);
	}
	if (!known)
		return;
	text_string(t, "# counters_before_counts");
	pair(t, r->stamps[0] - r->before.began, r->stamps[0] - r->before.ended);
	text_string(t, "# counters_after_counts");
	pair(t, r->after.began - r->stamps[r->repetitions], r->after.ended - r->stamps[r->repetitions]);
}

static void header(struct text *t, const struct record *r)
{
	text_field(t, "record_version", "1");
	text_field(t, "tool", "cmtnoise " CMTNOISE_VERSION);
	text_field(t, "kernel", r->kernel->name);
	text_field(t, "instruction", r->kernel->instruction);
	text_field(t, "isa", isa_name);
	text_field(t, "os", os_name);
	text_field(t, "host", r->host);
	text_field_u64(t, "strand", r->strand);
	text_field_u64(t, "core", r->core);
	text_field_u64(t, "package", r->package);
	text_field_u64(t, "iterations", r->iterations);
	text_field_u64(t, "ops_per_iteration", r->kernel->ops_per_iteration);
	text_field_u64(t, "quantum_ns", r->quantum_ns);
	text_field_u64(t, "repetitions", r->repetitions);
	if (r->round)
		text_field_u64(t, "round", r->round);
	text_field_u64(t, "calibration_ns", r->calibration_ns);
	text_field(t, "timer", isa_timer_name);
	text_field_u64(t, "timer_hz", r->timer_hz);
	text_field_u64(t, "first_stamp_counts", r->stamps[0]);
	text_string(t, "# start_time: ");
	text_utc(t, r->start_time_ns);
	text_string(t, "\n");
	text_field(t, "label", r->label);
	text_field(t, "realtime", r->realtime);
	counters(t, r);
	for (unsigned i = 0; i < r->warnings.count; i++)
		text_field(t, "warning", r->warnings.text[i]);
}

void record_write(struct text *t, const struct record *r)
{
	header(t, r);
	text_string(t, "start_counts\tduration_counts\n");
	for (uint64_t i = 0; i < r->repetitions; i++) {
		text_u64(t, r->stamps[i] - r->stamps[0]);
		text_string(t, "\t");
		text_u64(t, r->stamps[i + 1] - r->stamps[i]);
		text_string(t, "\n");
	}
}
