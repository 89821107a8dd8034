/* What runs before main on a Cortex-M in qemu: the stack, the floating-point unit, .data and .bss.
   Output goes through semihosting. */
#include <stdint.h>

extern uint32_t stack_top[], data_from[], data_begin[], data_end[], bss_begin[], bss_end[];
int main(void);
void exit(int);
void initialise_monitor_handles(void);

/* What newlib calls before and after main. */
void _init(void);
void _fini(void);
void _init(void) {}
void _fini(void) {}

static void begin(void) {
#ifdef __ARM_FP
  *(volatile uint32_t *)0xE000ED88 |= 0xFu << 20;
  __asm__ volatile("dsb\n isb");
#endif
  for (uint32_t *from = data_from, *to = data_begin; to < data_end;) {
    *to++ = *from++;
  }
  for (uint32_t *to = bss_begin; to < bss_end;) {
    *to++ = 0;
  }
  initialise_monitor_handles();
  exit(main());
}

/* A fault ends the emulator: SYS_EXIT with the reason "internal error". */
static void fault(void) {
  __asm__ volatile("movs r0, #0x18\n ldr r1, =0x20024\n bkpt 0xab");
  for (;;) {
  }
}

__attribute__((section(".vectors"), used)) static void *const vectors[16] = {
    stack_top, (void *)begin, (void *)fault, (void *)fault,
    (void *)fault, (void *)fault, (void *)fault};
