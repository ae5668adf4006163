/* A static thread's work on one kernel. Freestanding. */
#ifndef CMTNOISE_BARE_THREAD_H
#define CMTNOISE_BARE_THREAD_H

#include "domains/bare/bare.h"
#include "harness/job.h"

struct bare_work {
	struct job job;
	struct operand operand;
	struct strand strand;
	struct topology machine; /* its caches alone */
};

/* Whether this CPU lacks what a kernel of the map needs: its threads leave it out. */
bool bare_skips(const char *kernel);

/* Sets the job up for the thread's kernel number `number` and says so on the console; job.why tells an error. What is
 * prepared is released in every case. */
int bare_prepare(struct bare_work *work, const struct bare_thread *thread, size_t number);
void bare_release(struct bare_work *work);

void bare_write_record(const struct bare_thread *thread, const struct record *record);
void bare_tell_failure(const struct bare_thread *thread, const struct kernel *kernel, const struct why *why);

/* The thread from start to end, on the calling strand: alone, or in step with all the others (index: its place in the map).
 * False when a kernel could not be measured; the console then tells. */
bool bare_thread_alone(const struct bare_thread *thread);
bool bare_thread_together(size_t index);

/* Until every thread of bare_thread_together() has written its last record. */
void bare_wait_together(void);

#endif
