/* Apus: image and text models on the CPU, for C and every language that can call C.
 *
 *     apus_model *model = NULL;
 *     apus_error *error = NULL;
 *     if (apus_open("all-MiniLM-L6-v2", "text-embedding", "{\"precision\": \"int8\"}", NULL, &model, &error)) {
 *       fprintf(stderr, "%s\n", error->message);
 *       apus_free(error);
 *     }
 *
 * Rules that hold for every function:
 *
 * Statuses    A call that can fail returns a status: APUS_OK, which is 0, or what kind of thing went wrong. Its last
 *             argument takes an error object that says more, or is NULL. The error belongs to the call and not to the
 *             thread, because the tasks of Go, of Python and of Rust's executors move between threads. It is written only
 *             when the call fails, and the caller frees it.
 * Handles     `apus_model *` and the like are no addresses: they are never read through. A handle that is NULL, released
 *             or of another kind gives APUS_ARGUMENT. Releasing NULL, or twice, does nothing.
 * Blocks      Everything else that a call gives out (an error, results, encodings, tensors, a text) is one block of
 *             memory, whatever it points to included. apus_free() frees it, from any thread; it may outlive its model.
 * Texts       Names, paths, keys and JSON are UTF-8 that ends in NUL. A path is taken as the bytes that it is. What is
 *             read by a model is an `apus_text`, with a length: it may hold NUL, and a byte that is no UTF-8 counts as
 *             U+FFFD.
 * Sizes       All are int64_t. A negative one is an error, where nothing else is said of it.
 * Structs     Each of those that may grow begins with `size`, which the caller sets to sizeof: a library that is newer or
 *             older reads and writes no more than that. In an array all have the size of the first. APUS_INIT(type) makes
 *             one of zeros with its size set.
 * Threads     Every function may be called from any thread at any time, and several may use a model at once; a handle that
 *             is released meanwhile lives until they are done. A call works on the thread that made it, helped by the
 *             process's one pool, which starts with the first computation. It has as many threads as the process may use:
 *             the least of the processor affinity, the control group's quota, OMP_NUM_THREADS and APUS_POOL_SIZE.
 * fork        A child may go on with every handle; it has a pool of its own. fork() waits for calls of other threads until
 *             they are between two nodes of a model, 10 seconds at most.
 * Signals     No handler is installed, nothing is printed, and nothing that is passed here ends the process, but for an
 *             address that is no memory.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef APUS_H
#define APUS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface. It changes when a program has to be compiled again: never by an addition. */
#define APUS_ABI_VERSION 1

/* A struct of zeros that knows its size: apus_call call = APUS_INIT(apus_call). */
#ifdef __cplusplus
#define APUS_INIT(type) apus_init<type>()
#else
#define APUS_INIT(type) {.size = sizeof(type)}
#endif

/* --- Errors -------------------------------------------------------------------------------------------------------- */

/* What kind of thing went wrong. */
typedef enum apus_status {
  APUS_OK = 0,
  APUS_FILE = 1,              /* a file or folder cannot be found, read or written */
  APUS_MALFORMED_MODEL = 2,   /* a model breaks the rules of its format */
  APUS_UNSUPPORTED_MODEL = 3, /* a sound model that asks for something that Apus does not do */
  APUS_IMAGE = 4,             /* a picture that cannot be decoded, or is over a limit */
  APUS_CONFIGURATION = 5,     /* labels, metadata or another file of configuration that make no sense */
  APUS_ARGUMENT = 6,          /* something that the caller passed */
  APUS_CANCELLED = 7,         /* the caller cancelled the call */
  APUS_RESOURCES = 8          /* memory or another resource of the system ran out */
} apus_status;

/* What went wrong. Texts are UTF-8; those that are not known are NULL, but for `message` and `problem`. */
typedef struct apus_error {
  int64_t size;
  int32_t status;       /* an apus_status */
  int32_t reserved;
  const char *message;  /* all of the following in sentences, for people */
  const char *problem;  /* what was found: "a tensor float32[1, 3]" */
  const char *expected; /* what would have been right: "float32[1, 4]" */
  const char *file;     /* the file that it is about, as the caller named it */
  const char *where;    /* the place in the file, the model or the call: "input 0 'x'" */
  const char *advice;   /* what to do, in a sentence */
} apus_error;

/* "file", "malformed_model", "argument", …; "unknown" for a number that is no status. Not to be freed. */
const char *apus_status_name(int32_t status);

