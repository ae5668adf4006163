#include <stdio.h>
#include <string.h>
#include "asm/isa.h"
#include "harness/command.h"
#include "harness/kernels.h"
#include "harness/print_json.h"
#include "harness/run_json.h"

static void members(struct json *j, const void *context)
{
	char feature[32];
	(void)context;
	json_string(j, "isa", isa_name);
	json_list(j, "kernels");
	for (size_t i = 0; i < kernel_registry_count; i++) {
		const struct kernel *kernel = &kernel_registry[i];
		json_object(j, NULL);
		run_json_kernel(j, kernel);
		json_string(j, "needs", *kernel->needs ? kernel->needs : NULL);
		json_string(j, "missing", kernel_lacks(kernel, feature, sizeof feature) ? feature : NULL);
		json_end_object(j);
	}
	json_end_list(j);
}

static void print_table(void)
{
	size_t name = 6, instruction = 11, resource = 8;
	for (size_t i = 0; i < kernel_registry_count; i++) {
		const struct kernel *k = &kernel_registry[i];
		name = strlen(k->name) > name ? strlen(k->name) : name;
		instruction = strlen(k->instruction) > instruction ? strlen(k->instruction) : instruction;
		resource = strlen(k->resource) > resource ? strlen(k->resource) : resource;
	}
	printf("%-*s  %-*s  %-*s  %-8s  %6s\n", (int)name, "kernel", (int)instruction, "instruction", (int)resource,
	       "presses on", "shared", "ops");
	for (size_t i = 0; i < kernel_registry_count; i++) {
		const struct kernel *k = &kernel_registry[i];
		char feature[32];
		printf("%-*s  %-*s  %-*s  %-8s  %6u", (int)name, k->name, (int)instruction, k->instruction,
		       (int)resource, k->resource, k->sharing, k->ops_per_iteration);
		if (kernel_lacks(k, feature, sizeof feature))
			printf("  skipped: this CPU has no %s", feature);
		printf("\n");
	}
}

int command_kernels(const struct settings *settings)
{
	if (settings->json)
		return print_json(members, NULL);
	print_table();
	return 0;
}
