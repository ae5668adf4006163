/* The buffers that hold the events of a record, one a strand. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#include "harness/trace/tracing.h"

/* From this size on a buffer does not outlive its record: on a machine of many strands they would add up. */
enum { LARGE_KB = 16 * 1024, SMALL_KB = 1024 };

int tracing_buffer(struct tracing *t, unsigned strand, struct strand_buffer **buffer)
{
	for (size_t i = 0; i < t->buffer_count; i++)
		if (t->buffers[i].strand == strand) {
			*buffer = &t->buffers[i];
			return 0;
		}
	struct strand_buffer *grown = realloc(t->buffers, (t->buffer_count + 1) * sizeof *grown);
	if (!grown)
		return -ENOMEM;
	t->buffers = grown;
	ssize_t size_kb = tracefs_instance_get_buffer_size(t->instance, (int)strand);
	*buffer = &grown[t->buffer_count++];
	**buffer = (struct strand_buffer){.strand = strand, .size_kb = size_kb > 0 ? (size_t)size_kb : 0};
	return 0;
}

int tracing_size_buffers(struct tracing *t, size_t size_kb, struct why *why)
{
	for (size_t i = 0; i < t->buffer_count; i++) {
		struct strand_buffer *b = &t->buffers[i];
		size_t wanted_kb = b->in_use && b->size_kb < size_kb      ? size_kb
				   : !b->in_use && b->size_kb >= LARGE_KB ? SMALL_KB
									  : b->size_kb;
		if (wanted_kb == b->size_kb)
			continue;
		if (tracefs_instance_set_buffer_size(t->instance, wanted_kb, (int)b->strand))
			return why_set(why, -errno, "no trace buffer of %zu KB for strand %u: %s", wanted_kb, b->strand,
				       strerror(errno));
		b->size_kb = wanted_kb;
	}
	return 0;
}

/* The number behind a key in the lines "key: number" of a strand's statistics. */
static uint64_t statistic(const char *text, const char *key)
{
	const char *at = strstr(text, key);
	return at ? strtoull(at + strlen(key), NULL, 10) : 0;
}

int tracing_lost(struct tracing *t, unsigned strand, uint64_t *lost, struct why *why)
{
	char file[64];
	struct strand_buffer *buffer;
	int error = tracing_buffer(t, strand, &buffer);
	if (error)
		return why_set(why, error, "no memory to read events");
	snprintf(file, sizeof file, "per_cpu/cpu%u/stats", strand);
	char *text = tracefs_instance_file_read(t->instance, file, NULL);
	if (!text)
		return why_set(why, -EIO, "cannot read %s: whether events were lost is not known", file);
	uint64_t all = statistic(text, "\noverrun: ") + statistic(text, "\ncommit overrun: ") +
		       statistic(text, "\ndropped events: ");
	free(text);
	*lost = all - buffer->lost;
	buffer->lost = all;
	return 0;
}
