/* Calls every function of apus.h, rightly and wrongly, on the fixtures of the project. Prints nothing but what failed.
 * Usage: interface FOLDER of the fixtures, of Weights beside them, and a picture's path */
#define _GNU_SOURCE
#include <apus.h>

#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int failures = 0;

#define CHECK(condition)                                                  \
  do {                                                                    \
    if (!(condition)) {                                                   \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);     \
      failures++;                                                         \
    }                                                                     \
  } while (0)

/* The status is expected, and the error speaks of some words. */
#define REFUSED(call, wanted, words) refused((call), (wanted), (words), &error, __LINE__)

static void refused(apus_status status, apus_status wanted, const char *words, apus_error **error, int line) {
  if (status != wanted || !*error || !strstr((*error)->message, words) || (*error)->status != (int32_t)wanted ||
      (*error)->size != sizeof(apus_error)) {
    fprintf(stderr, "line %d: %s: %s\n", line, apus_status_name(status), *error ? (*error)->message : "no error");
    failures++;
  }
  apus_free(*error);
  *error = NULL;
}

#define WORKS(call) works((call), &error, __LINE__)

static int works(apus_status status, apus_error **error, int line) {
  if (status == APUS_OK) return 1;
  fprintf(stderr, "line %d: %s: %s\n", line, apus_status_name(status), *error ? (*error)->message : "no error");
  apus_free(*error);
  *error = NULL;
  failures++;
  return 0;
}

static char path_memory[8][1024];
static const char *root;

static const char *fixture(const char *name) {
  static int next = 0;
  char *path = path_memory[next++ % 8];
  snprintf(path, sizeof path_memory[0], "%s/%s", root, name);
  return path;
}

static int near(float a, float b, float bound) { return fabsf(a - b) <= bound; }

static apus_text text(const char *data) {
  apus_text made = {data, -1};
  return made;
}

static void library(void) {
  apus_error *error = NULL;
  CHECK(apus_abi_version() == APUS_ABI_VERSION);
  CHECK(strlen(apus_version()) >= 5);
  CHECK(!strcmp(apus_status_name(APUS_OK), "ok") && !strcmp(apus_status_name(-3), "unknown"));
  CHECK(!strcmp(apus_status_name(APUS_UNSUPPORTED_MODEL), "unsupported_model"));
  CHECK(apus_thread_count() >= 1);
  char *json = NULL;
  if (WORKS(apus_library_json(&json, &error))) CHECK(strstr(json, "\"text-embedding\"") && strstr(json, "\"precision\""));
  apus_free(json);
  REFUSED(apus_library_json(NULL, &error), APUS_ARGUMENT, "json");
  CHECK(apus_library_json(NULL, NULL) == APUS_ARGUMENT);
  apus_free(NULL);
}

static void opening(void) {
  apus_error *error = NULL;
  apus_model *model = NULL;
  char *json = NULL;
  REFUSED(apus_open(NULL, NULL, NULL, NULL, &model, &error), APUS_ARGUMENT, "name");
  REFUSED(apus_open("/none", NULL, NULL, NULL, &model, &error), APUS_FILE, "/none");
  REFUSED(apus_open("/none", "painting", NULL, NULL, &model, &error), APUS_ARGUMENT, "painting");
  REFUSED(apus_open("/none", "tensors", NULL, NULL, NULL, &error), APUS_ARGUMENT, "model");
  const char *bert = fixture("transformers/bert-sentence");
  REFUSED(apus_open(bert, "text-embedding", "{\"precison\": \"int8\"}", NULL, &model, &error), APUS_ARGUMENT, "precison");
  REFUSED(apus_open(bert, "text-embedding", "{\"threads\": 0}", NULL, &model, &error), APUS_ARGUMENT, "threads");
  REFUSED(apus_open(bert, "text-embedding", "[", NULL, &model, &error), APUS_ARGUMENT, "");
  REFUSED(apus_open(bert, "text-embedding", "\xff", NULL, &model, &error), APUS_ARGUMENT, "UTF-8");
  REFUSED(apus_open(bert, "image-classification", NULL, NULL, &model, &error), APUS_UNSUPPORTED_MODEL, "");
  CHECK(model == NULL);
  /* A struct that does not say its size. */
  apus_call nothing;
  memset(&nothing, 0, sizeof nothing);
  REFUSED(apus_open(bert, "text-embedding", NULL, &nothing, &model, &error), APUS_ARGUMENT, "size");
  if (WORKS(apus_tasks_json(bert, NULL, &json, &error))) CHECK(strstr(json, "text-embedding"));
  apus_free(json);
  /* Handles that are none. */
  apus_model_release(NULL);
  apus_model_release((apus_model *)0x1234);
  REFUSED(apus_describe_json((apus_model *)0x1234, &json, &error), APUS_ARGUMENT, "handle");
  REFUSED(apus_describe_json((apus_model *)"text", &json, &error), APUS_ARGUMENT, "handle");
  REFUSED(apus_describe_json(NULL, &json, &error), APUS_ARGUMENT, "NULL");
  if (WORKS(apus_open(bert, NULL, "{\"threads\": 1}", NULL, &model, &error))) {
    REFUSED(apus_tokenizer_json((apus_tokenizer *)model, &json, &error), APUS_ARGUMENT, "handle of a model");
    apus_tokenizer_release((apus_tokenizer *)model);
    if (WORKS(apus_describe_json(model, &json, &error))) CHECK(strstr(json, "\"width\"") && strstr(json, "\"kernels\""));
    apus_free(json);
    WORKS(apus_model_trim(model, &error));
    apus_model_release(model);
    apus_model_release(model);
    REFUSED(apus_describe_json(model, &json, &error), APUS_ARGUMENT, "released");
  }
}

