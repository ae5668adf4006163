/* The record, results/FORMAT.md: one (strand, kernel). Freestanding. */
#ifndef CMTNOISE_RECORD_H
#define CMTNOISE_RECORD_H

#include "asm/kernel.h"
#include "harness/os/os.h"
#include "harness/text.h"

enum { WARNINGS_MOST = 8, WARNING_SIZE = 240 };

struct warnings {
	unsigned count;
	char text[WARNINGS_MOST][WARNING_SIZE];
};

/* Cut to WARNING_SIZE; a warning that is there already, or one too many, is dropped. */
void warnings_add(struct warnings *w, const char *text);

/* What the OS counted on the strand up to now, and the timer's counts when the reading of it began and ended. */
struct reading {
	uint64_t values[COUNTER_COUNT];
	uint64_t began, ended;
};

struct record {
	const struct kernel *kernel;
	unsigned strand, core, package;
	uint64_t iterations;
	uint64_t quantum_ns; /* 0 when the iterations were fixed */
	uint64_t repetitions;
	uint64_t round;          /* of a sweep, from 1; 0: no part of one */
	uint64_t calibration_ns; /* spent on calibration and warm-up */
	uint64_t timer_hz;
	uint64_t start_time_ns; /* since 1970-01-01 UTC, at the first stamp */
	const char *host, *label;
	const char *realtime;         /* "no" or the policy and priority */
	struct reading before, after; /* the first stamp, after the last one */
	struct warnings warnings;
	const uint64_t *stamps; /* repetitions + 1 */
};

/* Errors stick in the text. */
void record_write(struct text *t, const struct record *r);

/* 20 characters and the microseconds: "2026-11-21T05:30:12.123456Z". */
void text_utc(struct text *t, uint64_t wall_time_ns);

#endif
