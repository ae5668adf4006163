/* Names of traps: UltraSPARC Architecture 2005, chapter 12. */
#include "domains/bare/machine.h"
#include "domains/bare/niagara/niagara.h"

static const struct {
	unsigned short first, last;
	const char *name;
} traps[] = {
	{0x001, 0x001, "power_on_reset"},
	{0x002, 0x002, "watchdog_reset"},
	{0x008, 0x008, "instruction_access_exception"},
	{0x009, 0x009, "instruction_access_MMU_miss"},
	{0x00a, 0x00a, "instruction_access_error"},
	{0x010, 0x010, "illegal_instruction"},
	{0x011, 0x011, "privileged_opcode"},
	{0x020, 0x020, "fp_disabled"},
	{0x021, 0x021, "fp_exception_ieee_754"},
	{0x022, 0x022, "fp_exception_other"},
	{0x023, 0x023, "tag_overflow"},
	{0x024, 0x027, "clean_window"},
	{0x028, 0x028, "division_by_zero"},
	{0x029, 0x029, "internal_processor_error"},
	{0x030, 0x030, "data_access_exception"},
	{0x031, 0x031, "data_access_MMU_miss"},
	{0x032, 0x032, "data_access_error"},
	{0x034, 0x034, "mem_address_not_aligned"},
	{0x035, 0x035, "LDDF_mem_address_not_aligned"},
	{0x036, 0x036, "STDF_mem_address_not_aligned"},
	{0x037, 0x037, "privileged_action"},
	{0x03e, 0x03e, "instruction_real_translation_miss"},
	{0x03f, 0x03f, "data_real_translation_miss: there is no memory; the image takes it that there are 128 MB"},
	{0x041, 0x04f, "interrupt_level_n"},
	{0x05e, 0x05e, "hstick_match"},
	{0x061, 0x061, "PA_watchpoint"},
	{0x062, 0x062, "VA_watchpoint"},
	{0x064, 0x067, "fast_instruction_access_MMU_miss"},
	{0x068, 0x06b, "fast_data_access_MMU_miss"},
	{0x06c, 0x06f, "fast_data_access_protection"},
	{0x07c, 0x07c, "cpu_mondo"},
	{0x07d, 0x07d, "dev_mondo"},
	{0x07e, 0x07e, "resumable_error"},
	{0x07f, 0x07f, "nonresumable_error"},
	{0x080, 0x0bf, "window spill"},
	{0x0c0, 0x0ff, "window fill"},
	{0x100, 0x17f, "trap_instruction"},
	{0x180, 0x1ff, "htrap_instruction"},
};

const char *niagara_trap_name(uint64_t type)
{
	for (unsigned i = 0; i < sizeof traps / sizeof *traps; i++)
		if (type >= traps[i].first && type <= traps[i].last)
			return traps[i].name;
	return "";
}

void niagara_trapped(uint64_t type, uint64_t pc)
{
	bare_trap(type, pc, niagara_trap_name(type));
}
