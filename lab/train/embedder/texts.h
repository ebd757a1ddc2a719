/*
 * What both trainers share: random numbers, files, vectors of words, texts as rows of the vocabulary, and records of texts that
 * say the same. One thread, no dependency.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "lanes.h"

enum { ROWS_MAX = 128, SOURCES = 32, SAME_MAX = 64, HAS_NEGATIVE = 1 << 16, KEPT = 17, NEIGHBOURS = 16 };

static uint64_t seed = 88172645463325252ULL;
static uint64_t next(void) { seed ^= seed << 13; seed ^= seed >> 7; return seed ^= seed << 17; }
static float unit(void) { return (next() >> 40) / (float)(1 << 24); }

static void *load(const char *folder, const char *name, size_t *size) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  if (!file) { perror(path); exit(1); }
  fseek(file, 0, SEEK_END); *size = ftell(file); rewind(file);
  void *bytes = malloc(*size + 1);
  if (fread(bytes, 1, *size, file) != *size) exit(1);
  fclose(file); ((char *)bytes)[*size] = 0;
  return bytes;
}

/* The vectors of words, their gradients, and what Adagrad remembers of each. */
static int D;
static size_t V;
static float *E, *G, *A;
static uint8_t *known;
static uint32_t **pieces, *pieceCount;
/* Rows that have a gradient. */
static uint32_t *touched;
static uint8_t *mark;
static int touchedCount;

typedef struct { uint32_t rows[ROWS_MAX]; int count; float norm; uint64_t hash; } Text;

/* Copies the rows of a text; now and then a word is dropped, or stands for its pieces, or is left out where the other text has it too. */
static void take(const uint32_t *rows, uint32_t count, const Text *other, float drop, float split, Text *text) {
  text->count = 0; text->hash = 1469598103934665603ULL;
  for (uint32_t i = 0; i < count; i++) { text->hash ^= rows[i]; text->hash *= 1099511628211ULL; }
  for (int again = 0; again < 2 && !text->count; again++)
    for (uint32_t i = 0; i < count && text->count < ROWS_MAX - 12; i++) {
      uint32_t row = rows[i];
      if (!again && count > 2 && unit() < drop) continue;
      if (!again && other) {
        int shared = 0;
        for (int k = 0; k < other->count; k++) if (other->rows[k] == row) shared = 1;
        if (shared) continue;
      }
      if (unit() < split && pieceCount[row] && pieceCount[row] < 8) {
        for (uint32_t k = 0; k < pieceCount[row]; k++) text->rows[text->count++] = pieces[row][k];
      } else text->rows[text->count++] = row;
    }
}

static void pool(Text *text, float *out) {
  memset(out, 0, D * sizeof *out);
  for (int i = 0; i < text->count; i++) { const float *e = E + (size_t)text->rows[i] * D; for (int d = 0; d < D; d++) out[d] += e[d]; }
  float s = 0;
  for (int d = 0; d < D; d++) s += out[d] * out[d];
  text->norm = sqrtf(s) + 1e-9f;
  for (int d = 0; d < D; d++) out[d] /= text->norm;
}

/* c[m][n] = scale * a[m][D] . b[n][D]^T; m and n in fours, D in sixteens; a row of c has `stride` numbers */
static void product(const float *a, const float *b, float *c, int m, int n, int stride, float scale) {
  for (int i = 0; i < m; i += TALL) for (int j = 0; j < n; j += WIDE) {
    Lane s[TALL][WIDE]; dots(a + (size_t)i * D, b + (size_t)j * D, D, s);
    for (int x = 0; x < TALL; x++) for (int y = 0; y < WIDE; y++) c[(size_t)(i + x) * stride + j + y] = added(s[x][y]) * scale;
  }
}

/* out[m][D] = w[m][n] . b[n][D]; a row of w has `stride` numbers */
static void weigh(const float *w, const float *b, float *out, int m, int n, int stride) {
  for (int d = 0; d < D; d += WIDE * LANE) for (int i = 0; i < m; i += TALL) {
    Lane s[TALL][WIDE]; memset(s, 0, sizeof s);
    for (int j = 0; j < n; j++) {
      Lane q[WIDE];
#pragma GCC unroll 8
      for (int y = 0; y < WIDE; y++) q[y] = lane(b + (size_t)j * D + d + y * LANE);
#pragma GCC unroll 8
      for (int x = 0; x < TALL; x++) {
        float k = w[(size_t)(i + x) * stride + j];
#pragma GCC unroll 8
        for (int y = 0; y < WIDE; y++) s[x][y] += k * q[y];
      }
    }
    for (int x = 0; x < TALL; x++) for (int y = 0; y < WIDE; y++) memcpy(out + (size_t)(i + x) * D + d + y * LANE, &s[x][y], sizeof(Lane));
  }
}

