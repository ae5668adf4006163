/* One measurement: a kernel calibrated, warmed up and measured on a strand, with everything that belongs in its record.
 * Hosted and bare: needs no thread but the calling one. */
#ifndef CMTNOISE_JOB_H
#define CMTNOISE_JOB_H

#include <stdatomic.h>
#include <stdbool.h>
#include "bind/topology.h"
#include "harness/operand.h"
#include "harness/record.h"

/* Where jobs that run at once wait until the last of them is ready. */
struct gate {
	atomic_uint missing;
};

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
	struct gate *gate; /* to wait at before the first stamp; NULL for none */
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
};

/* Copies what is to be done into the record. */
void job_init_record(struct job *job);

/* On the job's strand: calibrates, so that job->iterations are set; or measures, calibrating before if they are not. 0, or -errno
 * with the sentence in why. */
int job_calibrate(struct job *job);
int job_measure(struct job *job);

/* Lets the others at the gate go on without this job, if it has not passed. */
void job_leave_gate(struct job *job);

void job_free(struct job *job);

#endif
