/*
 * Goes on training word vectors for what ranks memories in the end: how the single words of a question meet those of a text
 * (src/embed/late-interaction.ts has the same features). A question's own text is to have the highest combination of them among
 * the texts of a batch (InfoNCE); the weights of the features are learnt beside the vectors and thrown away. Whole texts stay
 * comparable by cosine: a share of the loss is that of train.c.
 * cc -O3 -march=native -ffast-math late.c -lm -o late
 * Usage: late FOLDER IN.f32 OUT.f32 STEPS DIMENSION [source=weight ...] [name=value ...]; IN lies in FOLDER
 */
#include "texts.h"

enum { BATCH = 64, NEGATIVES = 32, TEXTS = BATCH + NEGATIVES, ASKED_MAX = 24, TOLD_MAX = 64, KERNELS = 4 };
/* Different words of a batch, at most. */
enum { WORDS_A = BATCH * ASKED_MAX, WORDS_B = TEXTS * TOLD_MAX };
enum { COSINE, FOUND, SQUARED, COVERED, NEAR, MATTER = NEAR + KERNELS, FEATURES };
static const float centers[KERNELS] = {0.7f, 0.5f, 0.35f, 0.2f};
static const float width = 0.015f, none = 1e-4f;
static const char *featureNames[FEATURES] = {"cosine", "found", "squared", "covered", "near.7", "near.5", "near.35", "near.2", "matter"};

/* Words of one side of a batch: each once, as a direction and a length. */
typedef struct { int count; uint32_t *rows; float *unit, *length, *gradient, *lengthGradient; } Words;
/* A text as places among them, with each place's share of its length. */
typedef struct { int place[TOLD_MAX], count; float share[TOLD_MAX], dShare[TOLD_MAX], whole, norm; } Met;

static Text asked[BATCH], told[TEXTS];
static Met question[BATCH], text[TEXTS];
static Words a, b;
static int32_t *placeOf;

static void *zeros(size_t count) { return calloc(count, 4); }
static Words words(int most) {
  return (Words){0, zeros(most), zeros((size_t)most * D), zeros(most), zeros((size_t)most * D), zeros(most)};
}

static int byLength(const void *p, const void *q) {
  float x = a.length[*(const int *)p], y = a.length[*(const int *)q];
  return (x < y) - (x > y);
}

/* Gives each word of a text its place; of a question each word once, and the longest of many. */
static void meet(const Text *from, Met *to, Words *all, int isQuestion) {
  to->count = 0;
  int places[ROWS_MAX], n = 0;
  for (int i = 0; i < from->count; i++) {
    uint32_t row = from->rows[i];
    if (placeOf[row] < 0) {
      int place = placeOf[row] = all->count++;
      float *u = all->unit + (size_t)place * D, s = 0, *e = E + (size_t)row * D;
      for (int d = 0; d < D; d++) s += e[d] * e[d];
      s = sqrtf(s) + 1e-9f;
      for (int d = 0; d < D; d++) u[d] = e[d] / s;
      all->rows[place] = row; all->length[place] = s; all->lengthGradient[place] = 0;
    }
    int place = placeOf[row], again = 0;
    if (isQuestion) for (int k = 0; k < n; k++) again |= places[k] == place;
    if (!again) places[n++] = place;
  }
  if (isQuestion && n > ASKED_MAX) { qsort(places, n, sizeof *places, byLength); n = ASKED_MAX; }
  if (n > TOLD_MAX) n = TOLD_MAX;
  to->whole = 1e-9f;
  for (int i = 0; i < n; i++) { to->place[i] = places[i]; to->whole += all->length[places[i]]; to->dShare[i] = 0; }
  for (int i = 0; i < n; i++) to->share[i] = all->length[places[i]] / to->whole;
  to->count = n;
}

static void forget(const Words *all) { for (int i = 0; i < all->count; i++) placeOf[all->rows[i]] = -1; }

/* The sum of a text's words as a direction; its length over theirs tells whether they are of one matter. */
static void summed(Met *one, const Words *all, float *out) {
  float s = 0;
  memset(out, 0, D * sizeof *out);
  for (int i = 0; i < one->count; i++) {
    const float *u = all->unit + (size_t)one->place[i] * D; float l = all->length[one->place[i]];
    for (int d = 0; d < D; d++) out[d] += l * u[d];
  }
  for (int d = 0; d < D; d++) s += out[d] * out[d];
  one->norm = sqrtf(s) + 1e-9f;
  for (int d = 0; d < D; d++) out[d] /= one->norm;
}

