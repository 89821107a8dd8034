/* Threads that share loops.  Each of them has chunks of a loop that it takes first; who has none
   left takes those of the others.  So the caller waits for nobody that has not begun with a chunk.
   Where it takes longer than it would alone, since the system lets others run instead, it does as much
   alone then as makes that a small part of the whole.  Without -pthread, or where another call is
   sharing a loop, the caller does it alone, too. */
#if defined(_REENTRANT) && defined(__GNUC__) && !defined(_WIN32)
#define OPC_HAS_THREADS 1
#include <pthread.h>
#include <unistd.h>
#endif

/* Computes the rounds from begin to end of a loop, in the thread with that number. */
typedef void (*opc_rounds)(const void *data, int64_t begin, int64_t end, int64_t thread);

#define OPC_MOST_THREADS @THREADS@
#define OPC_CHUNKS @PIECES@   /* of a loop, for each thread */
#define OPC_SPINS @SPINS@ /* looks for work before a thread sleeps: some 100 us */
#define OPC_PATIENCE @PATIENCE@ /* times as long is computed alone as was lost by sharing */

#ifdef OPC_HAS_THREADS

static pthread_mutex_t opc_user = PTHREAD_MUTEX_INITIALIZER; /* of whoever shares a loop */
static pthread_mutex_t opc_lock = PTHREAD_MUTEX_INITIALIZER; /* of those who sleep */
static pthread_cond_t opc_wake = PTHREAD_COND_INITIALIZER;
static pthread_cond_t opc_done = PTHREAD_COND_INITIALIZER;
static __thread int64_t opc_limit; /* of threads for calls from this one; 0: all processors */

static struct {
  pthread_t threads[OPC_MOST_THREADS];
  int64_t started, sleeping, is_waiting, is_ending, is_registered;
  /* The loop: written only while no chunk is left, read only by who has taken one. */
  opc_rounds run;
  const void *data;
  int64_t begin, end, step, steps, chunks;
  int64_t shares;
  int64_t lost;                    /* time by sharing, and not made up for */
  int64_t processors;              /* 0 before somebody asked */
  int64_t pending;                 /* chunks that are not finished */
  uint64_t left[OPC_MOST_THREADS]; /* chunks of a thread that nobody took; above 32 bits: shares */
} opc_pool;

static inline void opc_relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/* The time, in some unit; always 0 where that is not known. */
static inline int64_t opc_clock(void) {
#if defined(__x86_64__) || defined(__i386__)
  return (int64_t)__builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  int64_t ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  return 0;
#endif
}

/* The thread whose chunk can be taken, perhaps; -1 if there is none for this one. */
static inline int64_t opc_find(int64_t thread) {
  const int64_t shares = __atomic_load_n(&opc_pool.shares, __ATOMIC_RELAXED);
  for (int64_t k = 0; k < shares; ++k) {
    const int64_t of = (thread + k) % shares;
    const uint64_t word = __atomic_load_n(&opc_pool.left[of], __ATOMIC_SEQ_CST);
    if ((uint32_t)word != 0 && (int64_t)(word >> 32) > thread) {
      return of;
    }
  }
  return -1;
}

