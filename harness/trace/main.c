/*
 * cmtnoise-trace: traces what the OS does on strands while cmtnoise sweep measures them. The sweep starts it and speaks with it
 * through its standard input and output, a line a request and a line (or lines) in answer:
 *
 *     (after the start)                       ready CLOCK TAB GROUPS
 *     start EXPECTED_NS STRANDS               started
 *     stop                                    stopped
 *     events STRAND THREAD FIRST_STAMP HZ     events LOST ERROR_COUNTS, the rows, end
 *     (anything that fails)                   failed SENTENCE
 *
 * It sleeps between requests. When its input ends, however the sweep ended, it removes what it made and goes.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "harness/trace/tracing.h"

static int failed(const struct why *why)
{
	printf("failed %s\n", why->text);
	return -EIO;
}

static int start(struct tracing *t, const char *arguments)
{
	struct why why;
	char *strands;
	uint64_t expected_ns = strtoull(arguments, &strands, 10);
	strands += *strands == ' ';
	if (tracing_start(t, strands, expected_ns, &why))
		return failed(&why);
	printf("started\n");
	return 0;
}

static int stop(struct tracing *t, const char *arguments)
{
	struct why why;
	(void)arguments;
	if (tracing_stop(t, &why))
		return failed(&why);
	printf("stopped\n");
	return 0;
}

static int flush(void *context, const char *bytes, size_t count)
{
	return fwrite(bytes, 1, count, context) == count ? 0 : -EIO;
}

static uint64_t error_of(const struct tracing *t)
{
	if (t->same_counter)
		return 0;
	return t->before.error_counts > t->after.error_counts ? t->before.error_counts : t->after.error_counts;
}

static int events(struct tracing *t, const char *arguments)
{
	struct why why;
	struct reading reading;
	struct events events = {0};
	struct text text;
	char buffer[4096];
	uint64_t lost;

	if (sscanf(arguments, "%u %d %" SCNu64 " %" SCNu64, &reading.strand, &reading.thread,
		   &reading.first_stamp_counts, &reading.timer_hz) != 4) {
		why_set(&why, -EINVAL, "events wants a strand, a thread, a stamp and a rate");
		return failed(&why);
	}
	int error = tracing_read(t, &reading, &events, &why);
	if (!error)
		error = tracing_lost(t, reading.strand, &lost, &why);
	if (error) {
		failed(&why);
	} else {
		printf("events %" PRIu64 " %" PRIu64 "\n", lost, error_of(t));
		text_init(&text, buffer, sizeof buffer, flush, stdout);
		events_write(&events, &text);
		text_finish(&text);
		printf("end\n");
	}
	events_free(&events);
	return error;
}

static int answer(struct tracing *t, const char *line)
{
	static const struct {
		const char *word;
		int (*run)(struct tracing *t, const char *arguments);
	} requests[] = {{"start ", start}, {"stop", stop}, {"events ", events}};
	struct why why;
	for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
		size_t length = strlen(requests[i].word);
		if (!strncmp(line, requests[i].word, length))
			return requests[i].run(t, line + length);
	}
	why_set(&why, -EINVAL, "there is no request '%.40s'", line);
	return failed(&why);
}

/* Only the end of the input ends it: a Ctrl-C goes to every process of the terminal, and what was made has to be removed. */
static void ignore_signals(void)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		signal(numbers[i], SIG_IGN);
}

static int serve(void)
{
	struct tracing t;
	struct why why = {""};
	char *line = NULL;
	size_t size = 0;

	ignore_signals();
	if (tracing_open(&t, &why)) {
		failed(&why);
		return 1;
	}
	printf("ready %s\t%s\n", t.clock, t.groups);
	fflush(stdout);
	for (ssize_t length; (length = getline(&line, &size, stdin)) > 0 && !ferror(stdout); fflush(stdout)) {
		line[length - 1] = 0;
		answer(&t, line);
	}
	free(line);
	tracing_close(&t);
	return 0;
}

static int check(void)
{
	struct why why = {""};
	if (tracing_possible(false, &why)) {
		failed(&why);
		return 1;
	}
	printf("possible\n");
	return 0;
}

static int usage(void)
{
	fprintf(stderr, "usage: cmtnoise-trace [--check | --clean]\n\n"
			"cmtnoise sweep starts this program to trace what the OS does meanwhile (see docs/causes.md).\n"
			"  --check   say whether this user may trace here; changes nothing\n"
			"  --clean   remove trace instances that killed sweeps left behind\n");
	return 2;
}

int main(int argc, char **argv)
{
	struct why why;
	if (argc == 2 && !strcmp(argv[1], "--check"))
		return check();
	if (argc == 2 && !strcmp(argv[1], "--clean")) {
		if (tracing_possible(true, &why)) {
			fprintf(stderr, "cmtnoise-trace: %s\n", why.text);
			return 1;
		}
		tracing_remove_stale();
		return 0;
	}
	return argc > 1 || isatty(STDIN_FILENO) ? usage() : serve();
}
