/* The run folder, results/FORMAT.md: its place, its records, run.json. */
#ifndef CMTNOISE_RUN_FOLDER_H
#define CMTNOISE_RUN_FOLDER_H

#include <limits.h>
#include "domains/tick/tick.h"
#include "harness/causes.h"
#include "harness/session.h"

struct run_folder {
	const struct session *session;
	const struct causes *causes;
	char path[PATH_MAX - 256]; /* room for the names of files in it */
	uint64_t started_ns, finished_ns; /* wall clock; finished 0 while running */
	struct tick_configuration tick;
	struct warnings warnings;
	uint64_t operands_ns;    /* spent building operands */
	uint64_t measured_ns;    /* the sum of the records' own time */
	const char *status;      /* "running", "complete", "interrupted", "failed" */
	char status_detail[512]; /* "" for none */
};

/* Makes the folder and writes run.json with status "running". -EEXIST when it is there already. */
int run_folder_begin(struct run_folder *f, const struct session *s, const struct causes *causes, struct why *why);

/* Where the events of a record belong; they are written before it, so that a record that is there has them. */
void run_folder_events_path(const struct run_folder *f, char *path, size_t size, const struct record *r);

int run_folder_record(const struct run_folder *f, const struct record *r, struct why *why);

/* Writes run.json for the last time. */
int run_folder_end(struct run_folder *f, const char *status, const char *detail, struct why *why);

/* "records/strand0-add.tsv", and from round 2 on "records/strand0-add.2.tsv" */
void run_folder_record_name(char *name, size_t size, unsigned strand, const char *kernel, uint64_t round);

#endif
