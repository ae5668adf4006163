/* CRC-32 of IEEE 802.3, as zlib's: what a serial line lost or changed is seen. Freestanding. */
#ifndef CMTNOISE_CRC32_H
#define CMTNOISE_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* Goes on from the sum of the bytes before, 0 at first. */
uint32_t crc32_update(uint32_t sum, const void *bytes, size_t count);

#endif
