/* Memory as the loader describes it (Multiboot Specification 0.6.96, 3.3; Xen's hvm_start_info for PVH), and the caches. */
#include <cpuid.h>
#include "domains/bare/pc/pc.h"
#include "domains/bare/pc/regions.h"

extern uint32_t boot_magic, boot_information;
extern unsigned char image_end[];

enum { MULTIBOOT_MAGIC = 0x2badb002, PVH_MAGIC = 0x336ec578 };

struct multiboot {
	uint32_t flags, lower_kb, upper_kb, not_used[8], map_bytes, map;
};

struct hvm_start_info {
	uint32_t magic, version, flags, modules;
	uint64_t module_list, command_line, rsdp, map;
	uint32_t map_entries, reserved;
};

struct hvm_region {
	uint64_t base, bytes;
	uint32_t type, reserved;
};

static const void *at(uint64_t address)
{
	return (const void *)(uintptr_t)address;
}

static bool entered_by_pvh(void)
{
	return boot_information && *(const uint32_t *)at(boot_information) == PVH_MAGIC;
}

const char *memory_loader(void)
{
	if (boot_magic == MULTIBOOT_MAGIC)
		return "multiboot";
	return entered_by_pvh() ? "pvh" : "";
}

static void choose_from_multiboot(struct region_choice *choice)
{
	enum { HAS_SIZES = 1, HAS_MAP = 1 << 6 };
	const struct multiboot *m = at(boot_information);
	if (m->flags & HAS_MAP)
		regions_of_multiboot(choice, at(m->map), m->map_bytes);
	else if (m->flags & HAS_SIZES)
		region_consider(choice, 0x100000, (uint64_t)m->upper_kb << 10, REGION_FREE);
}

static void choose_from_pvh(struct region_choice *choice)
{
	const struct hvm_start_info *info = at(boot_information);
	const struct hvm_region *map = at(info->map);
	for (uint32_t i = 0; info->version >= 1 && i < info->map_entries; i++)
		region_consider(choice, map[i].base, map[i].bytes, map[i].type);
}

bool memory_find(struct machine *m)
{
	struct region_choice choice = {.least = (uintptr_t)image_end, .most = (uint64_t)1 << 32};
	if (boot_magic == MULTIBOOT_MAGIC)
		choose_from_multiboot(&choice);
	else if (entered_by_pvh())
		choose_from_pvh(&choice);
	m->memory = (void *)(uintptr_t)choice.begin;
	m->memory_bytes = choice.bytes;
	return choice.bytes > 0;
}

/* Leaf 4 of Intel and leaf 8000001Dh of AMD have one form: type, level, and what the size is the product of. */
static bool cache_of(unsigned leaf, unsigned number, struct machine *m)
{
	unsigned a, b, c, d;
	__cpuid_count(leaf, number, a, b, c, d);
	unsigned type = a & 31, level = a >> 5 & 7;
	uint64_t bytes = (uint64_t)((b >> 22) + 1) * ((b >> 12 & 1023) + 1) * ((b & 4095) + 1) * ((uint64_t)c + 1);
	if (level == 1 && type == 1)
		m->l1d_bytes = bytes;
	else if (level == 1 && type == 2)
		m->l1i_bytes = bytes;
	else if (level == 2)
		m->l2_bytes = bytes;
	else if (level == 3)
		m->l3_bytes = bytes;
	return type != 0;
}

void memory_caches(struct machine *m)
{
	enum { TOPOLOGY_EXTENSIONS = 1 << 22 };
	unsigned a, b, c, d, leaf = 0;
	if (__get_cpuid(0x80000001, &a, &b, &c, &d) && c & TOPOLOGY_EXTENSIONS)
		leaf = 0x8000001d;
	else if (__get_cpuid_max(0, 0) >= 4)
		leaf = 4;
	for (unsigned i = 0; leaf && i < 8 && cache_of(leaf, i, m); i++)
		;
}