/* Progress and what cancels. */
struct watch {
  int calls;
  int ends_at;
  double last;
};

static int32_t watching(void *context, const char *stage, double fraction) {
  struct watch *watch = context;
  watch->calls++;
  CHECK(strlen(stage) > 1 && fraction >= watch->last && fraction <= 1);
  watch->last = fraction;
  /* The library may be called from here, and the process may fork. */
  CHECK(apus_thread_count() >= 1);
  return watch->calls == watch->ends_at;
}

static void watched(void) {
  apus_error *error = NULL;
  apus_model *model = NULL;
  struct watch watch = {0, 0, 0};
  apus_call call = APUS_INIT(apus_call);
  call.progress = watching;
  call.context = &watch;
  const char *bert = fixture("transformers/bert-sentence");
  WORKS(apus_open(bert, "text-embedding", NULL, &call, &model, &error));
  CHECK(watch.calls >= 3 && watch.last == 1);
  struct watch brief = {0, 1, 0};
  call.context = &brief;
  apus_model *other = NULL;
  REFUSED(apus_open(bert, "text-embedding", NULL, &call, &other, &error), APUS_CANCELLED, "cancelled");
  int32_t token = 1;
  apus_call cancelled = APUS_INIT(apus_call);
  cancelled.cancel = &token;
  float vectors[256];
  apus_text one = text("a");
  REFUSED(apus_embed_texts(model, &one, 1, NULL, &cancelled, vectors, 256, &error), APUS_CANCELLED, "cancelled");
  token = 0;
  WORKS(apus_embed_texts(model, &one, 1, NULL, &cancelled, vectors, 256, &error));
  apus_model_release(model);
}

