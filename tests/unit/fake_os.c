#include "tests/unit/fake_os.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "harness/os/os.h"

struct topology fake_machine;
enum strand_state (*fake_state)(unsigned);
int fake_error;

int os_topology(struct topology *t)
{
	if (fake_error)
		return fake_error;
	*t = fake_machine;
	t->strands = malloc((t->count + 1) * sizeof *t->strands);
	if (!t->strands)
		return -ENOMEM;
	memcpy(t->strands, fake_machine.strands, t->count * sizeof *t->strands);
	return 0;
}

int os_strand_states(struct topology *t)
{
	for (size_t i = 0; i < t->count; i++)
		t->strands[i].state = fake_state ? fake_state(t->strands[i].id) : STRAND_USABLE;
	return fake_error;
}