/* Frees what a call gave out, NULL too. */
void apus_free(void *block);

/* --- Library ------------------------------------------------------------------------------------------------------- */

/* The APUS_ABI_VERSION that the library was made with. A program refuses another than its own. */
int32_t apus_abi_version(void);

/* The version of Apus: "0.2.0". Not to be freed. */
const char *apus_version(void);

/* How many threads a computation may use: what the process may use, see Threads above. It starts none. */
int32_t apus_thread_count(void);

/* What the library is and runs on, as a JSON object: version, processor, kernels, threads, picture formats that it can read
 * here, tasks, and the settings of each task with their kinds. */
apus_status apus_library_json(char **json, apus_error **error);

/* --- What every longer call takes ---------------------------------------------------------------------------------- */

/* Told how far a call is, on the thread that made it. Anything but 0 cancels the call.
 * stage     while a model is opened: "open", "tokenizer", "text", "image", "network" or "labels", then "ready"; else "run".
 * fraction  what is done, from 0 to 1. */
typedef int32_t (*apus_progress)(void *context, const char *stage, double fraction);

/* How a call is watched and stopped. NULL in its place means that it is not. */
typedef struct apus_call {
  int64_t size;
  /* A token of the caller's: the call ends with APUS_CANCELLED soon after another thread, or a signal handler, has set it to
   * anything but 0. It is read before each node of a model. One token may serve many calls. NULL for none. */
  const volatile int32_t *cancel;
  apus_progress progress; /* NULL for none */
  void *context;          /* for `progress` */
  /* Of a call with several inputs: NULL, and the first one that fails ends the call. Or memory for as many pointers as there
   * are inputs: then the others go on, the call returns APUS_OK, and each pointer is set to NULL or to the error of its
   * input, to be freed by the caller. Vectors and scores of an input that failed are NaN. */
  apus_error **errors;
} apus_call;

/* --- Models -------------------------------------------------------------------------------------------------------- */

/* A model that is open for one task. */
typedef struct apus_model apus_model;

/* Opens a model, which takes milliseconds to seconds.
 * name      a .tflite or .onnx file, a folder, or the name of a repository in the local Hugging Face cache; nothing is
 *           downloaded.
 * task      "image-classification", "zero-shot-image-classification", "text-classification" (re-rankers too),
 *           "text-embedding", "image-embedding", or "tensors", which every model does; NULL for the only one beside
 *           "tensors" that the model is made for, and "tensors" where there is none.
 * settings  a JSON object, or NULL: {"precision": "int8", "threads": 2}. apus_library_json() lists what each task takes. A
 *           key that is not known is an error that names it.
 * call      cancels, and is told of the stages; may be NULL. `errors` in it is ignored.
 * A model that is open twice has its weights in memory once. */
apus_status apus_open(const char *name, const char *task, const char *settings, const apus_call *call,
                      apus_model **model, apus_error **error);

/* Releases the handle. Calls that are under way go on. */
void apus_model_release(apus_model *model);

/* What a model is made for, without opening it: a JSON list of tasks. `settings` are those of
 * "zero-shot-image-classification", for towers in two folders; else NULL. */
apus_status apus_tasks_json(const char *name, const char *settings, char **json, apus_error **error);

/* What is known of an open model, as a JSON object: "task", "path", "settings", "computation" (the numbers that are
 * multiplied, and the kernels), "notes" for people, "load_milliseconds" by stage, "memory" in bytes; and by its task "labels",
 * "threshold", "width", "normalizes", "maximum_tokens", "prompts", "preprocessing", "networks" with their inputs and
 * outputs. */
apus_status apus_describe_json(apus_model *model, char **json, apus_error **error);

/* Gives back the memory that runs left for the next ones. */
apus_status apus_model_trim(apus_model *model, apus_error **error);

/* --- Texts and pictures -------------------------------------------------------------------------------------------- */

/* A text for a model. */
typedef struct apus_text {
  const char *data; /* may be NULL where the length is 0 */
  int64_t length;   /* in bytes; -1: it ends in NUL */
} apus_text;

typedef enum apus_image_kind {
  APUS_IMAGE_PATH = 0,    /* `data` is the path of a picture's file, `length` its bytes, or -1: it ends in NUL */
  APUS_IMAGE_ENCODED = 1, /* `data` is the content of such a file, `length` its bytes */
  APUS_IMAGE_RGB = 2,     /* `data` are decoded pixels: red, green, blue, of 0 to 255, the top row first */
  APUS_IMAGE_RGBA = 3,    /* the same with a fourth byte, which is ignored */
  APUS_IMAGE_GREY = 4     /* one byte for each pixel */
} apus_image_kind;