static void embedding(const char *picture) {
  apus_error *error = NULL;
  apus_model *model = NULL;
  if (!WORKS(apus_open(fixture("transformers/bert-sentence"), "text-embedding", "{\"length\": \"raw\"}", NULL, &model, &error)))
    return;
  int64_t width = 0;
  WORKS(apus_embedding_width(model, &width, &error));
  CHECK(width > 0 && width <= 128);
  apus_text texts[3] = {text("a photo of a cat"), {"dull, lifeless and more", 14}, text("a photo of a cat")};
  float vectors[3 * 128];
  /* Numbers of expected.json, which transformers made. */
  if (WORKS(apus_embed_texts(model, texts, 3, NULL, NULL, vectors, 3 * width, &error))) {
    const float expected[4] = {0.6191719f, 0.5727801f, -0.5586649f, -0.42804813f};
    for (int i = 0; i < 4; i++) CHECK(near(vectors[i], expected[i], 1e-4f));
    CHECK(!memcmp(vectors, vectors + 2 * width, (size_t)width * sizeof(float)));
  }
  float cosines[9];
  if (WORKS(apus_similarity(vectors, 3, vectors, 3, width, cosines, &error)))
    CHECK(near(cosines[0], 1, 1e-6f) && near(cosines[2], 1, 1e-6f) && cosines[1] < 1 && cosines[1] == cosines[3]);
  REFUSED(apus_similarity(NULL, 3, vectors, 3, width, cosines, &error), APUS_ARGUMENT, "rows of a");
  REFUSED(apus_similarity(vectors, 3, vectors, 3, INT64_MAX / 2, cosines, &error), APUS_ARGUMENT, "");
  REFUSED(apus_similarity(vectors, -1, vectors, 3, width, cosines, &error), APUS_ARGUMENT, "-1");
  WORKS(apus_embed_texts(model, NULL, 0, NULL, NULL, NULL, 0, &error));
  REFUSED(apus_embed_texts(model, texts, 3, NULL, NULL, vectors, 2 * width, &error), APUS_ARGUMENT, "room");
  REFUSED(apus_embed_texts(model, texts, -1, NULL, NULL, vectors, width, &error), APUS_ARGUMENT, "-1");
  REFUSED(apus_embed_texts(model, NULL, 1, NULL, NULL, vectors, width, &error), APUS_ARGUMENT, "texts");
  REFUSED(apus_embed_texts(model, texts, INT64_MAX, NULL, NULL, vectors, width, &error), APUS_ARGUMENT, "");
  REFUSED(apus_embed_texts(model, texts, 1, "none", NULL, vectors, width, &error), APUS_ARGUMENT, "none");
  apus_text odd[2] = {{NULL, 3}, {"a", -2}};
  REFUSED(apus_embed_texts(model, odd, 1, NULL, NULL, vectors, width, &error), APUS_ARGUMENT, "text 0");
  REFUSED(apus_embed_texts(model, odd + 1, 1, NULL, NULL, vectors, width, &error), APUS_ARGUMENT, "-2");
  apus_text bytes = {"\xff\0a", 3};
  WORKS(apus_embed_texts(model, &bytes, 1, NULL, NULL, vectors, width, &error));
  apus_image image = APUS_INIT(apus_image);
  REFUSED(apus_embed_images(model, &image, 1, NULL, vectors, width, &error), APUS_ARGUMENT, "text-embedding");
  REFUSED(apus_classify_texts(model, texts, 1, 0, NULL, &(apus_classifications *){NULL}, &error), APUS_ARGUMENT,
          "text-embedding");
  apus_model_release(model);

  if (!WORKS(apus_open(fixture("transformers/clip"), "zero-shot-image-classification", NULL, NULL, &model, &error))) return;
  WORKS(apus_embedding_width(model, &width, &error));
  /* A picture in four forms gives the same vector. */
  unsigned char rgb[24 * 24 * 3], rgba[24 * 30 * 4];
  for (int y = 0; y < 24; y++)
    for (int x = 0; x < 24; x++)
      for (int c = 0; c < 3; c++)
        rgb[(y * 24 + x) * 3 + c] = rgba[(y * 30 + x) * 4 + c] = (unsigned char)(x * 9 + y * 5 + c * 40);
  apus_image images[3] = {APUS_INIT(apus_image), APUS_INIT(apus_image), APUS_INIT(apus_image)};
  images[0].kind = APUS_IMAGE_RGB, images[0].data = rgb, images[0].width = 24, images[0].height = 24;
  images[1].kind = APUS_IMAGE_RGBA, images[1].data = rgba, images[1].width = 24, images[1].height = 24;
  images[1].row_stride = 120;
  images[2].kind = APUS_IMAGE_PATH, images[2].data = picture, images[2].length = -1;
  if (WORKS(apus_embed_images(model, images, 3, NULL, vectors, 3 * 128, &error)))
    CHECK(!memcmp(vectors, vectors + width, (size_t)width * sizeof(float)));
  apus_text labels[2] = {text("a photo of a cat"), text("dull, lifeless")};
  apus_classifications *results = NULL;
  if (WORKS(apus_zero_shot(model, images, 3, labels, 2, "{\"score\": \"softmax\"}", 0, NULL, &results, &error))) {
    CHECK(results->count == 3 && results->items[0].count == 2);
    const apus_prediction *p = results->items[0].predictions;
    CHECK(near(p[0].score + p[1].score, 1, 1e-5f) && p[0].score >= p[1].score && !isnan(p[0].logit));
    CHECK(!strcmp(p[0].label, labels[p[0].index].data) && p[0].label_length == (int64_t)strlen(p[0].label));
    CHECK(strstr(results->items[0].json, "milliseconds"));
  }
  apus_free(results);
  results = NULL;
  REFUSED(apus_zero_shot(model, images, 1, labels, 2, "{\"scores\": 1}", 0, NULL, &results, &error), APUS_ARGUMENT, "scores");
  REFUSED(apus_zero_shot(model, images, 1, NULL, 0, NULL, 0, NULL, &results, &error), APUS_ARGUMENT, "label");
  REFUSED(apus_zero_shot(model, images, 1, labels, 2, NULL, -1, NULL, &results, &error), APUS_ARGUMENT, "top_k");
  /* One bad picture of three. */
  apus_error *errors[3];
  apus_call call = APUS_INIT(apus_call);
  call.errors = errors;
  images[1].row_stride = 7;
  if (WORKS(apus_embed_images(model, images, 3, &call, vectors, 3 * 128, &error))) {
    CHECK(!errors[0] && errors[1] && !errors[2] && errors[1]->status == APUS_ARGUMENT);
    CHECK(!isnan(vectors[0]) && isnan(vectors[width]) && !isnan(vectors[2 * width]));
    apus_free(errors[1]);
  }
  REFUSED(apus_embed_images(model, images, 3, NULL, vectors, 3 * 128, &error), APUS_ARGUMENT, "picture 1");
  images[1].row_stride = 120, images[1].width = -4;
  REFUSED(apus_embed_images(model, images + 1, 1, NULL, vectors, 128, &error), APUS_ARGUMENT, "-4");
  images[1].width = INT64_MAX, images[1].height = INT64_MAX;
  REFUSED(apus_embed_images(model, images + 1, 1, NULL, vectors, 128, &error), APUS_ARGUMENT, "pixels");
  images[1].kind = 77;
  REFUSED(apus_embed_images(model, images + 1, 1, NULL, vectors, 128, &error), APUS_ARGUMENT, "77");
  images[1].kind = APUS_IMAGE_ENCODED, images[1].length = 5;
  REFUSED(apus_embed_images(model, images + 1, 1, NULL, vectors, 128, &error), APUS_IMAGE, "");
  images[2].data = "/no/picture.jpg";
  REFUSED(apus_embed_images(model, images + 2, 1, NULL, vectors, 128, &error), APUS_FILE, "/no/picture.jpg");
  images[2].size = 3;
  REFUSED(apus_embed_images(model, images + 2, 1, NULL, vectors, 128, &error), APUS_ARGUMENT, "size");
  apus_model_release(model);
}

