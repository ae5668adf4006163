#include "harness/run_json.h"
#include "asm/isa.h"
#include "harness/command.h"
#include "harness/version.h"

static const char *or_null(const char *text)
{
	return text && *text ? text : NULL;
}

static void utc(struct json *j, const char *key, uint64_t wall_time_ns)
{
	char buffer[32];
	struct text t;
	if (!wall_time_ns) {
		json_null(j, key);
		return;
	}
	text_init(&t, buffer, sizeof buffer, NULL, NULL);
	text_utc(&t, wall_time_ns);
	text_bytes(&t, "", 1);
	json_string(j, key, buffer);
}

static void tool(struct json *j)
{
	json_object(j, "tool");
	json_string(j, "name", "cmtnoise");
	json_string(j, "version", CMTNOISE_VERSION);
	json_string(j, "commit", or_null(build_commit));
	json_string(j, "compiler", build_compiler);
	json_string(j, "cflags", build_cflags);
	json_end_object(j);
	json_list(j, "command");
	for (char **argument = program_arguments; *argument; argument++)
		json_string(j, NULL, *argument);
	json_end_list(j);
}

static void settings_json(struct json *j, const struct settings *s)
{
	json_object(j, "options");
	json_string(j, "kernels", s->kernels ? s->kernels : "default");
	json_string(j, "strands", s->strands ? s->strands : "all");
	json_u64(j, "repetitions", s->repetitions);
	json_u64(j, "quantum_ns", s->quantum_ns);
	json_u64(j, "iterations", s->iterations);
	json_u64(j, "repeat", s->repeat);
	json_bool(j, "realtime", s->realtime);
	json_bool(j, "together", s->together);
	json_string(j, "causes", s->causes ? s->causes : "auto");
	json_end_object(j);
}

static void timer(struct json *j, const struct timer_facts *t)
{
	json_object(j, "timer");
	json_string(j, "name", isa_timer_name);
	json_u64(j, "hz", t->hz);
	json_u64(j, "step_counts", t->step_counts);
	json_u64(j, "cost_counts", t->cost_counts);
	json_i64(j, "rate_error_ppm", t->rate_error_ppm);
	if (t->skew_known)
		json_u64(j, "skew_ns", t->skew_ns);
	else
		json_null(j, "skew_ns");
	json_end_object(j);
}

void run_json_strand(struct json *j, const struct strand *strand)
{
	json_object(j, NULL);
	json_u64(j, "strand", strand->id);
	if (strand->core == STRAND_NOWHERE) {
		json_null(j, "core");
		json_null(j, "package");
	} else {
		json_u64(j, "core", strand->core);
		json_u64(j, "package", strand->package);
	}
	json_string(j, "state", strand_state_name(strand->state));
	json_end_object(j);
}

static void topology(struct json *j, const struct topology *t)
{
	json_object(j, "topology");
	json_string(j, "source", t->source);
	json_list(j, "strands");
	for (size_t i = 0; i < t->count; i++)
		run_json_strand(j, &t->strands[i]);
	json_end_list(j);
	json_string(j, "hwloc_xml", t->xml);
	json_end_object(j);
}

void run_json_kernel(struct json *j, const struct kernel *kernel)
{
	json_string(j, "name", kernel->name);
	json_string(j, "instruction", kernel->instruction);
	json_string(j, "resource", kernel->resource);
	json_string(j, "sharing", kernel->sharing);
	json_u64(j, "ops_per_iteration", kernel->ops_per_iteration);
}

static void kernels(struct json *j, const struct session *s)
{
	json_list(j, "kernels");
	for (size_t i = 0; i < s->kernel_count; i++) {
		json_object(j, NULL);
		run_json_kernel(j, s->kernels[i]);
		json_end_object(j);
	}
	json_end_list(j);
	json_list(j, "skipped");
	for (size_t i = 0; i < s->skipped_count; i++) {
		json_object(j, NULL);
		json_string(j, "kernel", s->skipped[i].kernel->name);
		json_string(j, "reason", s->skipped[i].reason);
		json_end_object(j);
	}
	json_end_list(j);
}

void run_json_plan(struct json *j, const struct plan *plan)
{
	char name[96];
	json_list(j, "plan");
	for (size_t i = 0; i < plan->count; i++) {
		const struct plan_step *step = &plan->steps[i];
		run_folder_record_name(name, sizeof name, step->strand->id, step->kernel->name, step->round);
		json_object(j, NULL);
		json_u64(j, "strand", step->strand->id);
		json_string(j, "kernel", step->kernel->name);
		json_u64(j, "round", step->round);
		json_string(j, "file", name);
		json_end_object(j);
	}
	json_end_list(j);
}

static void spent(struct json *j, const struct run_folder *f)
{
	json_object(j, "spent");
	json_u64(j, "operands_ms", f->operands_ns / 1000000);
	json_u64(j, "measured_ms", f->measured_ns / 1000000);
	json_end_object(j);
}

void run_json_write(struct json *j, const struct run_folder *f)
{
	const struct session *s = f->session;
	json_object(j, NULL);
	json_u64(j, "run_version", 1);
	json_string(j, "status", f->status);
	json_string(j, "status_detail", or_null(f->status_detail));
	json_string(j, "label", s->label);
	utc(j, "started", f->started_ns);
	utc(j, "finished", f->finished_ns);
	tool(j);
	settings_json(j, s->settings);
	json_object(j, "host");
	os_describe(j);
	json_end_object(j);
	tick_json(j, &f->tick);
	timer(j, &s->timer);
	topology(j, &s->topology);
	kernels(j, s);
	run_json_plan(j, &s->plan);
	causes_json(j, f->causes);
	spent(j, f);
	json_list(j, "warnings");
	for (unsigned i = 0; i < f->warnings.count; i++)
		json_string(j, NULL, f->warnings.text[i]);
	json_end_list(j);
	json_end_object(j);
}