/* From the gradients of shares and of the sum's direction to those of words. */
static void share(Met *one, Words *all, const float *sum, float *dSum) {
  float mean = 0, dot = 0;
  for (int i = 0; i < one->count; i++) mean += one->share[i] * one->dShare[i];
  for (int d = 0; d < D; d++) dot += sum[d] * dSum[d];
  for (int d = 0; d < D; d++) dSum[d] = (dSum[d] - dot * sum[d]) / one->norm;
  for (int i = 0; i < one->count; i++) {
    int place = one->place[i];
    all->lengthGradient[place] += (one->dShare[i] - mean) / one->whole;
    float *g = gradient(all->rows[place]);
    for (int d = 0; d < D; d++) g[d] += dSum[d];
  }
}

/* From the gradients of cosines (dC . directions) and lengths to those of rows. */
static void back(Words *all) {
  for (int i = 0; i < all->count; i++) {
    float *u = all->unit + (size_t)i * D, *q = all->gradient + (size_t)i * D, dot = 0;
    float *g = gradient(all->rows[i]);
    for (int d = 0; d < D; d++) dot += u[d] * q[d];
    for (int d = 0; d < D; d++) g[d] += (q[d] - dot * u[d]) / all->length[i] + all->lengthGradient[i] * u[d];
  }
}

static int fours(int n) { return (n + 3) & ~3; }

