#include "harness/provenance.h"
#include <string.h>
#include "asm/isa.h"

static const char *const labels[] = {"measured", "virtualised", "emulated", "modelled"};

bool provenance_valid(const char *label)
{
	for (unsigned i = 0; i < sizeof labels / sizeof *labels; i++)
		if (!strcmp(label, labels[i]))
			return true;
	return false;
}

const char *provenance_here(void)
{
	char hypervisor[32];
	isa_hypervisor(hypervisor, sizeof hypervisor);
	if (!hypervisor[0])
		return "measured";
	return strstr(hypervisor, "TCG") ? "emulated" : "virtualised";
}