/* A picture for a model. */
typedef struct apus_image {
  int64_t size;
  int32_t kind; /* an apus_image_kind */
  int32_t reserved;
  const void *data;
  int64_t length; /* of a path or a file's content; ignored for pixels */
  int64_t width;  /* of pixels */
  int64_t height;
  int64_t row_stride; /* bytes from a row of pixels to the next; 0: rows lie one behind the other */
} apus_image;

/* --- Classification ------------------------------------------------------------------------------------------------ */

/* A class, or a label that the caller wrote, and its score. */
typedef struct apus_prediction {
  int64_t size;
  const char *label; /* in UTF-8, NUL behind it */
  int64_t label_length;
  int64_t index;        /* the position among the model's outputs, or among the labels */
  float score;          /* the probability, from 0 to 1; what a regression gives may be any number */
  float logit;          /* of a zero-shot classifier: the cosine, scaled; NaN elsewhere */
  int32_t is_uncertain; /* 1 where the score is below the threshold, or the picture foreign */
  int32_t reserved;
} apus_prediction;

/* What is said of one input. */
typedef struct apus_classification {
  int64_t size;
  const apus_prediction *predictions; /* the best first */
  int64_t count;                      /* 0 for an input that failed */
  int32_t is_uncertain;
  int32_t was_truncated; /* 1: a text that was longer than the model takes, and was cut */
  float novelty;         /* how unlike all that the model knows; NaN where it does not say */
  int32_t reserved;
  const char *json; /* what else is known, as an object: "milliseconds" by stage, "uncertainty", "preprocessing", "damage",
                       "details" of labels by index, "token_count", "outputs"; NULL where the input failed */
} apus_classification;

/* The results for several inputs, in their order: one block, for apus_free(). */
typedef struct apus_classifications {
  int64_t size;
  const apus_classification *items;
  int64_t count;
} apus_classifications;

/* Classifies pictures, one after the other; call it from several threads to decode several at a time. Of a zero-shot
 * classifier with the labels of its settings.
 * top_k  the predictions wanted for each; 0 for all. */
apus_status apus_classify_images(apus_model *model, const apus_image *images, int64_t count, int64_t top_k,
                                 const apus_call *call, apus_classifications **results, apus_error **error);

/* Scores pictures against labels. The labels' embeddings are computed once and kept.
 * reading  NULL, or how cosines become scores, as a JSON object: "score" ("softmax" or "sigmoid"), "logit_scale",
 *          "logit_bias", "mask_padding". */
apus_status apus_zero_shot(apus_model *model, const apus_image *images, int64_t count, const apus_text *labels,
                           int64_t label_count, const char *reading, int64_t top_k, const apus_call *call,
                           apus_classifications **results, apus_error **error);

/* Classifies texts together, which is faster than one by one. */
apus_status apus_classify_texts(apus_model *model, const apus_text *texts, int64_t count, int64_t top_k,
                                const apus_call *call, apus_classifications **results, apus_error **error);

/* Classifies pairs of texts. */
apus_status apus_classify_pairs(apus_model *model, const apus_text *first, const apus_text *second, int64_t count,
                                int64_t top_k, const apus_call *call, apus_classifications **results,
                                apus_error **error);

/* How well documents answer a query, by a text classifier with one output that takes pairs.
 * scores  memory for `count` floats: the model's outputs in the order of the documents, as they are. 1 / (1 + e to minus one
 *         of them) is the probability. */
apus_status apus_rerank(apus_model *model, apus_text query, const apus_text *documents, int64_t count,
                        const apus_call *call, float *scores, apus_error **error);

/* --- Embedding ----------------------------------------------------------------------------------------------------- */

/* How many numbers an embedding of the model has. */
apus_status apus_embedding_width(apus_model *model, int64_t *width, apus_error **error);

/* Embeds texts. Texts of like length run together, whatever their order. A model that is open for
 * "zero-shot-image-classification" embeds texts and pictures too.
 * prompt    the name of a prompt of the model's that stands before each, or NULL for the model's default.
 * vectors   memory for `capacity` floats, count × width or more: a row for each text. */
