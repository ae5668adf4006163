#include "domains/bare/niagara/guest.h"
#include "domains/bare/niagara/hypervisor.h"
#include "domains/bare/niagara/md.h"
#include "domains/bare/niagara/niagara.h"

/* MACH_DESC wants 16. A guest's description has a few KB. */
static _Alignas(16) unsigned char description[65536];
static struct md md; /* empty until there is one */

const char *guest_ask(void)
{
	uint64_t bytes = 0;
	uint64_t status = niagara_call(HV_MACH_DESC, (uintptr_t)description, sizeof description, 0, 0, &bytes);
	md = (struct md){0};
	if (status == HV_EINVAL && bytes > sizeof description)
		return "the hypervisor's machine description is longer than 64 KB";
	if (status)
		return "the hypervisor gave no machine description";
	if (bytes > sizeof description || !md_open(&md, description, bytes))
		return "the hypervisor's machine description cannot be read";
	return 0;
}

uint64_t guest_timer_hz(const char **source)
{
	uint64_t hz = 0;
	if (md_number(&md, md_node(&md, "cpu", 0), "clock-frequency", &hz) && hz) {
		*source = "the hypervisor's machine description: clock-frequency of the first cpu";
		return hz;
	}
	/* On a T1, %stick is %tick (UltraSPARC T1 Supplement to the UltraSPARC Architecture 2005). */
	if (md_number(&md, md_node(&md, "platform", 0), "stick-frequency", &hz) && hz) {
		*source = "the hypervisor's machine description: stick-frequency of the platform";
		return hz;
	}
	*source = "the hypervisor's machine description has no clock-frequency";
	return 0;
}

const char *guest_cpu(void)
{
	static char name[64];
	return md_text(&md, md_node(&md, "cpu", 0), "compatible", name, sizeof name) ? name : "";
}

uint64_t guest_memory_end(uint64_t address)
{
	for (size_t node = md_node(&md, "mblock", 0); node < md.element_count;
	     node = md_node(&md, "mblock", node + 1)) {
		uint64_t base, size;
		if (md_number(&md, node, "base", &base) && md_number(&md, node, "size", &size) && address >= base &&
		    address - base < size)
			return base + size;
	}
	return 0;
}
