/* What the CPU that these tests run on has, in the OS's place: qemu-sparc64 does not tell programs of its VIS instructions, which
 * it has. It has no fused multiply-add. */
#include <string.h>
#include "harness/os/os.h"

int os_cpu_has(const char *feature)
{
	return strcmp(feature, "fmaf") != 0;
}