static void classification(const char *weights, const char *picture) {
  apus_error *error = NULL;
  apus_model *model = NULL;
  apus_classifications *results = NULL;
  char path[1024];
  snprintf(path, sizeof path, "%s/rice-leaf/rice_v1_int8.tflite", weights);
  if (WORKS(apus_open(path, "image-classification", NULL, NULL, &model, &error))) {
    apus_image image = APUS_INIT(apus_image);
    image.data = picture, image.length = -1;
    if (WORKS(apus_classify_images(model, &image, 1, 2, NULL, &results, &error))) {
      CHECK(results->count == 1 && results->items[0].count == 2 && results->items[0].predictions[0].label[0]);
      CHECK(results->items[0].predictions[0].score >= results->items[0].predictions[1].score);
    }
    apus_free(results);
    apus_model_release(model);
  }
  snprintf(path, sizeof path, "%s/sentiment", weights);
  if (WORKS(apus_open(path, NULL, NULL, NULL, &model, &error))) {
    apus_text texts[3] = {text("A joy from start to finish."), text(" "), text("Dull and lifeless.")};
    REFUSED(apus_classify_texts(model, texts, 3, 0, NULL, &results, &error), APUS_ARGUMENT, "text 1");
    apus_error *errors[3];
    apus_call call = APUS_INIT(apus_call);
    call.errors = errors;
    if (WORKS(apus_classify_texts(model, texts, 3, 0, &call, &results, &error))) {
      CHECK(results->count == 3 && results->items[1].count == 0 && errors[1] && !errors[0] && !errors[2]);
      CHECK(strcmp(results->items[0].predictions[0].label, results->items[2].predictions[0].label));
      apus_free(errors[1]);
    }
    apus_free(results);
    float score;
    REFUSED(apus_rerank(model, texts[0], texts, 1, NULL, &score, &error), APUS_UNSUPPORTED_MODEL, "re-ranker");
    apus_model_release(model);
  }
  if (WORKS(apus_open(fixture("transformers/bert-reranker"), "text-classification", NULL, NULL, &model, &error))) {
    apus_text documents[2] = {text("healthy rice leaf with brown spot and the lazy dog"), text("x")};
    float scores[2] = {0, 0};
    if (WORKS(apus_rerank(model, text("a photo of a cat"), documents, 2, NULL, scores, &error))) {
      apus_text queries[2] = {text("a photo of a cat"), text("a photo of a cat")};
      if (WORKS(apus_classify_pairs(model, queries, documents, 2, 0, NULL, &results, &error))) {
        for (int i = 0; i < 2; i++)
          CHECK(near(results->items[i].predictions[0].score, 1 / (1 + expf(-scores[i])), 1e-5f) ||
                near(results->items[i].predictions[0].score, scores[i], 1e-5f));
      }
      apus_free(results);
    }
    REFUSED(apus_rerank(model, text("a"), documents, 2, NULL, NULL, &error), APUS_ARGUMENT, "scores");
    apus_model_release(model);
  }
}

/* The layer of Tests/Fixtures/bindings, and what ONNX Runtime gives for it. */
static const float linear[2][10] = {
    {0.01143619f, 3.846568f, 3.124804f, -1.154358f, -3.664605f, -1.231132f, 3.307892f, 4.553346f, 1.112031f, -2.708803f},
    {-3.61364f, 0.1406529f, 3.845499f, 3.116379f, -1.038264f, -3.443566f, -1.052366f, 3.348583f, 4.528099f, 1.173182f}};

static void fill(float *x) {
  for (int i = 0; i < 128; i++) x[i] = (float)cos(i);
}

static int is_linear(const float *y, int rows) {
  for (int i = 0; i < rows * 10; i++)
    if (!near(y[i], linear[i / 10][i % 10], 2e-5f)) return 0;
  return 1;
}

static apus_model *open_linear(void) {
  apus_error *error = NULL;
  apus_model *model = NULL;
  WORKS(apus_open(fixture("bindings/linear.onnx"), "tensors", NULL, NULL, &model, &error));
  return model;
}

