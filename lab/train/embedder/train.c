/*
 * Trains word vectors by contrast: texts that say the same are drawn together, against every other text of the batch and
 * against near ones that say something else (symmetric InfoNCE, row-wise Adagrad). One thread, no dependency.
 * cc -O3 -march=native -ffast-math train.c -lm -o train
 * Usage: train FOLDER OUT.f32 STEPS DIMENSION [source=weight ...] [name=value ...]; the same texts give the same vectors
 */
#include "texts.h"

enum { BATCH = 512, NEGATIVES = 256, COLUMNS = BATCH + NEGATIVES, TAUGHT = 1024 };
static Text left[BATCH], right[COLUMNS];

int main(int argc, char **argv) {
  const char *folder = argv[1]; long all = atol(argv[3]); D = atoi(argv[4]);
  size_t size; prepared(folder, "start.f32");
  float *E0 = malloc(V * D * 4); memcpy(E0, E, V * D * 4);

  float rate = 0.05f, scale = 20, drop = 0.1f, split = 0.08f, hold = 0, first = 1e-6f, hide = 0.3f, teach = 0, blend = 0, alone = 0, most = 0;
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

  weighed();

  float *U = malloc(BATCH * D * 4), *W = malloc((size_t)COLUMNS * D * 4), *dU = malloc(BATCH * D * 4), *dW = malloc((size_t)COLUMNS * D * 4);
  float *S = malloc((size_t)BATCH * COLUMNS * 4), *T = malloc((size_t)BATCH * COLUMNS * 4), *top = malloc(COLUMNS * 4), *sum = malloc(COLUMNS * 4);
  struct timespec t0, t1; clock_gettime(CLOCK_MONOTONIC, &t0); double loss = 0; long steps = 0, hits = 0, seen = 0; double near_ = 0;
  for (long step = 0; step < all; step++) {
    clock_gettime(CLOCK_MONOTONIC, &t1); double past = t1.tv_sec - t0.tv_sec + (t1.tv_nsec - t0.tv_nsec) * 1e-9;
    if (past > most && most > 0) break;
    float done = step / (float)all; if (most > 0 && past / most > done) done = past / most;
    float lr = rate * (step < 100 ? (step + 1) / 100.f : 1) * (1 - 0.97f * done);
    int negatives = 0, n = 0;
    if (step >= alone * all) {
    /* Half of a batch is of one source: its texts are alike, and so are harder to tell apart. */
    int main_ = drawnSource();
    for (int i = 0; i < BATCH; i++) {
      uint32_t *question, *told, *near; int isMain = !(i & 1);
      drawnTexts(drawnRecord(isMain ? main_ : drawnSource(), isMain), &question, &told, &near);
      if (next() & 1) { uint32_t *other = question; question = told; told = other; }
      take(question + 1, *question, NULL, drop, split, left + i);
      take(told + 1, *told, unit() < hide ? left + i : NULL, drop, split, right + i);
      if (near && negatives < NEGATIVES) take(near + 1, *near, NULL, drop, split, right + BATCH + negatives++);
    }
    negatives &= ~3; n = BATCH + negatives;
    for (int i = 0; i < BATCH; i++) pool(left + i, U + (size_t)i * D);
    for (int j = 0; j < n; j++) pool(right + j, W + (size_t)j * D);
    product(U, W, S, BATCH, n, COLUMNS, scale);
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
        float *x = gradient(t->rows[r]);
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
        float *x = gradient(text->rows[r]);
        for (int d = 0; d < D; d++) x[d] += k * (dot * u[d] - q[d]);
      }
    }
    if (hold > 0) for (int i = 0; i < touchedCount; i++) {
      size_t row = touched[i];
      if (known[row]) for (int d = 0; d < D; d++) G[row * D + d] += hold * (E[row * D + d] - E0[row * D + d]);
    }
    adagrad(lr);
    steps++;
    if (steps % 1000 == 0) { fprintf(stderr, "step %ld %.0fs loss %.3f first %.3f teacher %.3f\n", step + 1, past, loss / seen, hits / (double)seen, near_ / 1000 / TAUGHT); loss = near_ = 0; hits = seen = 0; }
  }
  FILE *file = fopen(argv[2], "wb"); fwrite(E, 4, V * D, file); fclose(file);
  return 0;
}
