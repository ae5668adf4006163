#include <errno.h>
#include <stdio.h>
#include <unistd.h>
#include "harness/command.h"
#include "harness/file.h"
#include "harness/inject.h"
#include "harness/session.h"
#include "harness/signals.h"

static void fill(struct injection *in, const struct session *s)
{
	const struct settings *settings = s->settings;
	in->strand = s->strands.items[0];
	in->period_ns = settings->period_ns;
	in->slice_ns = settings->slice_ns;
	in->duration_ns = settings->duration_ns;
	in->timer_hz = s->timer.hz;
	in->host = s->host;
	in->label = s->label;
	in->warnings = s->warnings;
}

static void say_remarks(const struct injection *in)
{
	unsigned long long missed = in->missed, slots = inject_slots(in);
	for (unsigned i = 0; i < in->warnings.count; i++)
		fprintf(stderr, "cmtnoise: strand %u: %s\n", in->strand->id, in->warnings.text[i]);
	if (missed)
		fprintf(stderr,
			"cmtnoise: strand %u: %llu of %llu slots were missed: the strand was not to be had in time\n",
			in->strand->id, missed, slots);
}

/* What was stolen is written whatever ended it: it was noise for whoever measured meanwhile. */
static int steal_and_log(struct session *s, struct file *file)
{
	static struct injection in; /* outlives this call: after a signal the thread may still use it */
	struct why why = {""};

	fill(&in, s);
	int error = inject(&in);
	int signal_number = signals_caught();
	if (!s->settings->quiet)
		say_remarks(&in);
	inject_write(&file->text, &in, signal_number ? "interrupted" : error ? "failed" : "complete");
	int file_error = file_end(file, &why);
	if (file_error)
		command_failed(1, why.text);
	if (signal_number)
		_exit(128 + signal_number);
	if (error)
		return command_failed(error, in.why.text);
	return file_error ? 1 : 0;
}

static int run_session(struct session *s)
{
	static struct file file;
	struct injection wanted = {.count = 0};
	struct why why = {""};

	if (s->strands.count != 1)
		return command_failed(-EINVAL, "inject steals from one strand; start one for each of several");
	fill(&wanted, s);
	int error = inject_check(&wanted, &why);
	/* Opened first: a place that cannot be written is known before anything is stolen. */
	if (!error)
		error = file_begin(&file, s->settings->output ? s->settings->output : "-", false, &why);
	if (error)
		return command_failed(error, why.text);
	error = session_prepare(s, &why);
	if (error || signals_caught())
		file_abandon(&file);
	if (signals_caught())
		_exit(128 + signals_caught());
	return error ? command_failed(error, why.text) : steal_and_log(s, &file);
}

int command_inject(const struct settings *settings)
{
	struct session s = {0};
	struct why why = {""};
	int error = session_plan_first(&s, settings, NULL, &why);
	int code = error ? command_failed(error, why.text) : run_session(&s);
	session_free(&s);
	return code;
}
