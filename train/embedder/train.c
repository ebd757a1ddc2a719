/*
 * Trains word vectors by contrast: texts that say the same are drawn together, against every other text of the batch and
 * against near ones that say something else (symmetric InfoNCE, row-wise Adagrad). One thread, no dependency.
 * cc -O3 -march=native -ffast-math train.c -lm -o train
 * Usage: train FOLDER OUT.f32 STEPS DIMENSION [source=weight ...] [name=value ...]; the same texts give the same vectors
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCH = 512, NEGATIVES = 256, COLUMNS = BATCH + NEGATIVES, ROWS_MAX = 128, SOURCES = 32, TAUGHT = 1024 };
enum { HAS_NEGATIVE = 1 << 16 };

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

static int D;
static float *E, *G, *A, *E0;
static uint8_t *known;
static uint32_t **pieces, *pieceCount;

typedef struct { uint32_t rows[ROWS_MAX]; int count; float norm; uint64_t hash; } Text;
static Text left[BATCH], right[COLUMNS];

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

typedef float Lane __attribute__((vector_size(64), aligned(4)));
enum { LANE = 16 };
static inline Lane lane(const float *at) { Lane v; memcpy(&v, at, sizeof v); return v; }

/* c[m][n] = scale * a[m][D] . b[n][D]^T; m and n in fours, D in sixteens */
static void product(const float *a, const float *b, float *c, int m, int n, float scale) {
  for (int i = 0; i < m; i += 4) for (int j = 0; j < n; j += 4) {
    Lane s[4][4]; memset(s, 0, sizeof s);
    for (int d = 0; d < D; d += LANE) {
      Lane p[4], q[4];
      for (int x = 0; x < 4; x++) { p[x] = lane(a + (size_t)(i + x) * D + d); q[x] = lane(b + (size_t)(j + x) * D + d); }
      for (int x = 0; x < 4; x++) for (int y = 0; y < 4; y++) s[x][y] += p[x] * q[y];
    }
    for (int x = 0; x < 4; x++) for (int y = 0; y < 4; y++) {
      float t = 0;
      for (int l = 0; l < LANE; l++) t += s[x][y][l];
      c[(size_t)(i + x) * COLUMNS + j + y] = t * scale;
    }
  }
}

/* out[m][D] = w[m][n] . b[n][D]; a row of w has `stride` numbers */
static void weigh(const float *w, const float *b, float *out, int m, int n, int stride) {
  for (int d = 0; d < D; d += 4 * LANE) for (int i = 0; i < m; i += 4) {
    Lane s[4][4]; memset(s, 0, sizeof s);
    for (int j = 0; j < n; j++) {
      Lane q[4];
      for (int y = 0; y < 4; y++) q[y] = lane(b + (size_t)j * D + d + y * LANE);
      for (int x = 0; x < 4; x++) { float k = w[(size_t)(i + x) * stride + j]; for (int y = 0; y < 4; y++) s[x][y] += k * q[y]; }
    }
    for (int x = 0; x < 4; x++) for (int y = 0; y < 4; y++) memcpy(out + (size_t)(i + x) * D + d + y * LANE, &s[x][y], sizeof(Lane));
  }
}

