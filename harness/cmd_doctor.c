#include <stdio.h>
#include <string.h>
#include "bind/select.h"
#include "harness/command.h"
#include "harness/findings.h"
#include "harness/os/os.h"
#include "harness/print_json.h"
#include "harness/quiet.h"

struct result {
	struct findings findings;
	struct quiet quiet;
};

static const char *const level_names[] = {
	[FINDING_OK] = "ok",
	[FINDING_NOTE] = "note",
	[FINDING_DISTURBS] = "disturbs",
	[FINDING_PREVENTS] = "prevents",
};

static void members(struct json *j, const void *context)
{
	const struct result *result = context;
	const struct findings *findings = &result->findings;
	json_list(j, "findings");
	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *f = &findings->items[i];
		json_object(j, NULL);
		json_string(j, "level", level_names[f->level]);
		json_string(j, "subject", f->subject);
		json_string(j, "found", f->found);
		json_string(j, "effect", f->effect);
		json_string(j, "mend", *f->mend ? f->mend : NULL);
		json_end_object(j);
	}
	json_end_list(j);
	quiet_json(j, &result->quiet);
}

static void print_level(const struct findings *findings, enum finding_level level)
{
	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *f = &findings->items[i];
		if (f->level != level)
			continue;
		printf("%-8s  %s: %s\n", level_names[level], f->subject, f->found);
		if (*f->effect)
			printf("          %s\n", f->effect);
		if (*f->mend)
			printf("          mend: %s\n", f->mend);
	}
}

/* Exit 1 when something prevents a measurement. */
static int print(const struct settings *settings, const struct result *result)
{
	const struct findings *findings = &result->findings;
	int code = 0;
	if (settings->json)
		code = print_json(members, result);
	for (int level = FINDING_PREVENTS; !settings->json && level >= FINDING_OK; level--)
		print_level(findings, (enum finding_level)level);
	if (!settings->json)
		quiet_print(&result->quiet);
	for (size_t i = 0; i < findings->count && !code; i++)
		code = findings->items[i].level == FINDING_PREVENTS;
	return code;
}

/* The topology with the chosen strands alone, so that findings speak of no others. */
static int narrow(struct topology *t, const char *selector, struct why *why)
{
	struct strand_set set;
	int error = select_strands(&set, t, selector, why);
	if (error)
		return error;
	size_t kept = 0;
	for (size_t i = 0; i < t->count; i++)
		for (size_t k = 0; k < set.count; k++)
			if (set.items[k]->id == t->strands[i].id) {
				set.items[k] = &t->strands[kept];
				t->strands[kept++] = t->strands[i];
				break;
			}
	t->count = kept;
	strand_set_free(&set);
	return 0;
}

int command_doctor(const struct settings *settings)
{
	struct topology t;
	struct result result = {0};
	struct why why;

	int error = topology_load(&t, NULL, &why);
	if (error)
		return command_failed(error, why.text);
	if (settings->quiet_strands)
		error = quiet_find(&result.quiet, &t, settings->quiet_strands, &why);
	if (!error && settings->strands)
		error = narrow(&t, settings->strands, &why);
	if (!error) {
		error = os_doctor(&result.findings, &t);
		why_set(&why, error, "this OS's settings cannot be looked at here: %s", strerror(-error));
	}
	int code = error ? command_failed(error, why.text) : print(settings, &result);
	findings_free(&result.findings);
	quiet_free(&result.quiet);
	topology_free(&t);
	return code;
}
