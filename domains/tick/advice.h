/* What the files of domains/tick say of strands that are to be quiet: whether it is in force, and if not, how to get it. */
#ifndef CMTNOISE_TICK_ADVICE_H
#define CMTNOISE_TICK_ADVICE_H

#include "domains/tick/files.h"
#include "domains/tick/tick.h"

/* Strands that are to be quiet and all strands that the OS uses, both ascending and each once. */
struct tick_strands {
	const unsigned *quiet, *all;
	size_t quiet_count, all_count;
};

enum tick_state {
	TICK_IN_FORCE,
	TICK_ADVISED,
	TICK_NOT_HERE /* cannot be had on these strands: `reason` says why */
};

/* Strings are malloc'ed. Those that the file does not need are ""; config, parameters, settings and missing are of what is
 * advised alone. */
struct tick_advice {
	const struct tick_file *file;
	enum tick_state state;
	char *config;     /* options that the OS kernel must be built with: "CONFIG_NO_HZ_FULL=y ..." */
	char *parameters; /* boot parameters, for these very strands */
	char *settings;   /* "PATH=VALUE ..." */
	char *missing;    /* what is not in force: "mode is nohz-idle, not nohz-full; ..." */
	char reason[160]; /* why not here, or for fewer strands than asked for; "" for none */
};

/* 0 or -ENOMEM; tick_advice_free() in both cases. */
int tick_advise(struct tick_advice *a, const struct tick_file *file, const struct tick_configuration *tick,
		const struct tick_strands *strands);
void tick_advice_free(struct tick_advice *a);

#endif
