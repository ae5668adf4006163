/*
 * From the root pointer to the table of interrupt controllers, which lists the strands (ACPI specification 6.5: 5.2.5 root
 * pointer, 5.2.7 and 5.2.8 root tables, 5.2.12 MADT). The tables are the firmware's: lengths and sums are checked before
 * anything in them is used, and a damaged table counts as none.
 */
#include "domains/bare/pc/acpi.h"
#include <string.h>

enum { ROOT_BYTES = 20, ROOT2_BYTES = 36, HEADER_BYTES = 36, MADT_BYTES = 44, MOST_BYTES = 1 << 20 };

static uint32_t u32(const unsigned char *bytes)
{
	return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static uint64_t u64(const unsigned char *bytes)
{
	return u32(bytes) | (uint64_t)u32(bytes + 4) << 32;
}

static bool adds_up(const unsigned char *bytes, uint32_t count)
{
	unsigned char sum = 0;
	while (count--)
		sum = (unsigned char)(sum + *bytes++);
	return !sum;
}

/* A whole table; NULL if it is not there or damaged. */
static const unsigned char *table_at(uint64_t address, uint32_t *bytes)
{
	const unsigned char *header = acpi_at(address, HEADER_BYTES);
	*bytes = header ? u32(header + 4) : 0;
	if (*bytes < HEADER_BYTES || *bytes > MOST_BYTES)
		return NULL;
	const unsigned char *table = acpi_at(address, *bytes);
	return table && adds_up(table, *bytes) ? table : NULL;
}

static bool is_root(const unsigned char *root)
{
	return root && !memcmp(root, "RSD PTR ", 8) && adds_up(root, ROOT_BYTES);
}

static uint64_t scan(uint64_t begin, uint64_t end)
{
	for (uint64_t at = begin; at + ROOT_BYTES <= end; at += 16)
		if (is_root(acpi_at(at, ROOT_BYTES)))
			return at;
	return 0;
}

/* 5.2.5.1: the first kilobyte of the extended BIOS data area, then the BIOS itself. */
static uint64_t find_root(void)
{
	enum { AREA_SEGMENT = 0x40e, BIOS = 0xe0000, BIOS_END = 0x100000 };
	const unsigned char *segment = acpi_at(AREA_SEGMENT, 2);
	uint64_t area = segment ? (uint64_t)(segment[0] | segment[1] << 8) << 4 : 0;
	uint64_t found = area ? scan(area, area + 1024) : 0;
	return found ? found : scan(BIOS, BIOS_END);
}

/* The table of interrupt controllers among those that a root table lists, by addresses of 4 or 8 bytes. */
static const unsigned char *find_listed(uint64_t root_table, unsigned address_bytes, uint32_t *bytes)
{
	uint32_t root_bytes;
	const unsigned char *root = table_at(root_table, &root_bytes);
	for (uint32_t at = HEADER_BYTES; root && at + address_bytes <= root_bytes; at += address_bytes) {
		const unsigned char *table = table_at(address_bytes == 8 ? u64(root + at) : u32(root + at), bytes);
		if (table && !memcmp(table, "APIC", 4))
			return table;
	}
	return NULL;
}

static const unsigned char *find_madt(uint64_t rsdp, uint32_t *bytes)
{
	uint64_t at = rsdp ? rsdp : find_root();
	const unsigned char *root = at ? acpi_at(at, ROOT_BYTES) : NULL;
	if (!is_root(root))
		return NULL;
	uint64_t root_table = u32(root + 16);
	const unsigned char *root2 = root[15] >= 2 ? acpi_at(at, ROOT2_BYTES) : NULL;
	const unsigned char *madt = root2 ? find_listed(u64(root2 + 24), 8, bytes) : NULL;
	return madt ? madt : find_listed(root_table, 4, bytes);
}

/* 5.2.12.2 and 5.2.12.12: a strand with its APIC or x2APIC, of use if it is enabled. */
static void add_strand(struct acpi_strands *strands, const unsigned char *entry)
{
	enum { APIC = 0, APIC_BYTES = 8, X2APIC = 9, X2APIC_BYTES = 16, ENABLED = 1 };
	uint32_t id, flags;
	if (entry[0] == APIC && entry[1] >= APIC_BYTES) {
		id = entry[3];
		flags = u32(entry + 4);
	} else if (entry[0] == X2APIC && entry[1] >= X2APIC_BYTES) {
		id = u32(entry + 4);
		flags = u32(entry + 8);
	} else {
		return;
	}
	if (flags & ENABLED && id < 256)
		strands->bits[id / 64] |= (uint64_t)1 << id % 64;
}

void acpi_find_strands(struct acpi_strands *strands, uint64_t rsdp)
{
	uint32_t bytes, at = MADT_BYTES;
	const unsigned char *madt = find_madt(rsdp, &bytes);
	*strands = (struct acpi_strands){.known = false};
	if (!madt)
		return;
	while (at + 2 <= bytes && madt[at + 1] >= 2 && at + madt[at + 1] <= bytes) {
		add_strand(strands, madt + at);
		at += madt[at + 1];
	}
	strands->known = at == bytes;
}

bool acpi_has_strand(const struct acpi_strands *strands, unsigned strand)
{
	return !strands->known || (strand < 256 && strands->bits[strand / 64] >> strand % 64 & 1);
}
