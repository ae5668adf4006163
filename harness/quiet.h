/* What `cmtnoise doctor --quiet-strands` says: the tick configurations that help strands which are to be quiet. */
#ifndef CMTNOISE_QUIET_H
#define CMTNOISE_QUIET_H

#include "bind/topology.h"
#include "harness/json.h"
#include "harness/why.h"

struct quiet {
	char *strands;              /* as a list; NULL where none were asked for */
	struct tick_advice *advice; /* of each file that has some */
	size_t count;
};

/* -EINVAL or -ENODEV for a selector of no strands here, -ENOMEM. quiet_free() in every case. */
int quiet_find(struct quiet *q, const struct topology *t, const char *selector, struct why *why);
void quiet_free(struct quiet *q);

void quiet_print(const struct quiet *q);                /* nothing where no strands were asked for */
void quiet_json(struct json *j, const struct quiet *q); /* the member "quiet_strands", null then */

#endif