apus_status apus_embed_texts(apus_model *model, const apus_text *texts, int64_t count, const char *prompt,
                             const apus_call *call, float *vectors, int64_t capacity, apus_error **error);

/* Embeds pictures, one after the other. */
apus_status apus_embed_images(apus_model *model, const apus_image *images, int64_t count, const apus_call *call,
                              float *vectors, int64_t capacity, apus_error **error);

/* Cosines of rows of `a` with rows of `b`, all of `width` floats: memory for rows_a × rows_b floats. 0 for a row of zeros. */
apus_status apus_similarity(const float *a, int64_t rows_a, const float *b, int64_t rows_b, int64_t width,
                            float *cosines, apus_error **error);

/* --- Tensors ------------------------------------------------------------------------------------------------------- */

typedef enum apus_type {
  APUS_FLOAT32 = 1,
  APUS_FLOAT64 = 2,
  APUS_FLOAT16 = 3,
  APUS_BFLOAT16 = 4,
  APUS_INT8 = 5,
  APUS_INT16 = 6,
  APUS_INT32 = 7,
  APUS_INT64 = 8,
  APUS_UINT8 = 9,
  APUS_UINT16 = 10,
  APUS_UINT32 = 11,
  APUS_UINT64 = 12,
  APUS_BOOL = 13 /* a byte: 0 or 1 */
} apus_type;

#define APUS_MAX_RANK 16

/* A tensor in row-major order, little-endian, without gaps. */
typedef struct apus_tensor {
  int64_t size;
  const char *name;  /* an input's or output's; NULL: by its place in the list */
  int32_t type;      /* an apus_type */
  int32_t rank;      /* 0 to APUS_MAX_RANK */
  int64_t dimensions[APUS_MAX_RANK];
  void *data;        /* read only where it is an input */
  int64_t byte_count; /* that `data` has room for */
  /* Only in what the library gives out: */
  uint32_t free_axes;   /* a bit for each axis whose extent is up to the caller; its dimension is the one that is ready */
  int32_t is_optional;  /* 1: an input that may be left out */
  float scale;          /* what integers stand for: scale × (stored − zero_point); 0: for themselves, or by axis */
  int32_t zero_point;
} apus_tensor;

/* Tensors, or descriptions of such with NULL for `data`: one block, for apus_free(). Elements lie at multiples of 64 bytes. */
typedef struct apus_tensors {
  int64_t size;
  const apus_tensor *items;
  int64_t count;
} apus_tensors;

/* What a network takes, in order. Of a model that is open for "tensors".
 * network  "main" or the key of a signature of a file, "image" or "text" of a folder; NULL for the usual one. */
apus_status apus_inputs(apus_model *model, const char *network, apus_tensors **inputs, apus_error **error);

/* What a network gives, in order, for inputs of given shapes, for which it is made ready.
 * shapes  tensors of which `name`, `type`, `rank` and `dimensions` count; none: those that the model states.
 * Dimensions that only the elements of inputs decide are those that the model states. */
apus_status apus_outputs(apus_model *model, const char *network, const apus_tensor *shapes, int64_t count,
                         apus_tensors **outputs, apus_error **error);

/* Runs a network on inputs in the caller's memory, which is read where it is, and not after the call. Elements are copied
 * once, into the memory of the run; nothing is allocated or converted.
 * results  what is wanted of the outputs, by `name`, or without names the first ones in order. The elements are written to
 *          `data`, and `type`, `rank` and `dimensions` are set. Where `byte_count` is too small, it is set to what is needed,
 *          none of its elements is written, and the status is APUS_ARGUMENT. */
apus_status apus_run(apus_model *model, const char *network, const apus_tensor *inputs, int64_t input_count,
                     apus_tensor *results, int64_t result_count, const apus_call *call, apus_error **error);

/* Runs a network and gives all outputs in a block, whatever their shapes turn out to be. */
apus_status apus_run_all(apus_model *model, const char *network, const apus_tensor *inputs, int64_t input_count,
                         const apus_call *call, apus_tensors **results, apus_error **error);

/* --- Tokenizers ---------------------------------------------------------------------------------------------------- */

typedef struct apus_tokenizer apus_tokenizer;

/* The tokenizer of a model: a folder, a name in the cache, a tokenizer.json, vocab.txt, *.model or .tflite file. */
apus_status apus_tokenizer_open(const char *name, apus_tokenizer **tokenizer, apus_error **error);

void apus_tokenizer_release(apus_tokenizer *tokenizer);

