/* What a figure's label may be, and the label of figures made here. */
#ifndef CMTNOISE_PROVENANCE_H
#define CMTNOISE_PROVENANCE_H

#include <stdbool.h>

bool provenance_valid(const char *label);

/* "measured" on silicon, "virtualised" under a hypervisor, "emulated" under an emulator, as far as the CPU tells. */
const char *provenance_here(void);

#endif
