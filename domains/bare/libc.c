/* The few functions of the C library that the harness's freestanding parts and the compiler itself call. Plain loops: none of
 * them runs while something is measured. */
#include <stddef.h>
#include <string.h>

void *memcpy(void *restrict to, const void *restrict from, size_t count)
{
	for (size_t i = 0; i < count; i++)
		((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
	return to;
}

void *memmove(void *to, const void *from, size_t count)
{
	unsigned char *d = to;
	const unsigned char *s = from;
	if (d < s)
		return memcpy(to, from, count);
	while (count--)
		d[count] = s[count];
	return to;
}

void *memset(void *memory, int value, size_t count)
{
	unsigned char *bytes = memory;
	size_t i = 0;
	unsigned long long word = (unsigned char)value * 0x0101010101010101u;
	if ((size_t)bytes % sizeof word == 0)
		for (; i + sizeof word <= count; i += sizeof word)
			*(unsigned long long *)(void *)(bytes + i) = word;
	for (; i < count; i++)
		bytes[i] = (unsigned char)value;
	return memory;
}

int memcmp(const void *a, const void *b, size_t count)
{
	const unsigned char *x = a, *y = b;
	for (size_t i = 0; i < count; i++)
		if (x[i] != y[i])
			return x[i] - y[i];
	return 0;
}

size_t strlen(const char *s)
{
	size_t length = 0;
	while (s[length])
		length++;
	return length;
}

int strncmp(const char *a, const char *b, size_t count)
{
	for (; count && *a && *a == *b; count--)
		a++, b++;
	return count ? (unsigned char)*a - (unsigned char)*b : 0;
}

int strcmp(const char *a, const char *b)
{
	return strncmp(a, b, (size_t)-1);
}

char *strstr(const char *text, const char *wanted)
{
	size_t length = strlen(wanted);
	for (; *text; text++)
		if (!strncmp(text, wanted, length))
			return (char *)text;
	return length ? NULL : (char *)text;
}

size_t strcspn(const char *s, const char *stops)
{
	size_t length = 0;
	for (; s[length]; length++)
		for (const char *stop = stops; *stop; stop++)
			if (s[length] == *stop)
				return length;
	return length;
}

char *strerror(int error)
{
	(void)error; /* nothing here fails with an error number that a user could make sense of */
	return "refused";
}
