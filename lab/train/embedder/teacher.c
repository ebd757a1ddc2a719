/*
 * The sentence transformer that words and short texts are learnt from: BERT with mean pooling, on one core.
 * cc -O3 -march=native -ffast-math teacher.c -lm -o teacher
 * Usage: teacher WEIGHTS.f32 TOKENS.u32 OUT.f32 LAYERS FIRST LAST; weights in the order in which teacher.ts writes them; FIRST <= texts < LAST
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lanes.h"

enum { H = 384, HEADS = 12, HEAD = 32, INNER = 1536, VOCABULARY = 30522, POSITIONS = 512, ROWS = 512, BLOCK = 16 };

static void *load(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb"); if (!file) { perror(path); exit(1); }
  fseek(file, 0, SEEK_END); *size = ftell(file); rewind(file);
  void *bytes = malloc(*size); if (fread(bytes, 1, *size, file) != *size) exit(1);
  fclose(file); return bytes;
}

/* out[m][n] = a[m][k] . w[n][k]^T + bias[n]; rows of a and out may be written up to the next four */
static void linear(const float *a, const float *w, const float *bias, float *out, int m, int n, int k) {
  for (int block = 0; block < m; block += BLOCK) for (int j = 0; j < n; j += WIDE) for (int i = block; i < m && i < block + BLOCK; i += TALL) {
    Lane s[TALL][WIDE]; dots(a + (size_t)i * k, w + (size_t)j * k, k, s);
    for (int x = 0; x < TALL; x++) for (int y = 0; y < WIDE; y++) out[(size_t)(i + x) * n + j + y] = bias[j + y] + added(s[x][y]);
  }
}

static void normalise(float *x, const float *weight, const float *bias, int m) {
  for (int i = 0; i < m; i++) {
    float *r = x + (size_t)i * H, mean = 0, var = 0;
    for (int d = 0; d < H; d++) mean += r[d];
    mean /= H;
    for (int d = 0; d < H; d++) var += (r[d] - mean) * (r[d] - mean);
    var = 1 / sqrtf(var / H + 1e-12f);
    for (int d = 0; d < H; d++) r[d] = (r[d] - mean) * var * weight[d] + bias[d];
  }
}

int main(int argc, char **argv) {
  size_t size; const float *weights = load(argv[1], &size); const uint32_t *tokens = load(argv[2], &size); size_t end = size / 4;
  int layers = atoi(argv[4]); long first = atol(argv[5]), last = atol(argv[6]);
  FILE *out = fopen(argv[3], "wb");
  const float *word = weights, *position = word + (size_t)VOCABULARY * H, *type = position + POSITIONS * H, *lnw = type + 2 * H, *lnb = lnw + H, *layer0 = lnb + H;
  const size_t square = (size_t)H * H, wide = (size_t)H * INNER, per = 4 * (square + H) + 2 * H + 2 * wide + INNER + H + 2 * H;
  static float x[(ROWS + 4) * H], q[(ROWS + 4) * H], k[(ROWS + 4) * H], v[(ROWS + 4) * H], c[(ROWS + 4) * H], t[(ROWS + 4) * H], inner[(ROWS + 4) * INNER], score[ROWS];
  long text = 0; size_t at = 0;
  while (at < end && text < last) {
    if (text < first) { at += 1 + tokens[at]; text++; continue; }
    /* As many texts as fit into the rows go through together. */
    int rows = 0, texts = 0, from[ROWS + 1];
    while (at < end && text < last && rows + (int)tokens[at] <= ROWS) {
      int n = tokens[at]; from[texts++] = rows;
      for (int i = 0; i < n; i++) for (int d = 0; d < H; d++)
        x[(size_t)(rows + i) * H + d] = word[(size_t)tokens[at + 1 + i] * H + d] + position[(size_t)i * H + d] + type[d];
      rows += n; at += 1 + n; text++;
    }
    from[texts] = rows; normalise(x, lnw, lnb, rows);
    for (int l = 0; l < layers; l++) {
      const float *w = layer0 + per * l, *wq = w, *bq = wq + square, *wk = bq + H, *bk = wk + square, *wv = bk + H, *bv = wv + square, *wo = bv + H, *bo = wo + square,
        *aw = bo + H, *ab = aw + H, *wi = ab + H, *bi = wi + wide, *wd = bi + INNER, *bd = wd + wide, *fw = bd + H, *fb = fw + H;
      linear(x, wq, bq, q, rows, H, H); linear(x, wk, bk, k, rows, H, H); linear(x, wv, bv, v, rows, H, H);
      for (int s = 0; s < texts; s++) for (int h = 0; h < HEADS; h++) for (int i = from[s]; i < from[s + 1]; i++) {
        float top = -1e9f, sum = 0; const float *a = q + (size_t)i * H + h * HEAD; float *o = c + (size_t)i * H + h * HEAD;
        for (int j = from[s]; j < from[s + 1]; j++) { const float *b = k + (size_t)j * H + h * HEAD; float r = 0; for (int d = 0; d < HEAD; d++) r += a[d] * b[d]; score[j - from[s]] = r *= 0.17677669f; if (r > top) top = r; }
        for (int d = 0; d < HEAD; d++) o[d] = 0;
        for (int j = from[s]; j < from[s + 1]; j++) { float e = expf(score[j - from[s]] - top); sum += e; const float *b = v + (size_t)j * H + h * HEAD; for (int d = 0; d < HEAD; d++) o[d] += e * b[d]; }
        for (int d = 0; d < HEAD; d++) o[d] /= sum;
      }
      linear(c, wo, bo, t, rows, H, H);
      for (size_t i = 0; i < (size_t)rows * H; i++) x[i] += t[i];
      normalise(x, aw, ab, rows);
      linear(x, wi, bi, inner, rows, INNER, H);
      for (size_t i = 0; i < (size_t)rows * INNER; i++) inner[i] *= 0.5f * (1 + erff(inner[i] * 0.70710678f));
      linear(inner, wd, bd, t, rows, H, INNER);
      for (size_t i = 0; i < (size_t)rows * H; i++) x[i] += t[i];
      normalise(x, fw, fb, rows);
    }
    for (int s = 0; s < texts; s++) {
      float mean[H] = {0}, sum = 0;
      for (int i = from[s]; i < from[s + 1]; i++) for (int d = 0; d < H; d++) mean[d] += x[(size_t)i * H + d];
      for (int d = 0; d < H; d++) sum += mean[d] * mean[d];
      for (int d = 0; d < H; d++) mean[d] /= sqrtf(sum) + 1e-9f;
      fwrite(mean, 4, H, out);
    }
  }
  fclose(out);
  return 0;
}