static void tensors(void) {
  apus_error *error = NULL;
  apus_model *model = open_linear();
  apus_tensors *ports = NULL;
  if (WORKS(apus_inputs(model, NULL, &ports, &error)))
    CHECK(ports->count == 1 && !strcmp(ports->items[0].name, "x") && ports->items[0].rank == 2 &&
          ports->items[0].dimensions[1] == 64 && ports->items[0].free_axes == 1 && ports->items[0].type == APUS_FLOAT32 &&
          !ports->items[0].data);
  apus_free(ports);
  float memory[129], y[20];
  apus_tensor x = APUS_INIT(apus_tensor), out = APUS_INIT(apus_tensor);
  x.name = "x", x.type = APUS_FLOAT32, x.rank = 2, x.dimensions[0] = 2, x.dimensions[1] = 64;
  x.data = memory, x.byte_count = 512;
  out.name = "y", out.data = y, out.byte_count = sizeof y;
  fill(memory);
  if (WORKS(apus_outputs(model, NULL, &x, 1, &ports, &error)))
    CHECK(ports->count == 1 && ports->items[0].dimensions[0] == 2 && ports->items[0].dimensions[1] == 10);
  apus_free(ports);
  if (WORKS(apus_run(model, NULL, &x, 1, &out, 1, NULL, &error)))
    CHECK(is_linear(y, 2) && out.rank == 2 && out.dimensions[0] == 2 && out.dimensions[1] == 10 && out.type == APUS_FLOAT32);
  /* An odd address, one row, no names. */
  float first[20];
  memcpy(first, y, sizeof y);
  char *odd = (char *)memory + 1;
  fill(memory);
  memmove(odd, memory, 512);
  x.data = odd, x.name = NULL, out.name = NULL, x.dimensions[0] = 1;
  if (WORKS(apus_run(model, NULL, &x, 1, &out, 1, NULL, &error))) CHECK(is_linear(y, 1) && out.dimensions[0] == 1);
  x.dimensions[0] = 2;
  if (WORKS(apus_run(model, "main", &x, 1, &out, 1, NULL, &error))) CHECK(!memcmp(y, first, sizeof y));
  apus_tensors *all = NULL;
  if (WORKS(apus_run_all(model, NULL, &x, 1, NULL, &all, &error)))
    CHECK(all->count == 1 && !memcmp(all->items[0].data, first, sizeof first) && (uintptr_t)all->items[0].data % 64 == 0);
  apus_free(all);
  /* What does not fit. */
  out.byte_count = 79;
  REFUSED(apus_run(model, NULL, &x, 1, &out, 1, NULL, &error), APUS_ARGUMENT, "room");
  CHECK(out.byte_count == 80);
  out.byte_count = 0, out.data = NULL;
  REFUSED(apus_run(model, NULL, &x, 1, &out, 1, NULL, &error), APUS_ARGUMENT, "room");
  out.data = y, out.byte_count = sizeof y, out.name = "z";
  REFUSED(apus_run(model, NULL, &x, 1, &out, 1, NULL, &error), APUS_ARGUMENT, "'z'");
  out.name = "y";
  apus_tensor bad = x;
  bad.dimensions[1] = 63;
  REFUSED(apus_run(model, NULL, &bad, 1, &out, 1, NULL, &error), APUS_ARGUMENT, "63");
  bad = x, bad.dimensions[0] = -2;
  REFUSED(apus_run(model, NULL, &bad, 1, &out, 1, NULL, &error), APUS_ARGUMENT, "-2");
  bad = x, bad.dimensions[0] = INT64_MAX;
  REFUSED(apus_run(model, NULL, &bad, 1, &out, 1, NULL, &error), APUS_ARGUMENT, "");
  bad = x, bad.rank = 17;
  REFUSED(apus_run(model, NULL, &bad, 1, &out, 1, NULL, &error), APUS_ARGUMENT, "17");
  bad = x, bad.rank = -1;
  REFUSED(apus_run(model, NULL, &bad, 1, &out, 1, NULL, &error), APUS_ARGUMENT, "-1");
  bad = x, bad.type = 99;
  REFUSED(apus_run(model, NULL, &bad, 1, &out, 1, NULL, &error), APUS_ARGUMENT, "99");
  bad = x, bad.type = APUS_INT32;
  REFUSED(apus_run(model, NULL, &bad, 1, &out, 1, NULL, &error), APUS_ARGUMENT, "int32");
  bad = x, bad.byte_count = 511;
  REFUSED(apus_run(model, NULL, &bad, 1, &out, 1, NULL, &error), APUS_ARGUMENT, "511");
  bad = x, bad.data = NULL;
  REFUSED(apus_run(model, NULL, &bad, 1, &out, 1, NULL, &error), APUS_ARGUMENT, "NULL");
  bad = x, bad.name = "w";
  REFUSED(apus_run(model, NULL, &bad, 1, &out, 1, NULL, &error), APUS_ARGUMENT, "'w'");
  bad = x, bad.size = 0;
  REFUSED(apus_run(model, NULL, &bad, 1, &out, 1, NULL, &error), APUS_ARGUMENT, "size");
  REFUSED(apus_run(model, NULL, NULL, 0, &out, 1, NULL, &error), APUS_ARGUMENT, "input 0");
  REFUSED(apus_run(model, "none", &x, 1, &out, 1, NULL, &error), APUS_ARGUMENT, "none");
  REFUSED(apus_run(model, NULL, &x, -1, &out, 1, NULL, &error), APUS_ARGUMENT, "-1");
  REFUSED(apus_run(model, NULL, NULL, 1, &out, 1, NULL, &error), APUS_ARGUMENT, "NULL");
  apus_tensor both[2] = {x, x};
  REFUSED(apus_run(model, NULL, both, 2, &out, 1, NULL, &error), APUS_ARGUMENT, "");
  int32_t token = 1;
  apus_call call = APUS_INIT(apus_call);
  call.cancel = &token;
  REFUSED(apus_run(model, NULL, &x, 1, &out, 1, &call, &error), APUS_CANCELLED, "cancelled");
  WORKS(apus_run(model, NULL, &x, 1, &out, 1, NULL, &error));
  CHECK(is_linear(y, 2));
  float vectors[8];
  REFUSED(apus_embed_texts(model, NULL, 0, NULL, NULL, vectors, 8, &error), APUS_ARGUMENT, "tensors");
  /* Infinite and missing numbers go through. */
  memory[0] = NAN, memory[1] = INFINITY;
  x.data = memory;
  WORKS(apus_run(model, NULL, &x, 1, &out, 1, NULL, &error));
  CHECK(isnan(y[0]));
  apus_model_release(model);

  /* A folder's texts, by tokens of 64 bits. */
  if (!WORKS(apus_open(fixture("transformers/bert-sentence"), "tensors", NULL, NULL, &model, &error))) return;
  int64_t ids[7] = {2, 5, 98, 90, 5, 105, 3}, mask[7] = {1, 1, 1, 1, 1, 1, 1};
  apus_tensor tokens[2] = {APUS_INIT(apus_tensor), APUS_INIT(apus_tensor)};
  for (int i = 0; i < 2; i++) {
    tokens[i].name = i ? "attention_mask" : "input_ids", tokens[i].type = APUS_INT64, tokens[i].rank = 2;
    tokens[i].dimensions[0] = 1, tokens[i].dimensions[1] = 7, tokens[i].byte_count = 56, tokens[i].data = i ? mask : ids;
  }
  if (WORKS(apus_run_all(model, NULL, tokens, 2, NULL, &all, &error)))
    CHECK(all->count == 1 && near(((const float *)all->items[0].data)[0], 0.6191719f, 1e-4f));
  apus_free(all);
  apus_model_release(model);
}

