/* What a call of a layer with 64 numbers in and 10 out takes: the least of many tries, in nanoseconds.
 * Usage: overhead Tests/Fixtures/bindings/linear.onnx */
#define _GNU_SOURCE
#include <apus.h>
#include <stdio.h>
#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

int main(int count, char **arguments) {
  if (count != 2) return 2;
  apus_model *model = NULL;
  apus_error *error = NULL;
  if (apus_open(arguments[1], "tensors", NULL, NULL, &model, &error)) {
    fprintf(stderr, "%s\n", error->message);
    return 1;
  }
  float numbers[64] = {1}, results[10];
  apus_tensor x = APUS_INIT(apus_tensor), y = APUS_INIT(apus_tensor);
  x.name = "x", x.type = APUS_FLOAT32, x.rank = 2, x.dimensions[0] = 1, x.dimensions[1] = 64;
  x.data = numbers, x.byte_count = sizeof numbers;
  y.name = "y", y.data = results, y.byte_count = sizeof results;
  double best = 1e9, handle = 1e9;
  for (int turn = 0; turn < 200; turn++) {
    double begin = now();
    for (int i = 0; i < 1000; i++)
      if (apus_run(model, NULL, &x, 1, &y, 1, NULL, &error)) return 1;
    double time = (now() - begin) / 1000;
    if (time < best) best = time;
    int64_t width;
    begin = now();
    for (int i = 0; i < 1000; i++) apus_model_trim(NULL, NULL), apus_embedding_width(NULL, &width, NULL);
    time = (now() - begin) / 2000;
    if (time < handle) handle = time;
  }
  printf("a run of 64 numbers to 10: %.0f ns; a call that is refused: %.0f ns\n", best, handle);
  apus_model_release(model);
  return 0;
}
