/* An OS for tests of bind/: a machine made of what the test sets. */
#ifndef CMTNOISE_FAKE_OS_H
#define CMTNOISE_FAKE_OS_H

#include "bind/topology.h"

extern struct topology fake_machine;              /* what os_topology() gives */
extern enum strand_state (*fake_state)(unsigned); /* what os_strand_states() says of a strand; NULL: usable */
extern int fake_error;                            /* what both return */

#endif