/* Take a chunk and compute it, if one is left. */
static bool opc_take(int64_t thread) {
  const int64_t of = opc_find(thread);
  if (of < 0) {
    return false;
  }
  uint64_t word = __atomic_load_n(&opc_pool.left[of], __ATOMIC_SEQ_CST);
  while ((uint32_t)word != 0 && (int64_t)(word >> 32) > thread) {
    if (!__atomic_compare_exchange_n(
            &opc_pool.left[of], &word, word - 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
      continue;
    }
    /* What the loop is cannot change before this chunk is finished. */
    const int64_t count = opc_pool.chunks, each = count / (int64_t)(word >> 32);
    const int64_t chunk = (of + 1) * each - (int64_t)(uint32_t)word;
    const int64_t steps = opc_pool.steps, step = opc_pool.step, end = opc_pool.end;
    const int64_t first = opc_pool.begin + steps * chunk / count * step;
    const int64_t last = opc_pool.begin + steps * (chunk + 1) / count * step;
    opc_pool.run(opc_pool.data, first, last < end ? last : end, thread);
    if (__atomic_sub_fetch(&opc_pool.pending, 1, __ATOMIC_SEQ_CST) == 0 &&
        __atomic_load_n(&opc_pool.is_waiting, __ATOMIC_SEQ_CST) != 0) {
      pthread_mutex_lock(&opc_lock);
      pthread_cond_signal(&opc_done);
      pthread_mutex_unlock(&opc_lock);
    }
    return true;
  }
  return true;
}

static void *opc_work(void *given) {
  const int64_t thread = (int64_t)(intptr_t)given;
  for (bool is_ending = false; !is_ending;) {
    for (int spins = 0; spins < OPC_SPINS; ++spins) {
      if (opc_take(thread)) {
        spins = 0;
      }
      opc_relax();
    }
    pthread_mutex_lock(&opc_lock);
    __atomic_add_fetch(&opc_pool.sleeping, 1, __ATOMIC_SEQ_CST);
    while (opc_find(thread) < 0 && opc_pool.is_ending == 0) {
      pthread_cond_wait(&opc_wake, &opc_lock);
    }
    __atomic_sub_fetch(&opc_pool.sleeping, 1, __ATOMIC_SEQ_CST);
    is_ending = opc_pool.is_ending != 0;
    pthread_mutex_unlock(&opc_lock);
  }
  return NULL;
}

/* A child of fork has the memory of its parent, but none of these threads. */
static void opc_forked(void) {
  pthread_mutex_init(&opc_user, NULL);
  pthread_mutex_init(&opc_lock, NULL);
  pthread_cond_init(&opc_wake, NULL);
  pthread_cond_init(&opc_done, NULL);
  memset(opc_pool.left, 0, sizeof opc_pool.left);
  opc_pool.started = opc_pool.sleeping = opc_pool.is_waiting = opc_pool.lost = 0;
}

__attribute__((destructor)) static void opc_end(void) {
  pthread_mutex_lock(&opc_lock);
  opc_pool.is_ending = 1;
  pthread_cond_broadcast(&opc_wake);
  pthread_mutex_unlock(&opc_lock);
  for (; opc_pool.started > 0; --opc_pool.started) {
    pthread_join(opc_pool.threads[opc_pool.started - 1], NULL);
  }
}

/* Let there be so many threads with the caller, if the system has them; how many there are. */
static int64_t opc_start(int64_t threads) {
  if (!opc_pool.is_registered) {
    opc_pool.is_registered = pthread_atfork(NULL, NULL, opc_forked) == 0;
  }
  while (opc_pool.is_registered && opc_pool.started + 1 < threads) {
    void *const number = (void *)(intptr_t)(opc_pool.started + 1);
    if (pthread_create(&opc_pool.threads[opc_pool.started], NULL, opc_work, number) != 0) {
      break;
    }
    ++opc_pool.started;
  }
  return opc_pool.started + 1 < threads ? opc_pool.started + 1 : threads;
}

static void opc_wait(void) {
  for (int spins = 0; spins < OPC_SPINS; ++spins) {
    if (__atomic_load_n(&opc_pool.pending, __ATOMIC_SEQ_CST) == 0) {
      return;
    }
    opc_relax();
  }
  pthread_mutex_lock(&opc_lock);
  __atomic_store_n(&opc_pool.is_waiting, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(&opc_pool.pending, __ATOMIC_SEQ_CST) != 0) {
    pthread_cond_wait(&opc_done, &opc_lock);
  }
  __atomic_store_n(&opc_pool.is_waiting, 0, __ATOMIC_SEQ_CST);
  pthread_mutex_unlock(&opc_lock);
}

/* How many threads share a loop at most. */
static int64_t opc_threads(void) {
  int64_t found = opc_limit;
  if (found <= 0) {
    /* The system reads a file to find out, which takes as long as a small loop. */
    found = __atomic_load_n(&opc_pool.processors, __ATOMIC_RELAXED);
    if (found == 0) {
      found = (int64_t)sysconf(_SC_NPROCESSORS_ONLN);
      __atomic_store_n(&opc_pool.processors, found, __ATOMIC_RELAXED);
    }
  }
  return found < OPC_MOST_THREADS ? found : OPC_MOST_THREADS;
}
#endif

/* Compute the rounds from begin to end, in chunks of multiples of step; at most so many threads. */
static void opc_share(
    opc_rounds run, const void *data, int64_t begin, int64_t end, int64_t step, int64_t most) {
#ifdef OPC_HAS_THREADS
  const int64_t steps = (end - begin + step - 1) / step;
  int64_t threads = opc_threads();
  threads = threads < most ? threads : most;
  threads = threads < steps ? threads : steps;
  if (threads > 1 && pthread_mutex_trylock(&opc_user) == 0) {
    const int64_t start = opc_clock();
    if (opc_pool.lost > 0) {
      run(data, begin, end, 0);
      opc_pool.lost -= (opc_clock() - start) / OPC_PATIENCE;
      pthread_mutex_unlock(&opc_user);
      return;
    }
    threads = opc_start(threads);
    const int64_t each = steps / threads < OPC_CHUNKS ? steps / threads : OPC_CHUNKS;
    opc_pool.run = run;
    opc_pool.data = data;
    opc_pool.begin = begin;
    opc_pool.end = end;
    opc_pool.step = step;
    opc_pool.steps = steps;
    opc_pool.chunks = threads * each;
    __atomic_store_n(&opc_pool.pending, threads * each, __ATOMIC_SEQ_CST);
    __atomic_store_n(&opc_pool.shares, threads, __ATOMIC_SEQ_CST);
    for (int64_t k = 0; k < threads; ++k) {
      const uint64_t word = (uint64_t)threads << 32 | (uint64_t)each;
      __atomic_store_n(&opc_pool.left[k], word, __ATOMIC_SEQ_CST);
    }
    if (threads > 1 && __atomic_load_n(&opc_pool.sleeping, __ATOMIC_SEQ_CST) != 0) {
      pthread_mutex_lock(&opc_lock);
      pthread_cond_broadcast(&opc_wake);
      pthread_mutex_unlock(&opc_lock);
    }
    /* Alone, all chunks would take about as long as the one that nothing disturbed. */
    int64_t before = opc_clock(), least = INT64_MAX;
    while (opc_take(0)) {
      const int64_t now = opc_clock();
      least = now - before < least ? now - before : least;
      before = now;
    }
    opc_wait();
    if (least < INT64_MAX) {
      opc_pool.lost = opc_clock() - start - least * threads * each;
    }
    pthread_mutex_unlock(&opc_user);
    return;
  }
#endif
  (void)step;
  (void)most;
  run(data, begin, end, 0);
}