static void tokenizers(void) {
  apus_error *error = NULL;
  apus_tokenizer *tokenizer = NULL;
  REFUSED(apus_tokenizer_open("/none", &tokenizer, &error), APUS_FILE, "/none");
  if (!WORKS(apus_tokenizer_open(fixture("transformers/bert-sentence"), &tokenizer, &error))) return;
  char *made = NULL;
  if (WORKS(apus_tokenizer_json(tokenizer, &made, &error))) CHECK(strstr(made, "vocabulary_size"));
  apus_free(made);
  apus_text texts[2] = {text("a photo of a cat"), text("dull, lifeless")};
  apus_encodings *encodings = NULL;
  const int32_t expected[7] = {2, 5, 98, 90, 5, 105, 3};
  if (WORKS(apus_encode(tokenizer, texts, NULL, 2, NULL, &encodings, &error)))
    CHECK(encodings->count == 2 && encodings->items[0].count == 7 &&
          !memcmp(encodings->items[0].ids, expected, sizeof expected) && !encodings->items[0].offsets);
  apus_free(encodings);
  apus_encoding_options options = APUS_INIT(apus_encoding_options);
  options.finds_offsets = 1, options.padded_length = -1, options.padding_multiple = 8;
  if (WORKS(apus_encode(tokenizer, texts, NULL, 2, &options, &encodings, &error))) {
    const apus_encoding *e = &encodings->items[1];
    CHECK(e->count == 8 && encodings->items[0].count == 8 && e->attention_mask[7] == 0 && e->special_tokens_mask[7] == 1);
    CHECK(encodings->items[0].offsets && encodings->items[0].offsets[2] == 2 && encodings->items[0].offsets[3] == 7);
  }
  apus_free(encodings);
  options = (apus_encoding_options)APUS_INIT(apus_encoding_options);
  options.adds_special_tokens = 1, options.maximum_length = 4;
  if (WORKS(apus_encode(tokenizer, texts, texts, 2, &options, &encodings, &error)))
    CHECK(encodings->items[0].count == 4 && encodings->items[0].was_truncated);
  apus_free(encodings);
  options.maximum_length = -2;
  REFUSED(apus_encode(tokenizer, texts, NULL, 2, &options, &encodings, &error), APUS_ARGUMENT, "-2");
  options.maximum_length = 1;
  REFUSED(apus_encode(tokenizer, texts, NULL, 2, &options, &encodings, &error), APUS_ARGUMENT, "1 token");
  options.maximum_length = 0, options.padded_length = INT64_MAX;
  REFUSED(apus_encode(tokenizer, texts, NULL, 2, &options, &encodings, &error), APUS_ARGUMENT, "padded");
  int64_t length = 0;
  if (WORKS(apus_decode(tokenizer, expected, 7, 1, &made, &length, &error)))
    CHECK(!strcmp(made, "a photo of a cat") && length == 16);
  apus_free(made);
  const int32_t odd[3] = {-1, INT32_MAX, INT32_MIN};
  if (WORKS(apus_decode(tokenizer, odd, 3, 0, &made, NULL, &error))) CHECK(!strcmp(made, ""));
  apus_free(made);
  REFUSED(apus_decode(tokenizer, NULL, 3, 0, &made, NULL, &error), APUS_ARGUMENT, "ids");
  int32_t id = 0;
  WORKS(apus_token_id(tokenizer, text("cat"), &id, &error));
  CHECK(id == 105);
  WORKS(apus_token_id(tokenizer, text("nothing of the kind"), &id, &error));
  CHECK(id == -1);
  WORKS(apus_token_text(tokenizer, 105, &made, &error));
  CHECK(made && !strcmp(made, "cat"));
  apus_free(made);
  WORKS(apus_token_text(tokenizer, -5, &made, &error));
  CHECK(!made);
  apus_tokenizer_release(tokenizer);
  REFUSED(apus_token_id(tokenizer, text("cat"), &id, &error), APUS_ARGUMENT, "released");
}

