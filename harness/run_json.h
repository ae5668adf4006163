/* run.json, results/FORMAT.md. */
#ifndef CMTNOISE_RUN_JSON_H
#define CMTNOISE_RUN_JSON_H

#include "harness/json.h"
#include "harness/run_folder.h"

void run_json_write(struct json *j, const struct run_folder *f);

/* Parts that commands print by themselves. */
void run_json_kernel(struct json *j, const struct kernel *kernel);
void run_json_plan(struct json *j, const struct plan *plan);
void run_json_strand(struct json *j, const struct strand *strand);

#endif
