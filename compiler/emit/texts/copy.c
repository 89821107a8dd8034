//// threads
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

@pool@
typedef struct {
  char *to;
  const char *from;
} arrays;

static void part(const void *data, int64_t begin, int64_t end, int64_t thread) {
  const arrays *const given = (const arrays *)data;
  (void)thread;
  memcpy(given->to + begin, given->from + begin, (size_t)(end - begin));
}

/* Threads share it as they do a loop of a graph. */
void opc_copy(char *to, const char *from, size_t bytes) {
  const arrays given = {to, from};
  if (bytes >= 131072) {
    opc_share(part, &given, 0, (int64_t)bytes, 64, OPC_MOST_THREADS, OPC_FORK);
  } else {
    memcpy(to, from, bytes);
  }
}

/* So often that what a call costs does not matter. */
void opc_copies(char *to, const char *from, size_t bytes, size_t times) {
  for (size_t k = 0; k < times; ++k) {
    opc_copy(to, from, bytes);
    __asm__ volatile("" : : "r"(to), "r"(from) : "memory");
  }
}

@limit@