static void monitors(void) {
  apus_error *error = NULL;
  apus_monitor *monitor = NULL;
  apus_model *model = open_linear();
  char *json = NULL;
  WORKS(apus_monitor_make(&monitor, &error));
  WORKS(apus_monitor_watch(monitor, model, "linear", 5, &error));
  REFUSED(apus_monitor_watch(monitor, model, "linear", -5, &error), APUS_ARGUMENT, "-5");
  REFUSED(apus_monitor_watch(monitor, model, "linear", NAN, &error), APUS_ARGUMENT, "nan");
  float memory[128], y[20];
  fill(memory);
  apus_tensor x = APUS_INIT(apus_tensor), out = APUS_INIT(apus_tensor);
  x.type = APUS_FLOAT32, x.rank = 2, x.dimensions[0] = 2, x.dimensions[1] = 64, x.data = memory, x.byte_count = 512;
  out.data = y, out.byte_count = sizeof y;
  WORKS(apus_run(model, NULL, &x, 1, &out, 1, NULL, &error));
  if (WORKS(apus_monitor_json(monitor, &json, &error))) CHECK(strstr(json, "\"linear\""));
  apus_free(json);
  WORKS(apus_monitor_watch(NULL, model, NULL, 0, &error));
  apus_monitor_release(monitor);
  REFUSED(apus_monitor_json(monitor, &json, &error), APUS_ARGUMENT, "released");
  apus_model_release(model);
}

/* Threads that run, open and release at once. */
static void *running(void *argument) {
  apus_model *model = argument;
  apus_error *error = NULL;
  for (int turn = 0; turn < 200; turn++) {
    float memory[128], y[20];
    fill(memory);
    apus_tensor x = APUS_INIT(apus_tensor), out = APUS_INIT(apus_tensor);
    x.type = APUS_FLOAT32, x.rank = 2, x.dimensions[0] = 1 + turn % 2, x.dimensions[1] = 64, x.data = memory;
    x.byte_count = 512, out.data = y, out.byte_count = sizeof y;
    WORKS(apus_run(model, NULL, &x, 1, &out, 1, NULL, &error));
    CHECK(is_linear(y, 1 + turn % 2));
    if (turn % 50 == 0) apus_model_release(open_linear());
  }
  return NULL;
}

static void in_threads(apus_model *model) {
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, running, model);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
}

static volatile int goes_on;

static void *embedding_all_the_time(void *argument) {
  apus_error *error = NULL;
  apus_text texts[64];
  float *vectors = malloc(64 * 128 * sizeof(float));
  for (int i = 0; i < 64; i++) texts[i] = text(i % 2 ? "a photo of a cat" : "The film was a joy! And it is longer than others, too.");
  while (goes_on) WORKS(apus_embed_texts(argument, texts, 64, NULL, NULL, vectors, 64 * 128, &error));
  free(vectors);
  return NULL;
}

