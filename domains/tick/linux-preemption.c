/* Linux: the preemption model in force. */
#include <stdio.h>
#include <string.h>
#include "domains/tick/linux-tick.h"
#include "harness/os/linux-files.h"

static const char *const preemption_models[] = {"none", "voluntary", "full", "lazy"};

/* Sets the model if it is one; false leaves what was there. */
static bool set_preemption(struct tick_configuration *tick, const char *model)
{
	for (size_t i = 0; i < sizeof preemption_models / sizeof *preemption_models; i++)
		if (!strcmp(model, preemption_models[i])) {
			snprintf(tick->preemption, sizeof tick->preemption, "%s", preemption_models[i]);
			return true;
		}
	return false;
}

/* A word of the OS's version, "#1 SMP PREEMPT_DYNAMIC Debian 6.1.1". */
static bool has_word(const char *version, const char *word)
{
	size_t length = strlen(word);
	for (const char *at = version; (at = strstr(at, word)); at += length)
		if ((at == version || at[-1] == ' ') && (!at[length] || at[length] == ' '))
			return true;
	return false;
}

/* Of an OS whose version says what it was built with, where its configuration is not to be had. */
static const char *preemption_of_version(const char *version)
{
	return has_word(version, "PREEMPT_LAZY") ? "lazy" : has_word(version, "PREEMPT") ? "full" : "";
}

/* RT comes first: the other sources go on naming a model under it. Then the one in force, "none voluntary (full)" in
 * debugfs; then the boot parameter, which only an OS built to choose at boot obeys; then what it was built with. */
void tick_read_preemption(struct tick_configuration *tick, const struct tick_os_config *c)
{
	char text[128], version[256], *begin;
	linux_read("/proc/sys/kernel/version", version, sizeof version);
	bool rt = has_word(version, "PREEMPT_RT") || has_word(version, "PREEMPT RT") || !strcmp(c->preemption, "rt") ||
		  (linux_read("/sys/kernel/realtime", text, sizeof text) > 0 && !strcmp(text, "1"));
	if (rt) {
		snprintf(tick->preemption, sizeof tick->preemption, "rt");
		return;
	}
	if (linux_read("/sys/kernel/debug/sched/preempt", text, sizeof text) > 0 && (begin = strchr(text, '('))) {
		begin[1 + strcspn(begin + 1, ")")] = 0;
		if (set_preemption(tick, begin + 1))
			return;
	}
	if ((c->preempt_dynamic || has_word(version, "PREEMPT_DYNAMIC")) &&
	    tick_boot_parameter("preempt", text, sizeof text) && set_preemption(tick, text))
		return;
	set_preemption(tick, c->preemption[0] ? c->preemption : preemption_of_version(version));
}