/* A JSON object: "vocabulary_size", "maximum_length" or null, "special_tokens", "special_token_count", "padding_id" or null,
 * "notes". */
apus_status apus_tokenizer_json(apus_tokenizer *tokenizer, char **json, apus_error **error);

/* How texts are encoded. Zeros: no special tokens, no cut, no padding. */
typedef struct apus_encoding_options {
  int64_t size;
  int32_t adds_special_tokens; /* 1: those that models expect around a text */
  int32_t finds_offsets;       /* 1: where each token is from, which takes several times as long */
  int64_t maximum_length;      /* tokens at most, special ones included; 0: no cut; -1: what the tokenizer's files say */
  int64_t padded_length;       /* tokens at least; 0: no padding; -1: those of the longest text */
  int64_t padding_multiple;    /* the padded length is rounded up to a multiple of this; 0 or 1: it is not */
} apus_encoding_options;

/* A text in tokens. Arrays have `count` elements. */
typedef struct apus_encoding {
  int64_t size;
  int64_t count;
  const int32_t *ids;
  const int32_t *attention_mask; /* 1 for a token of the text or special, 0 for padding */
  const int32_t *token_types;
  const int32_t *special_tokens_mask; /* 1 for special tokens and padding */
  const int64_t *offsets;             /* pairs: the first byte in the text, and the one behind the last; NULL: not asked for, or
                                         not known to this tokenizer */
  int32_t was_truncated;
  int32_t reserved;
} apus_encoding;

/* Texts in tokens, in their order: one block, for apus_free(). */
typedef struct apus_encodings {
  int64_t size;
  const apus_encoding *items;
  int64_t count;
} apus_encodings;

/* Encodes texts, or pairs of texts.
 * pairs    the second text of each, or NULL.
 * options  NULL: with special tokens, and nothing else. */
apus_status apus_encode(apus_tokenizer *tokenizer, const apus_text *texts, const apus_text *pairs, int64_t count,
                        const apus_encoding_options *options, apus_encodings **encodings, apus_error **error);

/* The text of ids, of which those that stand for no token give nothing.
 * skips_special_tokens  1: special tokens are left out.
 * text    ends in NUL; for apus_free().
 * length  its bytes, for a text that holds NUL; may be NULL. */
apus_status apus_decode(apus_tokenizer *tokenizer, const int32_t *ids, int64_t count, int32_t skips_special_tokens,
                        char **text, int64_t *length, apus_error **error);

/* The id of a token of the vocabulary; -1 where there is none of that text. */
apus_status apus_token_id(apus_tokenizer *tokenizer, apus_text token, int32_t *id, apus_error **error);

/* The token of an id, for apus_free(); NULL where there is none. */
apus_status apus_token_text(apus_tokenizer *tokenizer, int32_t id, char **token, apus_error **error);

/* --- Monitor ------------------------------------------------------------------------------------------------------- */

/* What takes down how long models take. */
typedef struct apus_monitor apus_monitor;

apus_status apus_monitor_make(apus_monitor **monitor, apus_error **error);

void apus_monitor_release(apus_monitor *monitor);

/* Has the runs of a model taken down from now on under a name.
 * monitor              NULL: they no longer are.
 * target_milliseconds  what one run may take before an alert; 0 for no target. */
apus_status apus_monitor_watch(apus_monitor *monitor, apus_model *model, const char *name, double target_milliseconds,
                               apus_error **error);

/* What is known now, as a JSON object: times by model and stage (counts, mean, quantiles), memory, energy, alerts. */
apus_status apus_monitor_json(apus_monitor *monitor, char **json, apus_error **error);

/* --- Seal ---------------------------------------------------------------------------------------------------------- */

/* Seals the process: it, all its threads and all processes that it starts can open and use no socket from now on, which the
 * kernel sees to. That cannot be undone and holds for everything else in the process, so the library never does it by itself.
 * scope  "alone"; or "answering", which is left the sockets on which it listens already; NULL for "alone". */
apus_status apus_seal(const char *scope, apus_error **error);

/* What the kernel says of the seal, as a JSON object: "is_local", "is_sealed", "scope", "sockets" and more. */
apus_status apus_seal_json(char **json, apus_error **error);

#ifdef __cplusplus
} /* extern "C" */

template <typename Struct>
inline Struct apus_init() {
  Struct made = Struct();
  made.size = sizeof(Struct);
  return made;
}
#endif

#endif
