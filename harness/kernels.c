#include "harness/kernels.h"
#include <stdio.h>
#include <string.h>
#include "asm/isa.h"

const struct kernel *kernel_find(const char *name, size_t length)
{
	for (size_t i = 0; i < kernel_registry_count; i++)
		if (strlen(kernel_registry[i].name) == length && !strncmp(kernel_registry[i].name, name, length))
			return &kernel_registry[i];
	return NULL;
}

bool kernel_lacks(const struct kernel *kernel, char *feature, size_t size)
{
	for (const char *needs = kernel->needs; *needs;) {
		size_t length = strcspn(needs, ",");
		snprintf(feature, size, "%.*s", (int)length, needs);
		if (!isa_has(feature))
			return true;
		needs += length + (needs[length] == ',');
	}
	return false;
}