/* The gradient of a row, which the next step will use. */
static inline float *gradient(uint32_t row) {
  if (!mark[row]) { mark[row] = 1; touched[touchedCount++] = row; }
  return G + (size_t)row * D;
}

/* A step of row-wise Adagrad. */
static void adagrad(float rate) {
  for (int i = 0; i < touchedCount; i++) {
    uint32_t row = touched[i];
    float *g = G + (size_t)row * D, *e = E + (size_t)row * D, s = 0;
    mark[row] = 0;
    for (int d = 0; d < D; d++) s += g[d] * g[d];
    A[row] += s / D;
    float k = rate / (sqrtf(A[row]) + 1e-9f);
    for (int d = 0; d < D; d++) { e[d] -= k * g[d]; g[d] = 0; }
  }
  touchedCount = 0;
}

static char *name[SOURCES];
static int sources;
static float weight[SOURCES], total;
static uint32_t **record[SOURCES];
static size_t records[SOURCES];

/* Loads what prepare.ts wrote into a folder. */
static void prepared(const char *folder, const char *vectors) {
  size_t size;
  E = load(folder, vectors, &size); V = size / 4 / D;
  known = load(folder, "known.u8", &size);
  uint32_t *p = load(folder, "pieces.u32", &size);
  pieces = malloc(V * sizeof *pieces); pieceCount = malloc(V * 4);
  for (size_t i = 0; i < V; i++) { pieceCount[i] = *p++; pieces[i] = p; p += pieceCount[i]; }
  G = calloc(V * D, 4); A = malloc(V * 4); touched = malloc(V * 4); mark = calloc(V, 1);
  char *names = load(folder, "sources.txt", &size);
  for (char *t = strtok(names, "\n"); t; t = strtok(NULL, "\n")) { weight[sources] = 1; name[sources++] = t; }
  uint32_t *data = load(folder, "records.u32", &size);
  size_t words = size / 4;
  for (int pass = 0; pass < 2; pass++) {
    for (int s = 0; s < sources; s++) { if (pass) record[s] = malloc(records[s] * sizeof **record + 8); records[s] = 0; }
    for (size_t at = 0; at < words;) {
      int s = data[at] & 0xffff;
      if (pass) record[s][records[s]] = data + at;
      records[s]++;
      size_t k = data[at + 1]; at += 2;
      while (k--) at += 1 + data[at];
    }
  }
}

/* How often each source is drawn is known: `source=weight` of the command line. */
static void weighed(void) {
  for (int s = 0; s < sources; s++) {
    if (!records[s]) weight[s] = 0;
    total += weight[s];
    fprintf(stderr, "%s %zu x%.1f  ", name[s], records[s], weight[s]);
  }
  fprintf(stderr, "\nrows %zu x %d\n", V, D);
}

static int drawnSource(void) {
  float r = unit() * total;
  for (int s = 0; s < sources - 1; s++) if ((r -= weight[s]) < 0) return s;
  return sources - 1;
}

/* A record of a source. Those of the source of half a batch are drawn as neighbours where neighbours are notes of one developer. */
static uint32_t *drawnRecord(int s, int isMain) {
  static size_t at; static int left;
  if (!isMain || (strcmp(name[s], "stores") && strncmp(name[s], "voice-", 6))) return record[s][next() % records[s]];
  if (left-- <= 0) { at = next() % records[s]; left = NEIGHBOURS - 1; }
  return record[s][at++ % records[s]];
}

/* Two texts of a record: what is asked, seldom one that is kept, and what is told; and a near one that says something else, or NULL. */
static void drawnTexts(uint32_t *one, uint32_t **question, uint32_t **told, uint32_t **negative) {
  int n = one[1], has = (one[0] & HAS_NEGATIVE) != 0, kept = one[0] >> KEPT;
  uint32_t *text[SAME_MAX];
  if (n > SAME_MAX) { n = SAME_MAX; has = 0; }
  uint32_t *at = one + 2;
  for (int k = 0; k < n; k++) { text[k] = at; at += 1 + *at; }
  int same = n - has, p, q;
  if (kept > 0 && same > kept && unit() < 0.85f) { q = next() % kept; p = kept + next() % (same - kept); }
  else { p = next() % same; q = next() % (same - 1); if (q >= p) q++; }
  *question = text[p]; *told = text[q]; *negative = has ? text[same] : NULL;
}
