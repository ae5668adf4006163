/* JSON on standard output, for commands with --json. */
#ifndef CMTNOISE_PRINT_JSON_H
#define CMTNOISE_PRINT_JSON_H

#include "harness/json.h"

/* Prints one object whose members are written by the caller; the result is the exit code. */
int print_json(void (*members)(struct json *j, const void *context), const void *context);

#endif