int main(int argc, char **argv) {
  const char *folder = argv[1]; long all = atol(argv[3]); D = atoi(argv[4]);
  size_t size; uint32_t *data = load(folder, "records.u32", &size); size_t words = size / 4;
  char *names = load(folder, "sources.txt", &size); char *name[SOURCES]; int sources = 0;
  for (char *t = strtok(names, "\n"); t; t = strtok(NULL, "\n")) name[sources++] = t;
  E = load(folder, "start.f32", &size); size_t V = size / 4 / D;
  known = load(folder, "known.u8", &size);
  uint32_t *p = load(folder, "pieces.u32", &size);
  pieces = malloc(V * sizeof *pieces); pieceCount = malloc(V * 4);
  for (size_t i = 0; i < V; i++) { pieceCount[i] = *p++; pieces[i] = p; p += pieceCount[i]; }
  G = calloc(V * D, 4); A = malloc(V * 4); E0 = malloc(V * D * 4); memcpy(E0, E, V * D * 4);

  float weight[SOURCES], rate = 0.05f, scale = 20, drop = 0.1f, split = 0.08f, hold = 0, first = 1e-6f, hide = 0.3f, teach = 0, blend = 0, alone = 0, most = 0;
  for (int i = 0; i < SOURCES; i++) weight[i] = 1;
  for (int i = 5; i < argc; i++) {
    char *eq = strchr(argv[i], '='); if (!eq) continue; *eq = 0; float v = atof(eq + 1); const char *k = argv[i];
    if (!strcmp(k, "rate")) rate = v; else if (!strcmp(k, "scale")) scale = v; else if (!strcmp(k, "drop")) drop = v;
    else if (!strcmp(k, "split")) split = v; else if (!strcmp(k, "hold")) hold = v; else if (!strcmp(k, "first")) first = v;
    else if (!strcmp(k, "hide")) hide = v;
    else if (!strcmp(k, "teach")) teach = v; else if (!strcmp(k, "blend")) blend = v; else if (!strcmp(k, "alone")) alone = v; else if (!strcmp(k, "seconds")) most = v;
    else for (int s = 0; s < sources; s++) if (!strcmp(k, name[s])) weight[s] = v;
  }
  /* What the teacher says of words and texts; a word begins in its direction, as long as it was. */
  float *targets = NULL; uint32_t **taught = NULL; size_t teachings = 0;
  if (teach > 0) {
    targets = load(folder, "targets.f32", &size);
    uint32_t *t = load(folder, "taught.u32", &size), *end = t + size / 4;
    taught = malloc(size); 
    for (; t < end; t += 2 + t[1]) {
      taught[teachings++] = t;
      if (t[1] != 1 || blend <= 0) continue;
      float *e = E + (size_t)t[2] * D, *q = targets + (size_t)t[0] * D, n = 0, m = 0;
      for (int d = 0; d < D; d++) n += e[d] * e[d];
      n = sqrtf(n); if (!known[t[2]]) n *= 10;
      for (int d = 0; d < D; d++) { e[d] = blend * q[d] * n + (1 - blend) * e[d]; m += e[d] * e[d]; }
      m = n / (sqrtf(m) + 1e-9f);
      for (int d = 0; d < D; d++) e[d] *= m;
    }
    /* A word that nobody knows begins at the mean of what the texts that have it mean. */
    float typical = 0; long some = 0;
    for (size_t i = 0; i < V; i++) if (known[i]) { float n = 0; for (int d = 0; d < D; d++) n += E[i * D + d] * E[i * D + d]; typical += sqrtf(n); some++; }
    typical /= some;
    for (size_t i = 0; i < teachings; i++) for (uint32_t r = 0; r < taught[i][1]; r++) {
      uint32_t row = taught[i][2 + r];
      if (!known[row]) for (int d = 0; d < D; d++) G[(size_t)row * D + d] += targets[(size_t)taught[i][0] * D + d];
    }
    for (size_t i = 0; i < V; i++) {
      float *g = G + i * D, n = 0;
      for (int d = 0; d < D; d++) n += g[d] * g[d];
      if (!known[i] && n > 0) for (int d = 0; d < D; d++) { E[i * D + d] = g[d] / sqrtf(n) * typical * 0.7f; g[d] = 0; }
    }
    memcpy(E0, E, V * D * 4);
  }
  for (size_t i = 0; i < V; i++) A[i] = known[i] ? first : 1e-7f;

  uint32_t **record[SOURCES]; size_t records[SOURCES] = {0};
  for (size_t at = 0; at < words;) { records[data[at] & 0xffff]++; size_t k = data[at + 1]; at += 2; while (k--) at += 1 + data[at]; }
  for (int s = 0; s < sources; s++) { record[s] = malloc(records[s] * sizeof **record + 8); records[s] = 0; }
  for (size_t at = 0; at < words;) { int s = data[at] & 0xffff; record[s][records[s]++] = data + at; size_t k = data[at + 1]; at += 2; while (k--) at += 1 + data[at]; }
  float total = 0;
  for (int s = 0; s < sources; s++) { if (!records[s]) weight[s] = 0; total += weight[s]; fprintf(stderr, "%s %zu x%.1f  ", name[s], records[s], weight[s]); }
  fprintf(stderr, "\nrows %zu x %d\n", V, D);

  float *U = malloc(BATCH * D * 4), *W = malloc((size_t)COLUMNS * D * 4), *dU = malloc(BATCH * D * 4), *dW = malloc((size_t)COLUMNS * D * 4);
  float *S = malloc((size_t)BATCH * COLUMNS * 4), *T = malloc((size_t)BATCH * COLUMNS * 4), *top = malloc(COLUMNS * 4), *sum = malloc(COLUMNS * 4);
  uint32_t *touched = malloc(V * 4); uint8_t *mark = calloc(V, 1);
  struct timespec t0, t1; clock_gettime(CLOCK_MONOTONIC, &t0); double loss = 0; long steps = 0, hits = 0, seen = 0; double near_ = 0;
  for (long step = 0; step < all; step++) {
    clock_gettime(CLOCK_MONOTONIC, &t1); double past = t1.tv_sec - t0.tv_sec + (t1.tv_nsec - t0.tv_nsec) * 1e-9;
    if (past > most && most > 0) break;
    float done = step / (float)all; if (most > 0 && past / most > done) done = past / most;
    float lr = rate * (step < 100 ? (step + 1) / 100.f : 1) * (1 - 0.97f * done);
    int negatives = 0, n = 0, count = 0;
    if (step >= alone * all) {
    /* Half of a batch is of one source: its texts are alike, and so are harder to tell apart. */
    int main_ = -1; /* the source of half of the batch */ { float r = unit() * total; for (int s = 0; s < sources; s++) if ((r -= weight[s]) < 0) { main_ = s; break; } }
    for (int i = 0; i < BATCH; i++) {
      int s = main_;
      if (i & 1 || s < 0) { float r = unit() * total; for (s = 0; s < sources - 1; s++) if ((r -= weight[s]) < 0) break; }
      uint32_t *q = record[s][next() % records[s]]; int has = (q[0] & HAS_NEGATIVE) != 0, n = q[1], same = n - has;
      uint32_t *text[64]; uint32_t *at = q + 2; if (n > 64) n = 64, same = 64;
      for (int k = 0; k < n; k++) { text[k] = at; at += 1 + *at; }
      int a = next() % same, b = next() % (same - 1); if (b >= a) b++;
      if (has && a && b && unit() < 0.7f) { if (next() & 1) a = 0; else b = 0; }
      take(text[a] + 1, text[a][0], NULL, drop, split, left + i);
      take(text[b] + 1, text[b][0], unit() < hide ? left + i : NULL, drop, split, right + i);
      if (has && negatives < NEGATIVES) { take(text[same] + 1, text[same][0], NULL, drop, split, right + BATCH + negatives); negatives++; }
    }
    negatives &= ~3; n = BATCH + negatives;
    for (int i = 0; i < BATCH; i++) pool(left + i, U + (size_t)i * D);
    for (int j = 0; j < n; j++) pool(right + j, W + (size_t)j * D);
    product(U, W, S, BATCH, n, scale);
    for (int i = 0; i < BATCH; i++) for (int j = 0; j < n; j++)
      if (i != j && ((j < BATCH && left[i].hash == left[j].hash) || right[i].hash == right[j].hash || left[i].hash == right[j].hash)) S[(size_t)i * COLUMNS + j] = -1e4f;
    for (int j = 0; j < n; j++) { top[j] = -1e9f; sum[j] = 0; }
    for (int i = 0; i < BATCH; i++) for (int j = 0; j < BATCH; j++) { float x = S[(size_t)i * COLUMNS + j]; if (x > top[j]) top[j] = x; }
    for (int i = 0; i < BATCH; i++) for (int j = 0; j < BATCH; j++) sum[j] += expf(S[(size_t)i * COLUMNS + j] - top[j]);
    for (int i = 0; i < BATCH; i++) {
      float *s = S + (size_t)i * COLUMNS, m = -1e9f, z = 0;
      for (int j = 0; j < n; j++) if (s[j] > m) m = s[j];
      hits += s[i] >= m; seen++;
      for (int j = 0; j < n; j++) z += expf(s[j] - m);
      loss -= s[i] - m - logf(z);
      for (int j = 0; j < n; j++) {
        float g = j < BATCH ? 0.5f * expf(s[j] - m) / z + 0.5f * expf(s[j] - top[j]) / sum[j] : 0.5f * expf(s[j] - m) / z;
        if (i == j) g -= 1;
        s[j] = g * scale / BATCH;
      }
    }
    weigh(S, W, dU, BATCH, n, COLUMNS);
    for (int i = 0; i < BATCH; i += LANE) for (int j = 0; j < n; j++) for (int k = 0; k < LANE; k++) T[(size_t)j * BATCH + i + k] = S[(size_t)(i + k) * COLUMNS + j];
    weigh(T, U, dW, n, BATCH, BATCH);
    for (int k = 0; k < BATCH + n; k++) {
      int isLeft = k < BATCH, i = isLeft ? k : k - BATCH; Text *t = isLeft ? left + i : right + i;
      float *v = (isLeft ? U : W) + (size_t)i * D, *g = (isLeft ? dU : dW) + (size_t)i * D, dot = 0;
      for (int d = 0; d < D; d++) dot += v[d] * g[d];
      for (int d = 0; d < D; d++) g[d] = (g[d] - dot * v[d]) / t->norm;
      for (int r = 0; r < t->count; r++) {
        uint32_t row = t->rows[r]; float *x = G + (size_t)row * D;
        if (!mark[row]) { mark[row] = 1; touched[count++] = row; }
        for (int d = 0; d < D; d++) x[d] += g[d];
      }
    }
    }
    if (teach > 0) for (int i = 0; i < TAUGHT; i++) {
      uint32_t *t = taught[next() % teachings]; Text *text = left; float *q = targets + (size_t)t[0] * D, dot = 0, u[1024];
      take(t + 2, t[1], NULL, drop, split, text); pool(text, u);
      for (int d = 0; d < D; d++) dot += u[d] * q[d];
      near_ += dot; float k = teach * scale / BATCH / text->norm;
      for (int r = 0; r < text->count; r++) {
        uint32_t row = text->rows[r]; float *x = G + (size_t)row * D;
        if (!mark[row]) { mark[row] = 1; touched[count++] = row; }
        for (int d = 0; d < D; d++) x[d] += k * (dot * u[d] - q[d]);
      }
    }
    for (int i = 0; i < count; i++) {
      uint32_t row = touched[i]; mark[row] = 0; float *g = G + (size_t)row * D, *e = E + (size_t)row * D, *e0 = E0 + (size_t)row * D, s = 0;
      if (hold > 0 && known[row]) for (int d = 0; d < D; d++) g[d] += hold * (e[d] - e0[d]);
      for (int d = 0; d < D; d++) s += g[d] * g[d];
      A[row] += s / D; float k = lr / (sqrtf(A[row]) + 1e-9f);
      for (int d = 0; d < D; d++) { e[d] -= k * g[d]; g[d] = 0; }
    }
    steps++;
    if (steps % 1000 == 0) { fprintf(stderr, "step %ld %.0fs loss %.3f first %.3f teacher %.3f\n", step + 1, past, loss / seen, hits / (double)seen, near_ / 1000 / TAUGHT); loss = near_ = 0; hits = seen = 0; }
  }
  FILE *file = fopen(argv[2], "wb"); fwrite(E, 4, V * D, file); fclose(file);
  return 0;
}
