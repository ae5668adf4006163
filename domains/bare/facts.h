/* What the console is told before the first record. */
#ifndef CMTNOISE_BARE_FACTS_H
#define CMTNOISE_BARE_FACTS_H

#include "harness/timer_test.h"

void bare_tell_facts(const struct timer_facts *timer);

#endif
