/* What the hypervisor tells its guest of the machine. */
#ifndef CMTNOISE_NIAGARA_GUEST_H
#define CMTNOISE_NIAGARA_GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Asks for the machine description. NULL, or why there is none; everything below is then unknown. */
const char *guest_ask(void);

/* Counts a second of %tick and where that is from; 0 for unknown. */
uint64_t guest_timer_hz(const char **source);

/* The CPU's name, "" for unknown. */
const char *guest_cpu(void);

/* The end of the real memory that this address lies in; 0 for unknown. */
uint64_t guest_memory_end(uint64_t address);

#endif
