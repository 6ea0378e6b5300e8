/*
 * Debian has musl and no C++ library for it, and the musl runtime wants one (on Alpine: apk add libstdc++). The tests run it
 * with Debian's own, and these are the few symbols of glibc that musl does not have.
 */
#include <locale.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/random.h>
#include <time.h>

char __libc_single_threaded = 0;
struct {
  unsigned vendor, type, subtype, features[1];
} __cpu_model;

uint32_t arc4random(void) {
  uint32_t number = 0;
  getrandom(&number, sizeof number, 0);
  return number;
}

size_t __strftime_l(char *out, size_t room, const char *format, const struct tm *time, locale_t locale) {
  return strftime_l(out, room, format, time, locale);
}

int __cxa_thread_atexit_impl(void (*end)(void *), void *object, void *module) { return 0; }
int _dl_find_object(void *address, void *found) { return -1; }
int __cpu_indicator_init(void) { return 0; }
