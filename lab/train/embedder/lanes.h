/*
 * Products of rows in the registers that the machine has: a tile of sums must fit into them, or each sum goes through memory.
 * Sixteen numbers a register and 4 x 4 sums with AVX-512, eight and 4 x 2 otherwise.
 */
#include <stddef.h>
#include <string.h>

#ifdef __AVX512F__
enum { LANE = 16, TALL = 4, WIDE = 4 };
#else
enum { LANE = 8, TALL = 4, WIDE = 2 };
#endif
typedef float Lane __attribute__((vector_size(LANE * 4)));
typedef float Unaligned __attribute__((vector_size(LANE * 4), aligned(4), may_alias));
static inline Lane lane(const float *at) { return *(const Unaligned *)at; }
static inline float added(Lane v) { float t = 0; for (int l = 0; l < LANE; l++) t += v[l]; return t; }

/* s[x][y] = a[x][k] . b[y][k]^T before its lanes are added; k in sixteens. Not unrolled, the sums would lie in memory. */
static inline void dots(const float *a, const float *b, int k, Lane s[TALL][WIDE]) {
  Lane t[TALL][WIDE]; memset(t, 0, sizeof t);
  for (int d = 0; d < k; d += LANE) {
    Lane q[WIDE];
#pragma GCC unroll 8
    for (int y = 0; y < WIDE; y++) q[y] = lane(b + (size_t)y * k + d);
#pragma GCC unroll 8
    for (int x = 0; x < TALL; x++) {
      Lane p = lane(a + (size_t)x * k + d);
#pragma GCC unroll 8
      for (int y = 0; y < WIDE; y++) t[x][y] += p * q[y];
    }
  }
  memcpy(s, t, sizeof t);
}
