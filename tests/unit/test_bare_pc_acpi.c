/* ACPI's list of strands in a memory that is played here: whole, damaged and hostile. */
#include "tests/unit/test.h"
#include "domains/bare/pc/acpi.h"

/* Physical memory of 1 MB; of what lies higher nothing can be read. */
static unsigned char memory[1 << 20];

enum { ROOT = 0xe1230, RSDT = 0x20000, XSDT = 0x21000, FADT = 0x22000, MADT = 0x23000, MADT_ENTRIES = 44 };

const void *acpi_at(uint64_t address, uint64_t bytes)
{
	return address && bytes <= sizeof memory && address <= sizeof memory - bytes ? memory + address : NULL;
}

static void put(uint64_t at, uint64_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		memory[at + i] = (unsigned char)(value >> 8 * i);
}

static void sum_up(uint64_t at, uint64_t bytes, uint64_t sum_at)
{
	unsigned char sum = 0;
	memory[sum_at] = 0;
	for (uint64_t i = 0; i < bytes; i++)
		sum = (unsigned char)(sum + memory[at + i]);
	memory[sum_at] = (unsigned char)-sum;
}

static void put_table(uint64_t at, const char *signature, uint32_t bytes)
{
	memcpy(memory + at, signature, 4);
	put(at + 4, bytes, 4);
	sum_up(at, bytes, at + 9);
}

static void put_root(uint64_t at, unsigned revision, uint64_t rsdt, uint64_t xsdt)
{
	memcpy(memory + at, "RSD PTR ", 8);
	memory[at + 15] = (unsigned char)revision;
	put(at + 16, rsdt, 4);
	sum_up(at, 20, at + 8);
	put(at + 24, xsdt, 8);
}

/* An APIC or x2APIC in the MADT; gives the place behind it. */
static uint64_t put_apic(uint64_t at, uint32_t id, bool enabled)
{
	memory[at] = 0;
	memory[at + 1] = 8;
	put(at + 3, id, 1);
	put(at + 4, enabled, 4);
	return at + 8;
}

static uint64_t put_x2apic(uint64_t at, uint32_t id, bool enabled)
{
	memory[at] = 9;
	memory[at + 1] = 16;
	put(at + 4, id, 4);
	put(at + 8, enabled, 4);
	return at + 16;
}

/* Strands 0, 2, 200 (an x2APIC) and 300; 1 and 3 are not enabled. Between them something else. */
static uint32_t put_madt(void)
{
	uint64_t at = put_apic(MADT + MADT_ENTRIES, 0, true);
	at = put_apic(at, 1, false);
	memory[at] = 1; /* an I/O APIC */
	memory[at + 1] = 12;
	at = put_apic(at + 12, 2, true);
	at = put_x2apic(at, 200, true);
	at = put_x2apic(at, 3, false);
	at = put_x2apic(at, 300, true);
	put_table(MADT, "APIC", (uint32_t)(at - MADT));
	return (uint32_t)(at - MADT);
}

static uint32_t put_firmware(unsigned revision)
{
	memset(memory, 0, sizeof memory);
	uint32_t bytes = put_madt();
	put_table(FADT, "FACP", 116);
	put(RSDT + 36, FADT, 4);
	put(RSDT + 40, MADT, 4);
	put_table(RSDT, "RSDT", 44);
	put(XSDT + 36, (uint64_t)5 << 32, 8);
	put(XSDT + 44, FADT, 8);
	put(XSDT + 52, MADT, 8);
	put_table(XSDT, "XSDT", 60);
	put_root(ROOT, revision, RSDT, revision >= 2 ? XSDT : 0);
	return bytes;
}

static struct acpi_strands find(uint64_t rsdp)
{
	struct acpi_strands strands;
	acpi_find_strands(&strands, rsdp);
	return strands;
}

static void check_listed(uint64_t rsdp)
{
	struct acpi_strands strands = find(rsdp);
	assert_true(strands.known);
	for (unsigned i = 0; i < 400; i++)
		assert_int_equal(acpi_has_strand(&strands, i), i == 0 || i == 2 || i == 200);
}

static void strands_are_listed_by_either_root_table(void **state)
{
	(void)state;
	put_firmware(0);
	check_listed(0);
	check_listed(ROOT);
	put_firmware(2);
	put_table(RSDT, "RSDT", 36); /* lists nothing */
	check_listed(0);
	put_firmware(2);
	put_table(XSDT, "XSDT", 36);
	check_listed(0);
}

static void the_root_is_found_in_the_extended_bios_data_area(void **state)
{
	(void)state;
	put_firmware(0);
	memcpy(memory + 0x9fc40, memory + ROOT, 36);
	memset(memory + ROOT, 0, 36);
	assert_false(find(0).known);
	put(0x40e, 0x9fc0, 2);
	check_listed(0);
}

static void check_unknown(void)
{
	struct acpi_strands strands = find(0);
	assert_false(strands.known);
	assert_true(acpi_has_strand(&strands, 0) && acpi_has_strand(&strands, 77));
}

static void without_tables_or_with_damaged_ones_nothing_is_known(void **state)
{
	(void)state;
	static const uint64_t damaged[] = {ROOT + 16, RSDT + 40, MADT + MADT_ENTRIES + 3};
	memset(memory, 0, sizeof memory);
	check_unknown();
	for (unsigned i = 0; i < sizeof damaged / sizeof *damaged; i++) {
		put_firmware(0);
		memory[damaged[i]] ^= 0x10;
		check_unknown();
	}
	put_firmware(0);
	put_root(ROOT, 0, 0, 0);
	check_unknown();
	put_root(ROOT, 2, 0xfffffff0, UINT64_MAX - 8);
	check_unknown();
}

static void a_table_s_length_is_not_believed(void **state)
{
	(void)state;
	static const uint32_t lengths[] = {0, 1, 35, 43, 1 << 20, UINT32_MAX};
	for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		put_firmware(0);
		put(MADT + 4, lengths[i], 4);
		if (lengths[i] >= 36 && lengths[i] < 4096)
			sum_up(MADT, lengths[i], MADT + 9);
		check_unknown();
		put_firmware(0);
		put(RSDT + 4, lengths[i], 4);
		check_unknown();
	}
}

static void an_entry_s_length_is_not_believed(void **state)
{
	(void)state;
	static const unsigned char lengths[] = {0, 1, 250};
	for (unsigned i = 0; i < sizeof lengths; i++) {
		uint32_t bytes = put_firmware(0);
		memory[MADT + bytes - 15] = lengths[i];
		sum_up(MADT, bytes, MADT + 9);
		check_unknown();
	}
	uint32_t bytes = put_firmware(0); /* too short for what it claims to be: passed over */
	memory[MADT + MADT_ENTRIES + 1] = 4;
	memory[MADT + MADT_ENTRIES + 4] = 7;
	memory[MADT + MADT_ENTRIES + 5] = 4;
	sum_up(MADT, bytes, MADT + 9);
	struct acpi_strands strands = find(0);
	assert_true(strands.known);
	assert_false(acpi_has_strand(&strands, 0));
	assert_true(acpi_has_strand(&strands, 2));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(strands_are_listed_by_either_root_table),
		cmocka_unit_test(the_root_is_found_in_the_extended_bios_data_area),
		cmocka_unit_test(without_tables_or_with_damaged_ones_nothing_is_known),
		cmocka_unit_test(a_table_s_length_is_not_believed),
		cmocka_unit_test(an_entry_s_length_is_not_believed),
	};
	return cmocka_run_group_tests_name("a PC's list of strands", tests, NULL, NULL);
}
