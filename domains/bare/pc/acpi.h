/* The strands that the firmware lists in ACPI's tables. Freestanding. */
#ifndef CMTNOISE_ACPI_H
#define CMTNOISE_ACPI_H

#include <stdbool.h>
#include <stdint.h>

struct acpi_strands {
	bool known;       /* false: no table, or a damaged one; then nothing is listed */
	uint64_t bits[4]; /* by APIC id */
};

/* `rsdp`: address of the root pointer; 0: it is looked for where a BIOS leaves it. */
void acpi_find_strands(struct acpi_strands *strands, uint64_t rsdp);

/* Whether the strand may be there: true too where nothing is known. */
bool acpi_has_strand(const struct acpi_strands *strands, unsigned strand);

/* Physical memory; NULL where it cannot be read. The machine answers, and a test. */
const void *acpi_at(uint64_t address, uint64_t bytes);

#endif