int main(int argc, char **argv) {
  const char *folder = argv[1]; long all = atol(argv[4]); D = atoi(argv[5]);
  prepared(folder, argv[2]);
  float theta[FEATURES] = {0, 10, 0, 10, 0, 0, 0, 0, 0}, moment[FEATURES] = {0}, square[FEATURES] = {0};
  float rate = 0.02f, drop = 0.1f, split = 0.08f, hide = 0.5f, first = 1e-4f, whole = 0.5f, scale = 20, learn = 0;
  for (int i = 6; i < argc; i++) {
    char *eq = strchr(argv[i], '='); if (!eq) continue;
    *eq = 0; float v = atof(eq + 1); const char *k = argv[i];
    if (!strcmp(k, "rate")) rate = v; else if (!strcmp(k, "drop")) drop = v; else if (!strcmp(k, "split")) split = v;
    else if (!strcmp(k, "hide")) hide = v; else if (!strcmp(k, "first")) first = v; else if (!strcmp(k, "whole")) whole = v;
    else if (!strcmp(k, "scale")) scale = v; else if (!strcmp(k, "learn")) learn = v;
    else {
      for (int s = 0; s < sources; s++) if (!strcmp(k, name[s])) weight[s] = v;
      for (int f = 0; f < FEATURES; f++) if (!strcmp(k, featureNames[f])) theta[f] = v;
    }
  }
  weighed();
  for (size_t i = 0; i < V; i++) A[i] = first;
  a = words(WORDS_A + 4); b = words(WORDS_B + 4);
  placeOf = malloc(V * 4); memset(placeOf, 0xff, V * 4);
  size_t cells = (size_t)(WORDS_A + 4) * (WORDS_B + 4);
  float *C = malloc(cells * 4), *dC = malloc(cells * 4), *dT = malloc(cells * 4);
  /* For each word asked the nearest of each text, and for each question the nearest to each word told. */
  int *nearestIn = malloc((size_t)WORDS_A * TEXTS * 4), *nearestOf = malloc((size_t)BATCH * WORDS_B * 4);
  float *near = malloc((size_t)KERNELS * BATCH * WORDS_B * 4), *dNear = malloc((size_t)KERNELS * BATCH * WORDS_B * 4);
  float *U = zeros(BATCH * D), *W = zeros(TEXTS * D), *dU = zeros(BATCH * D), *dW = zeros(TEXTS * D);
  float *P = zeros(BATCH * TEXTS), *dP = zeros(BATCH * TEXTS), *dPT = zeros(BATCH * TEXTS);
  static float S[BATCH][TEXTS], feature[BATCH][TEXTS][FEATURES], dMatter[TEXTS], matter[TEXTS], dWhole[TEXTS];
  static uint8_t isSame[BATCH][TEXTS];
  double loss = 0; long hits = 0; time_t began = time(NULL);

  for (long step = 0; step < all; step++) {
    float lr = rate * (step < 100 ? (step + 1) / 100.f : 1) * (1 - 0.97f * step / all);
    int main_ = drawnSource(), negatives = 0;
    for (int i = 0; i < BATCH; i++) {
      uint32_t *question_, *told_, *near_; int isMain = !(i & 1);
      drawnTexts(drawnRecord(isMain ? main_ : drawnSource(), isMain), &question_, &told_, &near_);
      take(question_ + 1, *question_, NULL, drop, split, asked + i);
      take(told_ + 1, *told_, unit() < hide ? asked + i : NULL, drop, split, told + i);
      if (near_ && negatives < NEGATIVES) take(near_ + 1, *near_, NULL, drop, split, told + BATCH + negatives++);
    }
    negatives &= ~3;
    int n = BATCH + negatives;
    a.count = b.count = 0;
    for (int i = 0; i < BATCH; i++) meet(asked + i, question + i, &a, 1);
    forget(&a);
    for (int j = 0; j < n; j++) meet(told + j, text + j, &b, 0);
    forget(&b);
    int ma = fours(a.count), mb = (b.count + LANE - 1) / LANE * LANE;
    for (int i = a.count; i < ma; i++) memset(a.unit + (size_t)i * D, 0, D * 4);
    for (int i = b.count; i < mb; i++) memset(b.unit + (size_t)i * D, 0, D * 4);
    product(a.unit, b.unit, C, ma, mb, mb, 1);
    memset(dC, 0, (size_t)ma * mb * 4);
    for (int i = 0; i < BATCH; i++) summed(question + i, &a, U + (size_t)i * D);
    for (int j = 0; j < n; j++) { summed(text + j, &b, W + (size_t)j * D); matter[j] = text[j].norm / text[j].whole; dMatter[j] = dWhole[j] = 0; }
    product(U, W, P, BATCH, n, TEXTS, 1);

    for (int x = 0; x < a.count; x++) for (int j = 0; j < n; j++) {
      const float *c = C + (size_t)x * mb; float most = -2; int at = -1;
      for (int k = 0; k < text[j].count; k++) if (c[text[j].place[k]] > most) { most = c[text[j].place[k]]; at = text[j].place[k]; }
      nearestIn[x * TEXTS + j] = at;
    }
    for (int i = 0; i < BATCH; i++) {
      int *best = nearestOf + (size_t)i * WORDS_B;
      for (int w = 0; w < b.count; w++) {
        float most = -2; best[w] = -1;
        for (int k = 0; k < question[i].count; k++) {
          float c = C[(size_t)question[i].place[k] * mb + w];
          if (c > most) { most = c; best[w] = question[i].place[k]; }
        }
      }
      for (int k = 0; k < KERNELS; k++) {
        float *out = near + ((size_t)k * BATCH + i) * WORDS_B;
        memset(out, 0, mb * 4); memset(dNear + ((size_t)k * BATCH + i) * WORDS_B, 0, mb * 4);
        for (int x = 0; x < question[i].count; x++) {
          const float *c = C + (size_t)question[i].place[x] * mb; float s = question[i].share[x];
          for (int w = 0; w < mb; w++) { float z = c[w] - centers[k]; out[w] += s * expf(-z * z / width); }
        }
      }
    }
    for (int i = 0; i < BATCH; i++) for (int j = 0; j < n; j++) {
      float *f = feature[i][j]; const Met *q = question + i, *t = text + j;
      memset(f, 0, sizeof feature[i][j]);
      isSame[i][j] = i != j && (asked[i].hash == told[j].hash || told[i].hash == told[j].hash || (j < BATCH && asked[i].hash == asked[j].hash));
      f[COSINE] = P[i * TEXTS + j]; f[MATTER] = matter[j];
      for (int x = 0; x < q->count; x++) {
        int at = nearestIn[q->place[x] * TEXTS + j]; if (at < 0) continue;
        float c = C[(size_t)q->place[x] * mb + at];
        f[FOUND] += q->share[x] * c; if (c > 0) f[SQUARED] += q->share[x] * c * c;
      }
      float v[KERNELS] = {0};
      for (int w = 0; w < t->count; w++) {
        int at = nearestOf[(size_t)i * WORDS_B + t->place[w]];
        if (at >= 0) f[COVERED] += t->share[w] * C[(size_t)at * mb + t->place[w]];
        for (int k = 0; k < KERNELS; k++) v[k] += t->share[w] * near[((size_t)k * BATCH + i) * WORDS_B + t->place[w]];
      }
      for (int k = 0; k < KERNELS; k++) f[NEAR + k] = logf(v[k] + none);
      S[i][j] = 0;
      for (int k = 0; k < FEATURES; k++) S[i][j] += theta[k] * f[k];
    }

    float dTheta[FEATURES] = {0};
    for (int i = 0; i < BATCH; i++) {
      float m = -1e9f, z = 0, m2 = -1e9f, z2 = 0; int isBest = 1;
      for (int j = 0; j < n; j++) {
        if (isSame[i][j]) continue;
        if (S[i][j] > m) m = S[i][j];
        if (P[i * TEXTS + j] * scale > m2) m2 = P[i * TEXTS + j] * scale;
        if (S[i][j] > S[i][i]) isBest = 0;
      }
      for (int j = 0; j < n; j++) if (!isSame[i][j]) { z += expf(S[i][j] - m); z2 += expf(P[i * TEXTS + j] * scale - m2); }
      loss -= S[i][i] - m - logf(z); hits += isBest;
      for (int j = 0; j < n; j++) {
        float *p = dP + i * TEXTS + j; *p = 0;
        if (isSame[i][j]) { S[i][j] = 0; continue; }
        *p = whole * scale * (expf(P[i * TEXTS + j] * scale - m2) / z2 - (i == j)) / BATCH;
        S[i][j] = (expf(S[i][j] - m) / z - (i == j)) / BATCH;
      }
    }
    for (int i = 0; i < BATCH; i++) for (int j = 0; j < n; j++) {
      float g = S[i][j], *f = feature[i][j]; Met *q = question + i, *t = text + j;
      if (fabsf(g) < 1e-7f) continue;
      for (int k = 0; k < FEATURES; k++) dTheta[k] += g * f[k];
      dP[i * TEXTS + j] += g * theta[COSINE];
      dMatter[j] += g * theta[MATTER];
      for (int x = 0; x < q->count; x++) {
        int at = nearestIn[q->place[x] * TEXTS + j]; if (at < 0) continue;
        size_t cell = (size_t)q->place[x] * mb + at; float c = C[cell], plus = c > 0 ? c : 0;
        q->dShare[x] += g * (theta[FOUND] * c + theta[SQUARED] * plus * plus);
        dC[cell] += g * q->share[x] * (theta[FOUND] + 2 * theta[SQUARED] * plus);
      }
      for (int w = 0; w < t->count; w++) {
        int at = nearestOf[(size_t)i * WORDS_B + t->place[w]]; if (at < 0) continue;
        size_t cell = (size_t)at * mb + t->place[w];
        t->dShare[w] += g * theta[COVERED] * C[cell];
        dC[cell] += g * theta[COVERED] * t->share[w];
      }
      for (int k = 0; k < KERNELS; k++) {
        float gk = g * theta[NEAR + k] / expf(f[NEAR + k]); size_t base = ((size_t)k * BATCH + i) * WORDS_B;
        for (int w = 0; w < t->count; w++) {
          t->dShare[w] += gk * near[base + t->place[w]];
          dNear[base + t->place[w]] += gk * t->share[w];
        }
      }
    }
    for (int i = 0; i < BATCH; i++) for (int k = 0; k < KERNELS; k++) {
      const float *d = dNear + ((size_t)k * BATCH + i) * WORDS_B;
      for (int x = 0; x < question[i].count; x++) {
        size_t base = (size_t)question[i].place[x] * mb; float s = question[i].share[x], sum = 0;
        for (int w = 0; w < mb; w++) {
          float z = C[base + w] - centers[k], e = d[w] * expf(-z * z / width);
          sum += e; dC[base + w] -= s * e * 2 * z / width;
        }
        question[i].dShare[x] += sum;
      }
    }
    weigh(dP, W, dU, BATCH, n, TEXTS);
    for (int i = 0; i < BATCH; i++) for (int j = 0; j < n; j++) dPT[j * BATCH + i] = dP[i * TEXTS + j];
    weigh(dPT, U, dW, n, BATCH, BATCH);
    for (int i = 0; i < BATCH; i++) share(question + i, &a, U + (size_t)i * D, dU + (size_t)i * D);
    for (int j = 0; j < n; j++) {
      share(text + j, &b, W + (size_t)j * D, dW + (size_t)j * D);
      /* matter = |sum of words| / sum of |words| */
      float k = dMatter[j] / text[j].whole;
      for (int w = 0; w < text[j].count; w++) {
        int place = text[j].place[w]; float *g = gradient(b.rows[place]), *sum = W + (size_t)j * D;
        for (int d = 0; d < D; d++) g[d] += k * sum[d];
        b.lengthGradient[place] -= k * matter[j];
      }
    }
    weigh(dC, b.unit, a.gradient, ma, b.count, mb);
    for (int x = 0; x < ma; x++) for (int w = 0; w < mb; w++) dT[(size_t)w * ma + x] = dC[(size_t)x * mb + w];
    weigh(dT, a.unit, b.gradient, fours(b.count), ma, ma);
    back(&a); back(&b);
    adagrad(lr);
    for (int k = 0; k < FEATURES; k++) {
      moment[k] = 0.9f * moment[k] + 0.1f * dTheta[k]; square[k] = 0.99f * square[k] + 0.01f * dTheta[k] * dTheta[k];
      theta[k] -= learn * moment[k] / (sqrtf(square[k]) + 1e-6f);
    }
    if ((step + 1) % 500 == 0) {
      fprintf(stderr, "step %ld %lds loss %.3f first %.3f ", step + 1, (long)(time(NULL) - began), loss / 500 / BATCH, hits / 500.0 / BATCH);
      for (int k = 0; k < FEATURES; k++) fprintf(stderr, " %s %.2f", featureNames[k], theta[k]);
      fprintf(stderr, "\n"); loss = 0; hits = 0;
    }
  }
  FILE *file = fopen(argv[3], "wb"); fwrite(E, 4, V * D, file); fclose(file);
  return 0;
}
