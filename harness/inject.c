#include "harness/inject.h"
#include <errno.h>
#include <stdio.h>
#include "asm/isa.h"
#include "harness/binding.h"
#include "harness/schedule.h"
#include "harness/version.h"

enum { PROVED_EVERY = 64 };

uint64_t inject_slots(const struct injection *in)
{
	return in->duration_ns / in->period_ns;
}

int inject_check(const struct injection *in, struct why *why)
{
	uint64_t memory = os_memory_bytes(), most = memory ? memory / 2 : UINT64_MAX;
	double needed = (double)inject_slots(in) * sizeof(struct stolen);

	if (in->slice_ns >= in->period_ns / 2)
		return why_set(
			why, -EINVAL,
			"--slice %lluns is half of --period %lluns or more: a strand must keep most of its time for "
			"what is measured there; use a shorter --slice or a longer --period",
			(unsigned long long)in->slice_ns, (unsigned long long)in->period_ns);
	if (in->duration_ns < in->period_ns)
		return why_set(why, -EINVAL,
			       "--duration %lluns is shorter than --period %lluns: nothing would be stolen",
			       (unsigned long long)in->duration_ns, (unsigned long long)in->period_ns);
	if (in->duration_ns > UINT64_MAX / 4)
		return why_set(why, -EINVAL, "--duration is too long: the clock ends before");
	if (needed > (double)most)
		return why_set(
			why, -EINVAL,
			"the log of %llu slices would take %.1f GB of memory; half of this machine's is %.1f GB: "
			"use a shorter --duration or a longer --period",
			(unsigned long long)inject_slots(in), needed / 1e9, (double)most / 1e9);
	return 0;
}

static int prepare(struct injection *in)
{
	struct why caveat = {""};
	char text[WARNING_SIZE];
	bool locked = false;
	int error = binding_check(in->strand->id, "before the first slice", &in->why);
	if (error)
		return error;
	in->stolen = os_alloc(inject_slots(in) * sizeof *in->stolen, &locked);
	if (!in->stolen)
		return why_set(&in->why, -ENOMEM, "no memory for the log of %llu slices: use a shorter --duration",
			       (unsigned long long)inject_slots(in));
	if (!locked) {
		snprintf(text, sizeof text, "memory could not be locked: %s", os_words.unlocked);
		warnings_add(&in->warnings, text);
	}
	/* That real-time threads may be throttled is no matter: slices take less than half of the strand. */
	error = os_realtime(&in->realtime, &caveat);
	if (error) {
		snprintf(
			text, sizeof text,
			"real-time scheduling was refused: slices may come late, be missed or be cut up by others: %.140s",
			caveat.text);
		warnings_add(&in->warnings, text);
	}
	return 0;
}

/* The proof of the binding lies inside the slice, so it takes no time that the log does not know; but it takes longer than a
 * short slice, so not inside every one. */
static int steal(struct injection *in, unsigned long long at, uint64_t slice_counts)
{
	uint64_t start = timer_read(), now;
	int error = at % PROVED_EVERY ? 0 : binding_check(in->strand->id, "during the injection", &in->why);
	if (error)
		return error;
	do
		now = timer_read();
	while (now - start < slice_counts);
	in->stolen[at] = (struct stolen){start, now - start};
	atomic_store_explicit(&in->count, at + 1, memory_order_release);
	return 0;
}

static void inject_thread(void *argument)
{
	struct injection *in = argument;
	struct schedule schedule = {.period_ns = in->period_ns, .slots = inject_slots(in)};
	uint64_t slice_counts = (uint64_t)((double)in->slice_ns * 1e-9 * (double)in->timer_hz + 0.5);
	unsigned long long count = 0;

	in->error = prepare(in);
	schedule.start_ns = os_clock_ns();
	for (uint64_t slot = 0; !in->error && slot < schedule.slots; slot++) {
		in->error = os_sleep_until_ns(schedule_slot_ns(&schedule, slot));
		if (in->error) {
			why_set(&in->why, in->error, "this OS cannot sleep until a given time");
			break;
		}
		uint64_t due = schedule_due(&schedule, slot, os_clock_ns());
		atomic_fetch_add_explicit(&in->missed, due - slot, memory_order_relaxed);
		slot = due;
		if (slot < schedule.slots)
			in->error = steal(in, count++, slice_counts);
	}
	if (!in->error)
		in->error = binding_check(in->strand->id, "during the injection", &in->why);
}

int inject(struct injection *in)
{
	struct os_thread *thread;
	in->realtime = "no";
	in->start_time_ns = os_wall_time_ns();
	int error = binding_start(&thread, in->strand->id, inject_thread, in, &in->why);
	if (error)
		return in->error = error;
	error = os_join(thread);
	return error ? error : in->error;
}

static void header(struct text *t, const struct injection *in, const char *status, unsigned long long count)
{
	text_field(t, "injection_version", "1");
	text_field(t, "tool", "cmtnoise " CMTNOISE_VERSION);
	text_field(t, "isa", isa_name);
	text_field(t, "os", os_name);
	text_field(t, "host", in->host);
	text_field_u64(t, "strand", in->strand->id);
	text_field_u64(t, "core", in->strand->core);
	text_field_u64(t, "package", in->strand->package);
	text_field(t, "timer", isa_timer_name);
	text_field_u64(t, "timer_hz", in->timer_hz);
	text_field_u64(t, "period_ns", in->period_ns);
	text_field_u64(t, "slice_ns", in->slice_ns);
	text_field_u64(t, "duration_ns", in->duration_ns);
	text_field_u64(t, "slices", count);
	text_field_u64(t, "missed", atomic_load_explicit(&in->missed, memory_order_relaxed));
	text_field(t, "status", status);
	text_string(t, "# start_time: ");
	text_utc(t, in->start_time_ns);
	text_string(t, "\n");
	text_field(t, "label", in->label);
	text_field(t, "realtime", in->realtime);
	for (unsigned i = 0; i < in->warnings.count; i++)
		text_field(t, "warning", in->warnings.text[i]);
}

void inject_write(struct text *t, const struct injection *in, const char *status)
{
	unsigned long long count = atomic_load_explicit(&in->count, memory_order_acquire);
	header(t, in, status, count);
	text_string(t, "start_counts\tduration_counts\n");
	for (unsigned long long i = 0; i < count; i++) {
		text_u64(t, in->stolen[i].start_counts);
		text_string(t, "\t");
		text_u64(t, in->stolen[i].duration_counts);
		text_string(t, "\n");
	}
}
