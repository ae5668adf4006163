/* vsnprintf for what the harness's messages use: %s %.Ns %.*s %c %d %u %x with l, ll and z, %.Nf, %%. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct output {
	char *buffer;
	size_t size, length;
};

struct directive {
	int precision; /* -1: none */
	unsigned longs;
	bool size_t_wide;
	char kind;
};

static void put(struct output *o, char c)
{
	if (o->length + 1 < o->size)
		o->buffer[o->length] = c;
	o->length++;
}

static void put_bytes(struct output *o, const char *bytes, size_t count)
{
	while (count--)
		put(o, *bytes++);
}

static void put_unsigned(struct output *o, unsigned long long value, unsigned base, int digits_least)
{
	char digits[24];
	size_t at = sizeof digits;
	do {
		digits[--at] = "0123456789abcdef"[value % base];
		value /= base;
	} while (value || (int)(sizeof digits - at) < digits_least);
	put_bytes(o, digits + at, sizeof digits - at);
}

/* Rounded half away from zero. What does not fit 64 bits with its decimals is shown as a word: no message has a use for it. */
static void put_fixed(struct output *o, double value, int decimals)
{
	unsigned long long scale = 1;
	if (value < 0) {
		put(o, '-');
		value = -value;
	}
	for (int i = 0; i < decimals; i++)
		scale *= 10;
	if (!(value < 1.8e19 / (double)scale)) {
		put_bytes(o, "huge", 4);
		return;
	}
	unsigned long long scaled = (unsigned long long)(value * (double)scale + 0.5);
	put_unsigned(o, scaled / scale, 10, 1);
	if (decimals) {
		put(o, '.');
		put_unsigned(o, scaled % scale, 10, decimals);
	}
}

static const char *parse(struct directive *d, const char *format, va_list *arguments)
{
	*d = (struct directive){.precision = -1};
	if (*format == '.' && format[1] == '*') {
		d->precision = va_arg(*arguments, int);
		format += 2;
	} else if (*format == '.') {
		d->precision = 0;
		while (*++format >= '0' && *format <= '9')
			d->precision = d->precision * 10 + (*format - '0');
	}
	for (; *format == 'l' || *format == 'z'; format++) {
		d->longs += *format == 'l';
		d->size_t_wide |= *format == 'z';
	}
	d->kind = *format;
	return *format ? format + 1 : format;
}

static unsigned long long unsigned_argument(const struct directive *d, va_list *arguments)
{
	if (d->size_t_wide)
		return va_arg(*arguments, size_t);
	if (d->longs > 1)
		return va_arg(*arguments, unsigned long long);
	return d->longs ? va_arg(*arguments, unsigned long) : va_arg(*arguments, unsigned);
}

static long long signed_argument(const struct directive *d, va_list *arguments)
{
	if (d->longs > 1)
		return va_arg(*arguments, long long);
	return d->longs ? va_arg(*arguments, long) : va_arg(*arguments, int);
}

static void put_string(struct output *o, const char *s, int precision)
{
	size_t most = precision < 0 ? (size_t)-1 : (size_t)precision;
	while (most-- && *s)
		put(o, *s++);
}

static void convert(struct output *o, const struct directive *d, va_list *arguments)
{
	long long value;
	switch (d->kind) {
	case 's':
		put_string(o, va_arg(*arguments, const char *), d->precision);
		break;
	case 'c':
		put(o, (char)va_arg(*arguments, int));
		break;
	case 'd':
		value = signed_argument(d, arguments);
		if (value < 0)
			put(o, '-');
		put_unsigned(o, value < 0 ? -(unsigned long long)value : (unsigned long long)value, 10, 1);
		break;
	case 'u':
	case 'x':
		put_unsigned(o, unsigned_argument(d, arguments), d->kind == 'x' ? 16 : 10, d->precision);
		break;
	case 'f':
		put_fixed(o, va_arg(*arguments, double), d->precision < 0 ? 6 : d->precision);
		break;
	default: /* '%', and what is not known shows itself */
		put(o, d->kind);
	}
}

int vsnprintf(char *restrict buffer, size_t size, const char *restrict format, va_list arguments)
{
	struct output o = {buffer, size, 0};
	struct directive d;
	va_list copy;
	va_copy(copy, arguments);
	while (*format) {
		if (*format != '%') {
			put(&o, *format++);
			continue;
		}
		format = parse(&d, format + 1, &copy);
		convert(&o, &d, &copy);
	}
	va_end(copy);
	if (size)
		buffer[o.length < size ? o.length : size - 1] = 0;
	return (int)o.length;
}

int snprintf(char *restrict buffer, size_t size, const char *restrict format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	int length = vsnprintf(buffer, size, format, arguments);
	va_end(arguments);
	return length;
}
