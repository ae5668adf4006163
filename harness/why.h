/* Why a call failed, in one sentence for the user: what is wrong and what to do. Hosted code only. */
#ifndef CMTNOISE_WHY_H
#define CMTNOISE_WHY_H

struct why {
	char text[512];
};

/* Sets the sentence (printf format) and returns error, so that `return why_set(why, -EINVAL, "...")` reads well. */
int why_set(struct why *why, int error, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
