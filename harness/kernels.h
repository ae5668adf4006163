/* Kernels by name, and whether this CPU can run them. */
#ifndef CMTNOISE_KERNELS_H
#define CMTNOISE_KERNELS_H

#include <stdbool.h>
#include "asm/kernel.h"

/* The name is the first `length` bytes; NULL if there is none. */
const struct kernel *kernel_find(const char *name, size_t length);

/* True with the first feature the kernel needs and this CPU lacks; false when it can run. */
bool kernel_lacks(const struct kernel *kernel, char *feature, size_t size);

#endif
