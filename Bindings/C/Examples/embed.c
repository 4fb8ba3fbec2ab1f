/* Embeds two sentences and says how alike they are.
 *     cc embed.c $(pkg-config --cflags --libs apus) -o embed && ./embed MODEL "a quick bird" "a swift" */
#include <apus.h>
#include <stdio.h>
#include <stdlib.h>

static int failed(apus_error *error) {
  fprintf(stderr, "embed: %s\n", error ? error->message : "no memory");
  apus_free(error);
  return 1;
}

int main(int count, char **arguments) {
  if (count != 4 || apus_abi_version() != APUS_ABI_VERSION) return 2;
  apus_model *model = NULL;
  apus_error *error = NULL;
  if (apus_open(arguments[1], "text-embedding", NULL, NULL, &model, &error)) return failed(error);
  int64_t width = 0;
  if (apus_embedding_width(model, &width, &error)) return failed(error);
  apus_text texts[2] = {{arguments[2], -1}, {arguments[3], -1}};
  float *vectors = malloc(2 * (size_t)width * sizeof *vectors);
  float cosine = 0;
  if (apus_embed_texts(model, texts, 2, NULL, NULL, vectors, 2 * width, &error) ||
      apus_similarity(vectors, 1, vectors + width, 1, width, &cosine, &error))
    return failed(error);
  printf("%.4f\n", cosine);
  free(vectors);
  apus_model_release(model);
  return 0;
}
