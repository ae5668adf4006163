/* A T1 whose hypervisor, registers and timer are played. */
#ifndef CMTNOISE_TEST_FAKE_NIAGARA_H
#define CMTNOISE_TEST_FAKE_NIAGARA_H

#include "tests/unit/test.h"
#include "domains/bare/niagara/hypervisor.h"
#include "domains/bare/niagara/niagara.h"
#include "tests/unit/written_md.h"

enum { FUNCTIONS = 0x100 };

struct fake_niagara {
	bool serves[FUNCTIONS];
	uint64_t my_id, seconds, strand_status;
	unsigned refusals; /* EWOULDBLOCK, this often */
	uint64_t refuses;  /* strand that CPU_START does not know */
	bool comes_up;     /* a strand that was started runs */
	const unsigned char *md;
	size_t md_bytes;
	char console[64];
	size_t written;
	struct niagara_strand *started[NIAGARA_STRANDS];
	unsigned calls, agreed, yields;
	struct niagara_strand *self;
	uint64_t counts;
	bool ticking;
	uint64_t exit_code;
	jmp_buf ended;
};
extern struct fake_niagara fake;

/* A T1's, as far as the runtime reads it. hz 0: no frequency of a cpu. */
size_t describe_t1(struct written_md *w, uint64_t hz);

/* A guest on strand 0 of a hypervisor that serves every call. */
void begin_guest(struct written_md *w);

#endif
