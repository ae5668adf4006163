/* What `cmtnoise doctor` found: a growing list of findings, printed as text or JSON by harness/cmd_doctor.c. */
#ifndef CMTNOISE_FINDINGS_H
#define CMTNOISE_FINDINGS_H

#include <stddef.h>

enum finding_level {
	FINDING_OK,       /* looked at and fine */
	FINDING_NOTE,     /* worth knowing when reading the figures */
	FINDING_DISTURBS, /* would disturb or limit a measurement */
	FINDING_PREVENTS  /* a measurement cannot be made or trusted */
};

struct finding {
	enum finding_level level;
	char subject[32]; /* "frequency governor" */
	char found[200];  /* what is the case: "ondemand on strands 0-7" */
	char effect[240]; /* what that does to a measurement; "" when fine */
	char mend[240];   /* the exact command or boot parameter that mends it; "" when there is none */
};

struct findings {
	struct finding *items;
	size_t count, size;
};

/* A new finding with the found sentence set (printf format) and effect and mend empty; NULL when memory is out. The
 * pointer is good until the next call. */
struct finding *finding_add(struct findings *f, enum finding_level level, const char *subject, const char *found, ...)
	__attribute__((format(printf, 4, 5)));
/* Its effect and its mend, in printf's way, cut to what fits; for NULL they do nothing. */
void finding_effect(struct finding *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
void finding_mend(struct finding *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
void findings_free(struct findings *f);

#endif
