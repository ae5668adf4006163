#include "harness/causes.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bind/strand_list.h"
#include "harness/file.h"

static const char source[] = "tracefs";

static bool is(const struct settings *settings, const char *word)
{
	return settings->causes && !strcmp(settings->causes, word);
}

int causes_check(const struct settings *settings, struct why *why)
{
	if (!settings->causes || is(settings, "auto") || is(settings, "trace") || is(settings, "counters"))
		return 0;
	return why_set(why, -EINVAL, "--causes is auto, trace or counters; got '%.40s'", settings->causes);
}

/* Half as long again as planned: a strand that is disturbed takes longer. 0, not known, where the work is fixed. */
static uint64_t expected_ns(const struct settings *settings)
{
	double ns = 1.5 * (double)settings->repetitions * (double)settings->quantum_ns;
	return settings->iterations ? 0 : ns < 1e18 ? (uint64_t)ns : (uint64_t)1e18;
}

int causes_begin(struct causes *c, const struct settings *settings, struct why *why)
{
	struct why reason;
	*c = (struct causes){.expected_ns = expected_ns(settings)};
	if (is(settings, "counters")) {
		snprintf(c->reason, sizeof c->reason, "--causes counters was given");
		return 0;
	}
	int error = tracer_begin(&c->tracer, &reason);
	if (error && is(settings, "trace"))
		return why_set(why, error == -EINVAL ? -EIO : error, "--causes trace cannot be had here: %.440s",
			       reason.text);
	if (error)
		snprintf(c->reason, sizeof c->reason, "%s", reason.text);
	c->traced = !error;
	return 0;
}

int causes_expect(struct causes *c, const struct plan_step *steps, size_t count, struct why *why)
{
	size_t size = 12 * count + 4; /* an id and its comma */
	free(c->strands);
	c->strands = malloc(size);
	unsigned *ids = malloc(count * sizeof *ids);
	bool enough = c->strands && ids;
	for (size_t i = 0; i < count && enough; i++)
		ids[i] = steps[i].strand->id;
	if (enough)
		strand_list_format(c->strands, size, ids, count);
	free(ids);
	return enough ? 0 : why_set(why, -ENOMEM, "no memory for a list of %zu strands", count);
}

static void note(struct causes *c, const char *sentence)
{
	c->tracing = false;
	if (!c->reason[0])
		snprintf(c->reason, sizeof c->reason,
			 "tracing failed during the sweep; records without an event file have only counters: %s",
			 sentence);
}

void causes_start(void *causes)
{
	struct causes *c = causes;
	struct why why;
	if (!c->traced || c->reason[0])
		return;
	c->tracing = true;
	if (tracer_start(&c->tracer, c->strands, c->expected_ns, &why))
		note(c, why.text);
}

void causes_stop(struct causes *c)
{
	struct why why;
	if (c->tracing && tracer_stop(&c->tracer, &why))
		note(c, why.text);
}

static void header(struct text *t, const struct causes *c, const struct record *r, uint64_t lost, uint64_t error_counts)
{
	text_field(t, "events_version", "1");
	text_field(t, "source", source);
	text_field(t, "clock", c->tracer.clock);
	text_field_u64(t, "strand", r->strand);
	text_field_u64(t, "timer_hz", r->timer_hz);
	text_field_u64(t, "first_stamp_counts", r->stamps[0]);
	text_field_u64(t, "lost", lost);
	text_field_u64(t, "error_counts", error_counts);
	text_string(t, "at_counts\tmark\tclass\tname\n");
}

int causes_write(struct causes *c, const char *path, const struct record *r, uint64_t thread, struct why *why)
{
	const struct tracer_request request = {r->strand, thread, r->stamps[0], r->timer_hz};
	struct file file;
	struct why reason;
	uint64_t lost, error_counts;

	if (!c->tracing)
		return 0;
	if (tracer_ask_events(&c->tracer, &request, &lost, &error_counts, &reason)) {
		note(c, reason.text);
		return 0;
	}
	int error = file_begin(&file, path, false, why);
	if (error)
		return error;
	header(&file.text, c, r, lost, error_counts);
	if (tracer_copy_events(&c->tracer, &file.text, &reason)) {
		file_abandon(&file);
		note(c, reason.text);
		return 0;
	}
	return file_end(&file, why);
}

/* The words of a text, separated by blanks. */
static void words(struct json *j, const char *key, const char *text)
{
	char word[64];
	json_list(j, key);
	while (*text) {
		size_t length = strcspn(text, " ");
		snprintf(word, sizeof word, "%.*s", (int)length, text);
		json_string(j, NULL, word);
		text += length + (text[length] == ' ');
	}
	json_end_list(j);
}

void causes_json(struct json *j, const struct causes *c)
{
	json_object(j, "causes");
	json_string(j, "source", c->traced ? source : "counters");
	json_string(j, "clock", c->traced ? c->tracer.clock : NULL);
	words(j, "events", c->traced ? c->tracer.groups : "");
	json_string(j, "reason", c->reason[0] ? c->reason : NULL);
	json_end_object(j);
}

void causes_end(struct causes *c)
{
	tracer_end(&c->tracer);
	free(c->strands);
	c->strands = NULL;
}
