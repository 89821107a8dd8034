//// threads
/* Threads that share loops.  Each takes its own chunks of a loop first, then those of others.  So
   the caller waits only for threads that have begun a chunk.  If sharing takes longer than the
   caller would take alone, since the loop is short or the system runs other processes, the caller
   computes the loop alone until the loss is a small part of the time.  It also computes alone
   without -pthread and while another call shares a loop. */
#if defined(_REENTRANT) && defined(__GNUC__)
#define OPC_HAS_THREADS 1
#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>
#endif

/* Computes the iterations from begin to end of a loop, in the thread with that number. */
typedef void (*opc_iterations)(const void *data, int64_t begin, int64_t end, int64_t thread);

#define OPC_MOST_THREADS @THREADS@
#define OPC_CHUNKS @PIECES@   /* chunks of a loop for each thread */
#define OPC_FORK @FORK@ /* the least work for which threads are woken: some 20 us */
#define OPC_JOIN @JOIN@ /* the least work for threads that are awake: some 5 us */
#define OPC_SPINS @SPINS@ /* attempts to find work before a thread sleeps: some 100 us */
#define OPC_PATIENCE @PATIENCE@ /* times the loss by sharing: how long to compute alone */
#define OPC_CREDIT @CREDIT@ /* nanoseconds of earlier gains that sharing may lose */
#define OPC_ACCOUNTS 64 /* of losses; that several loops share one hardly matters */

#ifdef OPC_HAS_THREADS

static pthread_mutex_t opc_user = PTHREAD_MUTEX_INITIALIZER; /* held by the call that shares a loop */
static pthread_mutex_t opc_lock = PTHREAD_MUTEX_INITIALIZER; /* for threads that sleep */
static pthread_cond_t opc_wake = PTHREAD_COND_INITIALIZER;
static pthread_cond_t opc_done = PTHREAD_COND_INITIALIZER;
static __thread int64_t opc_limit; /* threads of calls from this one; 0: all processors */

static struct {
  pthread_t threads[OPC_MOST_THREADS];
  int64_t started, sleeping, is_waiting, is_ending, is_registered;
  /* The loop: written only while no chunk is left, read only by threads that have taken one. */
  opc_iterations run;
  const void *data;
  int64_t begin, end, step, steps, chunks;
  int64_t shares;
  int64_t processors;              /* 0 before the first query */
  int64_t avoided;                 /* 1 + the processor that other threads avoid; 0: none */
  int64_t lost[OPC_ACCOUNTS];      /* nanoseconds lost by sharing and not made up; by loop */
  int64_t pending;                 /* chunks that are not finished */
  uint64_t left[OPC_MOST_THREADS]; /* chunks left of each thread; above 32 bits: shares */
} opc_pool;

static inline void opc_relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/* The time, in nanoseconds. */
static inline int64_t opc_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* A thread that may have a chunk left for this one; -1 if none has. */
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

