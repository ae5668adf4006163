/* A static thread: one after the other, its kernels are measured and their records written. */
#include "domains/bare/thread.h"
#include <string.h>
#include "domains/bare/crc32.h"
#include "harness/kernels.h"

bool bare_skips(const char *kernel)
{
	char feature[32];
	return kernel_lacks(kernel_find(kernel, strlen(kernel)), feature, sizeof feature);
}

struct measured {
	uint64_t bytes;
	uint32_t sum;
};

static int add_up(void *context, const char *bytes, size_t count)
{
	struct measured *m = context;
	m->bytes += count;
	m->sum = crc32_update(m->sum, bytes, count);
	return 0;
}

/* Written twice, the first time into a sum: what is announced is there in full, and no buffer has to hold a record. */
void bare_write_record(const struct bare_thread *thread, const struct record *record)
{
	char buffer[64];
	struct text text;
	struct measured m = {0, 0};
	text_init(&text, buffer, sizeof buffer, add_up, &m);
	record_write(&text, record);
	text_finish(&text);
	console_line("@record: %u %s %llu %.8x", thread->strand, record->kernel->name, (unsigned long long)m.bytes,
		     m.sum);
	record_write(&console, record);
	console_flush();
}

void bare_tell_failure(const struct bare_thread *thread, const struct kernel *kernel, const struct why *why)
{
	console_line("@failed: %u %s %s", thread->strand, kernel->name, why->text);
}

int bare_prepare(struct bare_work *work, const struct bare_thread *thread, size_t number)
{
	struct job *job = &work->job;
	const struct machine *m = &bare_machine;
	*work = (struct bare_work){
		.strand = {.id = thread->strand},
		.machine = {.l1i_bytes = m->l1i_bytes,
			    .l1d_bytes = m->l1d_bytes,
			    .l2_bytes = m->l2_bytes,
			    .l3_bytes = m->l3_bytes},
	};
	machine_place(thread->strand, &work->strand.core, &work->strand.package);
	*job = (struct job){
		.kernel = kernel_find(thread->kernels[number], strlen(thread->kernels[number])),
		.strand = &work->strand,
		.operand = &work->operand,
		.repetitions = bare_config.repetitions,
		.quantum_ns = bare_config.quantum_ns,
		.iterations = bare_config.iterations,
		.timer_hz = m->timer_hz,
		.record = {.host = bare_config.host, .label = bare_label()},
	};
	job_init_record(job);
	console_line("@begin: %u %s", thread->strand, job->kernel->name);
	return operand_build(&work->operand, job->kernel->operand, &work->machine, &job->why);
}

void bare_release(struct bare_work *work)
{
	job_free(&work->job);
	operand_free(&work->operand);
}

bool bare_thread_alone(const struct bare_thread *thread)
{
	bool good = true;
	for (size_t i = 0; i < thread->kernel_count; i++) {
		struct bare_work work;
		if (bare_skips(thread->kernels[i]))
			continue;
		int error = bare_prepare(&work, thread, i);
		if (!error)
			error = job_measure(&work.job);
		if (error)
			bare_tell_failure(thread, work.job.kernel, &work.job.why);
		else
			bare_write_record(thread, &work.job.record);
		bare_release(&work);
		good = good && !error;
	}
	return good;
}
