/* One measurement: a kernel calibrated, warmed up and measured on a strand, with everything that belongs in its record. */
#ifndef CMTNOISE_JOB_H
#define CMTNOISE_JOB_H

#include <stdbool.h>
#include "bind/topology.h"
#include "harness/operand.h"
#include "harness/record.h"

struct job {
	/* What to do. */
	const struct kernel *kernel;
	const struct strand *strand;
	const struct operand *operand;
	unsigned index; /* among the jobs that run at once */
	uint64_t repetitions;
	uint64_t quantum_ns;
	uint64_t iterations; /* 0: calibrate */
	uint64_t guess;      /* iterations to begin calibration with, 0 for none */
	uint64_t timer_hz;
	bool realtime;
	/* Called with the context once everything is calibrated, just before the first stamps; NULL for nothing. Of jobs that
	 * run at once the first one's is called. */
	void (*begin)(void *context);
	void *context;

	/* What came of it. */
	struct record record; /* host and label are the caller's to set */
	int error;            /* 0 or -errno, with the sentence in why */
	struct why why;
	bool locked;
	uint64_t thread_id; /* of the measuring thread */

	struct operand_view view;
	uint64_t *stamps;
	struct gate *gate;
};

/* Runs the jobs: all at once, after each was calibrated alone, or a single one. Returns the first error, with its sentence in
 * that job's `why`; -EINTR when a signal came first (the threads may still run: the caller must end the program). */
int jobs_run(struct job *jobs, size_t count);
void job_free(struct job *job);

#endif
