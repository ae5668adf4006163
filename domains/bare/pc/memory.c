/* Memory as the loader describes it (Multiboot Specification 0.6.96, 3.3; Xen's hvm_start_info for PVH), and the caches. */
#include <cpuid.h>
#include "domains/bare/pc/acpi.h"
#include "domains/bare/pc/pc.h"
#include "domains/bare/pc/regions.h"

extern uint32_t boot_magic, boot_information;
extern unsigned char image_end[];
extern uint64_t pc_gigabytes[512]; /* the page table whose entries are gigabytes; boot.S fills the first four */

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

static struct region_choice choice;

/* What is mapped, but for the null page, which no table lies in. */
const void *acpi_at(uint64_t address, uint64_t bytes)
{
	return address && bytes <= REGION_MAPPED && address <= REGION_MAPPED - bytes ? at(address) : NULL;
}

static void choose_from_multiboot(void)
{
	enum { HAS_SIZES = 1, HAS_MAP = 1 << 6 };
	const struct multiboot *m = at(boot_information);
	if (m->flags & HAS_MAP)
		regions_of_multiboot(&choice, at(m->map), m->map_bytes);
	if (choice.bytes || !(m->flags & HAS_SIZES))
		return;
	region_consider(&choice, 0, (uint64_t)m->lower_kb << 10, REGION_FREE);
	region_consider(&choice, 0x100000, (uint64_t)m->upper_kb << 10, REGION_FREE);
}

static void choose_from_pvh(void)
{
	const struct hvm_start_info *info = at(boot_information);
	const struct hvm_region *map = at(info->map);
	for (uint32_t i = 0; info->version >= 1 && i < info->map_entries; i++)
		region_consider(&choice, map[i].base, map[i].bytes, map[i].type);
}

static bool has_gigabyte_pages(void)
{
	enum { GIGABYTE_PAGES = 1 << 26 };
	unsigned a, b, c, d;
	return __get_cpuid(0x80000001, &a, &b, &c, &d) && d & GIGABYTE_PAGES;
}

/* Only what was chosen: a page of a gigabyte must not cover devices beside memory (Intel SDM vol. 3, 12.11.9). */
static void map_gigabytes(uint64_t begin, uint64_t end)
{
	enum { PRESENT = 1, WRITABLE = 2, LARGE = 0x80 };
	for (uint64_t at = begin; at < end; at += REGION_GIGABYTE)
		pc_gigabytes[at / REGION_GIGABYTE] = at | PRESENT | WRITABLE | LARGE;
}

bool memory_find(struct machine *m)
{
	choice.least = (uintptr_t)image_end;
	choice.most = has_gigabyte_pages() ? 512 * REGION_GIGABYTE : REGION_MAPPED;
	if (boot_magic == MULTIBOOT_MAGIC)
		choose_from_multiboot();
	else if (entered_by_pvh())
		choose_from_pvh();
	if (choice.begin >= REGION_MAPPED)
		map_gigabytes(choice.begin, choice.begin + choice.bytes);
	m->memory = (void *)(uintptr_t)choice.begin;
	m->memory_bytes = choice.bytes;
	return choice.bytes > 0;
}

uint64_t memory_start_page(void)
{
	return choice.start_page;
}

uint64_t memory_acpi_root(void)
{
	return entered_by_pvh() ? ((const struct hvm_start_info *)at(boot_information))->rsdp : 0;
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
