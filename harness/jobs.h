/* Jobs on threads of the OS. */
#ifndef CMTNOISE_JOBS_H
#define CMTNOISE_JOBS_H

#include "harness/job.h"

/* Runs the jobs: all at once, after each was calibrated alone, or a single one. Returns the first error, with its sentence in
 * that job's `why`; -EINTR when a signal came first (the threads may still run: the caller must end the program). */
int jobs_run(struct job *jobs, size_t count);

#endif