/* Computes a chunk; its iterations, 0 if another thread took it, -1 if none is left. */
static int64_t opc_take(int64_t thread) {
  const int64_t of = opc_find(thread);
  if (of < 0) {
    return -1;
  }
  uint64_t word = __atomic_load_n(&opc_pool.left[of], __ATOMIC_SEQ_CST);
  while ((uint32_t)word != 0 && (int64_t)(word >> 32) > thread) {
    if (!__atomic_compare_exchange_n(
            &opc_pool.left[of], &word, word - 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
      continue;
    }
    /* The loop cannot change before this chunk is finished. */
    const int64_t count = opc_pool.chunks, shares = (int64_t)(word >> 32);
    const int64_t chunk = count * (of + 1) / shares - (int64_t)(uint32_t)word;
    const int64_t steps = opc_pool.steps, step = opc_pool.step, end = opc_pool.end;
    const int64_t first = opc_pool.begin + steps * chunk / count * step;
    const int64_t next = opc_pool.begin + steps * (chunk + 1) / count * step;
    const int64_t last = next < end ? next : end;
    opc_pool.run(opc_pool.data, first, last, thread);
    if (__atomic_sub_fetch(&opc_pool.pending, 1, __ATOMIC_SEQ_CST) == 0 &&
        __atomic_load_n(&opc_pool.is_waiting, __ATOMIC_SEQ_CST) != 0) {
      pthread_mutex_lock(&opc_lock);
      pthread_cond_signal(&opc_done);
      pthread_mutex_unlock(&opc_lock);
    }
    return last - first;
  }
  return 0;
}

static void *opc_work(void *given) {
  const int64_t thread = (int64_t)(intptr_t)given;
  for (bool is_ending = false; !is_ending;) {
    for (int spins = 0; spins < OPC_SPINS; ++spins) {
      if (opc_take(thread) >= 0) {
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

#ifdef _WIN32

/* The library stays until the process ends, which ends its threads: where it is unloaded, it may
   not wait for them. */
__declspec(dllimport) int __stdcall GetModuleHandleExA(unsigned long, const char *, void **);

static bool opc_may_start(void) {
  void *library;
  return GetModuleHandleExA(5, (const char *)(const void *)&opc_pool, &library) != 0;
}

static int64_t opc_processors(void) {
  return pthread_num_processors_np();
}
#else

/* In a child of fork: it has the memory of its parent, but none of these threads. */
static void opc_forked(void) {
  pthread_mutex_init(&opc_user, NULL);
  pthread_mutex_init(&opc_lock, NULL);
  pthread_cond_init(&opc_wake, NULL);
  pthread_cond_init(&opc_done, NULL);
  memset(opc_pool.left, 0, sizeof opc_pool.left);
  memset(opc_pool.lost, 0, sizeof opc_pool.lost);
  opc_pool.started = opc_pool.sleeping = opc_pool.is_waiting = opc_pool.avoided = 0;
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

static bool opc_may_start(void) {
  return pthread_atfork(NULL, NULL, opc_forked) == 0;
}

static int64_t opc_processors(void) {
  return (int64_t)sysconf(_SC_NPROCESSORS_ONLN);
}
#endif

/* Starts threads, up to so many with the caller; how many there are. */
static int64_t opc_start(int64_t threads) {
  if (!opc_pool.is_registered) {
    opc_pool.is_registered = opc_may_start();
  }
  while (opc_pool.is_registered && opc_pool.started + 1 < threads) {
    void *const number = (void *)(intptr_t)(opc_pool.started + 1);
    if (pthread_create(&opc_pool.threads[opc_pool.started], NULL, opc_work, number) != 0) {
      break;
    }
    __atomic_add_fetch(&opc_pool.started, 1, __ATOMIC_RELAXED);
    opc_pool.avoided = 0;
  }
  return opc_pool.started + 1 < threads ? opc_pool.started + 1 : threads;
}

/* Keeps other threads off the processor of the caller: Linux may wake a thread there, and the two
   then take turns for milliseconds while another processor is idle. */
static void opc_keep_off(void) {
#if defined(__linux__) && defined(CPU_CLR)
  const int here = sched_getcpu();
  cpu_set_t rest;
  if (here < 0 || here + 1 == opc_pool.avoided || sched_getaffinity(0, sizeof rest, &rest) != 0) {
    return;
  }
  CPU_CLR((size_t)here, &rest);
  if (CPU_COUNT(&rest) == 0) {
    return;
  }
  for (int64_t k = 0; k < opc_pool.started; ++k) {
    pthread_setaffinity_np(opc_pool.threads[k], sizeof rest, &rest);
  }
  opc_pool.avoided = here + 1;
#endif
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
static int64_t opc_usual_threads(void) {
  int64_t usual = opc_limit;
  if (usual <= 0) {
    /* The system reads a file for this, which takes as long as a small loop. */
    usual = __atomic_load_n(&opc_pool.processors, __ATOMIC_RELAXED);
    if (usual == 0) {
      usual = opc_processors();
      __atomic_store_n(&opc_pool.processors, usual, __ATOMIC_RELAXED);
    }
  }
  return usual < OPC_MOST_THREADS ? usual : OPC_MOST_THREADS;
}

/* Whether threads are looking for work. */
static bool opc_awake(void) {
  return __atomic_load_n(&opc_pool.started, __ATOMIC_RELAXED) != 0 &&
         __atomic_load_n(&opc_pool.sleeping, __ATOMIC_RELAXED) == 0;
}

/* Computes, alone, a loop that lost time by sharing, until that is made up; from where on it can be
   shared.  Parts are as large as chunks. */
static int64_t opc_alone(
    opc_iterations run, const void *data, int64_t begin, int64_t end, int64_t part, int64_t *lost) {
  int64_t before = *lost > 0 ? opc_clock() : 0;
  while (*lost > 0 && begin < end) {
    const int64_t next = end - begin > part ? begin + part : end;
    run(data, begin, next, 0);
    const int64_t now = opc_clock();
    *lost -= (now - before) / OPC_PATIENCE;
    before = now;
    begin = next;
  }
  return begin;
}

/* Lets threads share a loop; by how much that took longer than alone.  The time alone is estimated
   from the caller's iterations, without its longest chunk, which may have been disturbed.  Half of
   a gain counts: threads that wait for memory are slower together than one alone. */
static int64_t opc_together(
    opc_iterations run, const void *data, int64_t begin, int64_t end, int64_t step, int64_t threads) {
  const int64_t start = opc_clock(), steps = (end - begin + step - 1) / step;
  /* Of few iterations each is a chunk: some chunks would have twice as many as others. */
  const int64_t chunks = steps < 2 * threads * OPC_CHUNKS ? steps : threads * OPC_CHUNKS;
  opc_pool.run = run;
  opc_pool.data = data;
  opc_pool.begin = begin;
  opc_pool.end = end;
  opc_pool.step = step;
  opc_pool.steps = steps;
  opc_pool.chunks = chunks;
  __atomic_store_n(&opc_pool.pending, chunks, __ATOMIC_SEQ_CST);
  __atomic_store_n(&opc_pool.shares, threads, __ATOMIC_SEQ_CST);
  for (int64_t k = 0; k < threads; ++k) {
    const int64_t own = chunks * (k + 1) / threads - chunks * k / threads;
    __atomic_store_n(
        &opc_pool.left[k], (uint64_t)threads << 32 | (uint64_t)own, __ATOMIC_SEQ_CST);
  }
  if (threads > 1 && __atomic_load_n(&opc_pool.sleeping, __ATOMIC_SEQ_CST) != 0) {
    pthread_mutex_lock(&opc_lock);
    pthread_cond_broadcast(&opc_wake);
    pthread_mutex_unlock(&opc_lock);
  }
  int64_t before = opc_clock(), spent = 0, done = 0, longest = 0, of_longest = 0;
  for (int64_t count = opc_take(0); count >= 0; count = opc_take(0)) {
    const int64_t now = opc_clock(), taken = now - before;
    spent += taken;
    done += count;
    if (count > 0 && taken > longest) {
      longest = taken;
      of_longest = count;
    }
    before = now;
  }
  opc_wait();
  if (done > of_longest) {
    spent -= longest;
    done -= of_longest;
  }
  const double alone = done > 0 ? (double)spent / (double)done * (double)(end - begin) : 0.0;
  const int64_t more = done > 0 ? opc_clock() - start - (int64_t)alone : 0;
  return more < 0 ? more / 2 : more;
}
#endif

/* Computes the iterations from begin to end, in chunks of multiples of step, on at most so many
   threads.  `work` is the cost; a simple operation is 1. */
#if defined(__GNUC__) && !defined(__clang__)
__attribute__((noinline, noclone)) /* gcc would make a copy for each loop */
#endif
static void opc_share(
    opc_iterations run,
    const void *data,
    int64_t begin,
    int64_t end,
    int64_t step,
    int64_t most,
    int64_t work) {
#ifdef OPC_HAS_THREADS
  int64_t steps = (end - begin + step - 1) / step, threads = opc_usual_threads();
  threads = threads < most ? threads : most;
  threads = threads < steps ? threads : steps;
  threads = work >= OPC_FORK || (work >= OPC_JOIN && opc_awake()) ? threads : 1;
  if (threads > 1 && pthread_mutex_trylock(&opc_user) == 0) {
    int64_t *const lost = &opc_pool.lost[(uintptr_t)run / 16 % OPC_ACCOUNTS];
    const int64_t chunks = threads * OPC_CHUNKS, part = (steps + chunks - 1) / chunks * step;
    begin = opc_alone(run, data, begin, end, part, lost);
    steps = (end - begin + step - 1) / step;
    threads = threads < steps ? threads : steps;
    if (threads > 1) {
      threads = opc_start(threads);
      opc_keep_off();
      *lost += opc_together(run, data, begin, end, step, threads);
      *lost = *lost < -OPC_CREDIT ? -OPC_CREDIT : *lost;
      begin = end;
    }
    pthread_mutex_unlock(&opc_user);
  }
#endif
  (void)step;
  (void)most;
  (void)work;
  if (begin < end) {
    run(data, begin, end, 0);
  }
}
