#include "harness/signals.h"
#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t caught;

static void remember(int signal_number)
{
	caught = signal_number;
}

void signals_catch(void)
{
	struct sigaction action = {.sa_handler = remember}; /* without SA_RESTART: a wait is to end */
	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

int signals_caught(void)
{
	return caught;
}
