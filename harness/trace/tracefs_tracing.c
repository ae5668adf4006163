/* A trace instance of this process's own, from its making to its removal. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <event-parse.h>
#include <tracefs.h>
#include "asm/isa.h"
#include "bind/strand_list.h"
#include "harness/os/linux-affinity.h"
#include "harness/trace/owner.h"
#include "harness/trace/tracing.h"

/* A generous rate of events, and what one takes in the buffer. */
enum { EVENTS_PER_SECOND = 40000, EVENT_BYTES = 100, LEAST_KB = 1024, MOST_KB = 64 * 1024 };

static const uint64_t SECOND_NS = 1000000000;

static uint64_t monotonic_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * SECOND_NS + (uint64_t)t.tv_nsec;
}

static int make_instance(struct tracing *t, struct why *why)
{
	char name[32];
	owner_instance_name(name, sizeof name, getpid());
	t->instance = tracefs_instance_create(name);
	if (!t->instance)
		return why_set(why, -errno, "cannot make a trace instance: %s", strerror(errno));
	t->on = tracefs_instance_file_open(t->instance, "tracing_on", O_RDWR | O_CLOEXEC);
	if (t->on < 0 || tracefs_trace_off_fd(t->on))
		return why_set(why, -EIO, "cannot switch tracing off and on: %s", strerror(errno));
	return 0;
}

int tracing_open(struct tracing *t, struct why *why)
{
	*t = (struct tracing){.on = -1};
	int error = tracing_possible(true, why);
	if (error)
		return error;
	tracing_remove_stale();
	t->allowed = linux_affinity(&t->allowed_size);
	error = t->allowed ? tracing_learn_format(t, why) : why_set(why, -errno, "%s", strerror(errno));
	if (!error)
		error = make_instance(t, why);
	if (!error)
		error = tracing_choose_clock(t, why);
	if (!error)
		error = tracing_enable_events(t, why);
	if (error)
		tracing_close(t);
	return error;
}

/* Another program may have a file of the instance open for a moment; the OS then refuses to remove it. */
static void remove_instance(struct tracing *t)
{
	for (int tries = 0; tracefs_instance_destroy(t->instance) && errno == EBUSY && tries < 100; tries++)
		nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
	if (tracefs_instance_exists(tracefs_instance_get_name(t->instance)))
		fprintf(stderr,
			"cmtnoise-trace: the trace instance %s could not be removed: %s; later: cmtnoise trace --clean\n",
			tracefs_instance_get_name(t->instance), strerror(errno));
	tracefs_instance_free(t->instance);
}

void tracing_close(struct tracing *t)
{
	if (t->on >= 0) {
		tracefs_trace_off_fd(t->on);
		close(t->on);
	}
	if (t->instance)
		remove_instance(t);
	tep_free(t->tep);
	CPU_FREE(t->allowed);
	free(t->kinds);
	free(t->buffers);
	*t = (struct tracing){.on = -1};
}

static int use_strand(unsigned strand, void *context)
{
	struct strand_buffer *buffer;
	int error = tracing_buffer(context, strand, &buffer);
	if (!error)
		buffer->in_use = true;
	return error;
}

static size_t size_for(uint64_t expected_ns)
{
	double kb = (double)expected_ns * 1e-9 * EVENTS_PER_SECOND * EVENT_BYTES / 1024;
	if (!expected_ns || kb > MOST_KB)
		return MOST_KB;
	return kb < LEAST_KB ? LEAST_KB : (size_t)kb;
}

/* This process is to leave the strands that are measured alone, where there are others. */
static void move_away(const struct tracing *t)
{
	cpu_set_t *away = malloc(t->allowed_size);
	if (!away)
		return;
	memcpy(away, t->allowed, t->allowed_size);
	for (size_t i = 0; i < t->buffer_count; i++)
		if (t->buffers[i].in_use)
			CPU_CLR_S(t->buffers[i].strand, t->allowed_size, away);
	sched_setaffinity(0, t->allowed_size, CPU_COUNT_S(t->allowed_size, away) ? away : t->allowed);
	free(away);
}

int tracing_start(struct tracing *t, const char *strands, uint64_t expected_ns, struct why *why)
{
	for (size_t i = 0; i < t->buffer_count; i++)
		t->buffers[i].in_use = false;
	int error = strand_list_parse(strands, use_strand, t);
	if (error)
		return why_set(why, error, "cannot trace the strands '%.80s': %s", strands, strerror(-error));
	error = tracing_size_buffers(t, size_for(expected_ns), why);
	if (error)
		return error;
	if (tracefs_instance_set_affinity(t->instance, strands) < 0)
		return why_set(why, -EIO, "cannot trace the strands '%.80s': %s", strands, strerror(errno));
	move_away(t);
	if (!t->same_counter)
		t->before = clock_pair_take(timer_read, monotonic_ns);
	if (tracefs_trace_on_fd(t->on))
		return why_set(why, -EIO, "tracing cannot be switched on: %s", strerror(errno));
	return 0;
}

int tracing_stop(struct tracing *t, struct why *why)
{
	if (tracefs_trace_off_fd(t->on))
		return why_set(why, -EIO, "tracing cannot be switched off: %s", strerror(errno));
	if (!t->same_counter)
		t->after = clock_pair_take(timer_read, monotonic_ns);
	return 0;
}
