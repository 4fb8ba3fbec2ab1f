#pragma once
// The rows of kernels that a program may be linked with. A target writes those of its instruction set, and no module waits
// for it: the linker fills in the functions of the targets that are there, and leaves the others null.
#include "KernelTables.h"

#define APUS_SENDABLE __attribute__((swift_attr("@Sendable")))

/// `…RowAt` gives the rows of a family in their order, the slowest first, and one without a name past the last. `write` is
/// null where the row's target is not linked.
struct ApusFloatRow {
  const char *_Nullable set;
  void (*_Nullable APUS_SENDABLE write)(struct ApusFloatKernels *_Nonnull);
};
struct ApusIntegerRow {
  const char *_Nullable set;
  void (*_Nullable APUS_SENDABLE write)(struct ApusIntegerKernels *_Nonnull);
};
struct ApusBFloat16Row {
  const char *_Nullable set;
  void (*_Nullable APUS_SENDABLE write)(struct ApusBFloat16Kernels *_Nonnull);
};

#define APUS_WRITER(Family, set) \
  void apusWrite##Family##_##set(struct Apus##Family##Kernels *_Nonnull) __attribute__((weak));
#define APUS_ROW(Family, set) {#set, apusWrite##Family##_##set},
/// `APUS_…_ROWS(use)` is a use of each row of the family.
#define APUS_ROW_AT(Family, ROWS) \
  ROWS(APUS_WRITER) \
  static inline struct Apus##Family##Row apus##Family##RowAt(ptrdiff_t index) { \
    const struct Apus##Family##Row rows[] = {ROWS(APUS_ROW)}; \
    const ptrdiff_t count = sizeof(rows) / sizeof(rows[0]); \
    return index >= 0 && index < count ? rows[index] : (struct Apus##Family##Row){0, 0}; \
  }

#if defined(__x86_64__)
#define APUS_FLOAT_ROWS(use) use(Float, baseline) use(Float, avx2) use(Float, avx512)
#define APUS_INTEGER_ROWS(use) \
  use(Integer, baseline) use(Integer, avx2) use(Integer, avxvnni) use(Integer, avx512) use(Integer, avx512vnni) use(Integer, avx512vbmi)
#define APUS_BFLOAT16_ROWS(use) \
  use(BFloat16, baseline) use(BFloat16, avx2) use(BFloat16, avx512) use(BFloat16, avx512bf16)
#else
#define APUS_FLOAT_ROWS(use) use(Float, baseline)
#define APUS_INTEGER_ROWS(use) use(Integer, baseline) use(Integer, dotprod) use(Integer, i8mm)
#define APUS_BFLOAT16_ROWS(use) use(BFloat16, baseline) use(BFloat16, bf16)
#endif

APUS_ROW_AT(Float, APUS_FLOAT_ROWS)
APUS_ROW_AT(Integer, APUS_INTEGER_ROWS)
APUS_ROW_AT(BFloat16, APUS_BFLOAT16_ROWS)
