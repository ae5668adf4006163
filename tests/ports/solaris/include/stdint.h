/* What cmtnoise uses of Solaris's stdint.h, for 64-bit programs; after illumos-gate's sys/int_types.h and sys/int_limits.h. */
#ifndef CMTNOISE_PORT_SOLARIS_STDINT_H
#define CMTNOISE_PORT_SOLARIS_STDINT_H

typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t, intptr_t, intmax_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned uint32_t;
typedef unsigned long uint64_t, uintptr_t, uintmax_t;
typedef int8_t int_least8_t, int_fast8_t;
typedef int16_t int_least16_t;
typedef int32_t int_least32_t, int_fast16_t, int_fast32_t;
typedef int64_t int_least64_t, int_fast64_t;
typedef uint8_t uint_least8_t, uint_fast8_t;
typedef uint16_t uint_least16_t;
typedef uint32_t uint_least32_t, uint_fast16_t, uint_fast32_t;
typedef uint64_t uint_least64_t, uint_fast64_t;

#define INT64_MAX 9223372036854775807L
#define UINT32_MAX 4294967295U
#define SIZE_MAX 18446744073709551615UL
#define UINT64_MAX 18446744073709551615UL

#endif