/* Children of a process whose threads compute go on with its models. */
static void forks(int count) {
  apus_error *error = NULL;
  apus_model *model = open_linear(), *embedder = NULL;
  WORKS(apus_open(fixture("transformers/bert-sentence"), "text-embedding", NULL, NULL, &embedder, &error));
  goes_on = 1;
  pthread_t others[2];
  for (int i = 0; i < 2; i++) pthread_create(&others[i], NULL, embedding_all_the_time, embedder);
  for (int turn = 0; turn < count; turn++) {
    pid_t child = fork();
    if (child == 0) {
      failures = 0;
      alarm(60);
      in_threads(model);
      float vectors[128];
      apus_text one = text("a photo of a cat");
      WORKS(apus_embed_texts(embedder, &one, 1, NULL, NULL, vectors, 128, &error));
      /* A child of the child. */
      pid_t second = turn == 0 ? fork() : -1;
      if (second == 0) {
        running(model);
        _exit(failures != 0);
      }
      int status = 0;
      if (second > 0 && (waitpid(second, &status, 0) < 0 || status != 0)) failures++;
      _exit(failures != 0);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
  }
  goes_on = 0;
  for (int i = 0; i < 2; i++) pthread_join(others[i], NULL);
  apus_model_release(model);
  apus_model_release(embedder);
}

/* In a child, because it cannot be undone. */
static void seals(void) {
  pid_t child = fork();
  if (child == 0) {
    failures = 0;
    apus_error *error = NULL;
    char *json = NULL;
    REFUSED(apus_seal("ajar", &error), APUS_ARGUMENT, "ajar");
    if (WORKS(apus_seal_json(&json, &error))) CHECK(strstr(json, "\"is_sealed\":false") || strstr(json, "\"is_sealed\": false"));
    apus_free(json);
    apus_status status = apus_seal(NULL, &error);
    /* Where a container forbids it, that is said. */
    CHECK(status == APUS_OK || status == APUS_RESOURCES);
    if (status == APUS_OK && WORKS(apus_seal_json(&json, &error))) {
      CHECK(strstr(json, "\"is_sealed\":true") || strstr(json, "\"is_sealed\": true"));
      apus_free(json);
    }
    apus_free(error);
    _exit(failures != 0);
  }
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
}

/* What calls give out and is freed leaves nothing behind. */
static void leaks(void) {
  apus_error *error = NULL;
  apus_model *model = open_linear(), *embedder = NULL;
  apus_tokenizer *tokenizer = NULL;
  WORKS(apus_open(fixture("transformers/bert-sentence"), "text-embedding", NULL, NULL, &embedder, &error));
  WORKS(apus_tokenizer_open(fixture("transformers/bert-sentence"), &tokenizer, &error));
  float memory[128], vectors[128];
  fill(memory);
  apus_tensor x = APUS_INIT(apus_tensor), bad = APUS_INIT(apus_tensor);
  x.type = APUS_FLOAT32, x.rank = 2, x.dimensions[0] = 2, x.dimensions[1] = 64, x.data = memory, x.byte_count = 512;
  apus_text one = text("a photo of a cat");
  size_t before = 0;
  for (int turn = 0; turn < 1200; turn++) {
    if (turn == 200) before = mallinfo2().uordblks;
    apus_tensors *all = NULL;
    apus_encodings *encodings = NULL;
    char *json = NULL;
    WORKS(apus_run_all(model, NULL, &x, 1, NULL, &all, &error));
    WORKS(apus_encode(tokenizer, &one, NULL, 1, NULL, &encodings, &error));
    WORKS(apus_embed_texts(embedder, &one, 1, NULL, NULL, vectors, 128, &error));
    WORKS(apus_describe_json(embedder, &json, &error));
    CHECK(apus_run(model, NULL, &bad, 1, NULL, 0, NULL, &error) == APUS_ARGUMENT);
    apus_free(error);
    error = NULL;
    apus_free(all);
    apus_free(encodings);
    apus_free(json);
  }
  /* Times of runs that nobody asks for are kept up to a bound. */
  CHECK(mallinfo2().uordblks < before + 40000);
  apus_model_release(model);
  apus_model_release(embedder);
  apus_tokenizer_release(tokenizer);
}

static int thread_total(void) {
  FILE *file = fopen("/proc/self/status", "r");
  char line[256];
  int total = -1;
  while (file && fgets(line, sizeof line, file))
    if (sscanf(line, "Threads: %d", &total) == 1) break;
  if (file) fclose(file);
  return total;
}

int main(int count, char **arguments) {
  if (count < 5) return 2;
  root = arguments[1];
  int forked = atoi(arguments[4]);
  library();
  apus_model *model = open_linear();
  CHECK(thread_total() == 1);
  opening();
  watched();
  embedding(arguments[3]);
  classification(arguments[2], arguments[3]);
  tensors();
  tokenizers();
  monitors();
  in_threads(model);
  apus_model_release(model);
  if (forked > 0) {
    leaks();
    forks(forked);
    seals();
  }
  return failures != 0;
}
