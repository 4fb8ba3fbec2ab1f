#include "HEIF.h"
#include "CodecStatus.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// libheif 1.11 and later, ABI of libheif.so.1: libheif/heif.h.

typedef struct {
  int code;
  int subcode;
  const char *message;
} error_t;

enum {
  CODE_UNSUPPORTED_FILE = 3,
  CODE_UNSUPPORTED_FEATURE = 4,
  CODE_NO_MEMORY = 6,
  SUBCODE_END_OF_DATA = 100,
  SUBCODE_OVER_LIMIT = 1000,
};

/* Structures begin so in every version; those that came later are longer. The library makes them. */
typedef struct {
  uint8_t version;
  uint8_t ignore_transformations;
  void (*start_progress)(int, int, void *);
  void (*on_progress)(int, int, void *);
  void (*end_progress)(int, void *);
  void *progress_user_data;
  uint8_t convert_hdr_to_8bit;
} options_t;

typedef struct {
  uint8_t version;
  uint64_t max_image_size_pixels;
} security_limits_t;

enum { COLOUR_RGB = 1, CHROMA_INTERLEAVED_RGB = 10, CHROMA_INTERLEAVED_RGBA = 11, CHANNEL_INTERLEAVED = 10 };

typedef void *make_t(void);
typedef void free_t(void *);
typedef error_t read_memory_t(void *context, const void *bytes, size_t count, const void *options);
typedef error_t get_primary_t(void *context, void **handle);
typedef int get_number_t(const void *);
typedef int get_side_t(const void *image, int channel);
typedef error_t decode_t(const void *handle, void **image, int colour, int chroma, const options_t *options);
typedef const uint8_t *get_plane_t(const void *image, int channel, int *row_bytes);
typedef int get_warnings_t(void *image, int first, error_t *warnings, int capacity);
typedef security_limits_t *get_limits_t(void *context);
typedef int have_decoder_t(int codec);
typedef int get_items_t(const void *handle, const char *type, uint32_t *items, int capacity);
typedef size_t get_size_t(const void *handle, uint32_t item);
typedef error_t get_item_t(const void *handle, uint32_t item, void *target);

/* The functions without which nothing goes, by the names that the library has for them. */
typedef struct {
  make_t *make_context, *make_options;
  free_t *free_context, *free_handle, *free_image, *free_options;
  read_memory_t *read_memory;
  get_primary_t *get_primary;
  get_number_t *width, *height, *stored_width, *stored_height, *bits, *has_alpha;
  decode_t *decode;
  get_side_t *image_width, *image_height;
  get_plane_t *get_plane;
} functions_t;

static int find_functions(void *library, functions_t *functions) {
  const struct {
    void **place;
    const char *name;
  } wanted[] = {
    {(void **)&functions->make_context, "heif_context_alloc"},
    {(void **)&functions->make_options, "heif_decoding_options_alloc"},
    {(void **)&functions->free_context, "heif_context_free"},
    {(void **)&functions->free_handle, "heif_image_handle_release"},
    {(void **)&functions->free_image, "heif_image_release"},
    {(void **)&functions->free_options, "heif_decoding_options_free"},
    {(void **)&functions->read_memory, "heif_context_read_from_memory_without_copy"},
    {(void **)&functions->get_primary, "heif_context_get_primary_image_handle"},
    {(void **)&functions->width, "heif_image_handle_get_width"},
    {(void **)&functions->height, "heif_image_handle_get_height"},
    {(void **)&functions->stored_width, "heif_image_handle_get_ispe_width"},
    {(void **)&functions->stored_height, "heif_image_handle_get_ispe_height"},
    {(void **)&functions->bits, "heif_image_handle_get_luma_bits_per_pixel"},
    {(void **)&functions->has_alpha, "heif_image_handle_has_alpha_channel"},
    {(void **)&functions->decode, "heif_decode_image"},
    {(void **)&functions->image_width, "heif_image_get_width"},
    {(void **)&functions->image_height, "heif_image_get_height"},
    {(void **)&functions->get_plane, "heif_image_get_plane_readonly"},
  };
  for (size_t index = 0; index < sizeof wanted / sizeof *wanted; index++) {
    *wanted[index].place = dlsym(library, wanted[index].name);
    if (!*wanted[index].place) return 0;
  }
  return 1;
}

struct apus_heif_decoder {
  void *library;
  functions_t functions;
  void *context;
  void *handle;
  void *image;
  const uint8_t *plane;
  int row_bytes;
  const uint8_t *bytes;
  size_t count;
  uint64_t maximum_pixels;
  int32_t status;
};

static int32_t failed(apus_heif_decoder *decoder, apus_heif_header *header, error_t error) {
  snprintf(header->message, sizeof header->message, "%s", error.message ? error.message : "no reason given");
  /* Some end in a new line. */
  header->message[strcspn(header->message, "\n")] = 0;
  switch (error.code) {
    case CODE_UNSUPPORTED_FILE:
    case CODE_UNSUPPORTED_FEATURE: decoder->status = APUS_CODEC_UNSUPPORTED; break;
    case CODE_NO_MEMORY:
      decoder->status = error.subcode == SUBCODE_OVER_LIMIT ? APUS_CODEC_MALFORMED : APUS_CODEC_NO_MEMORY;
      break;
    default:
      decoder->status =
        error.subcode == SUBCODE_END_OF_DATA ? APUS_CODEC_TRUNCATED : APUS_CODEC_MALFORMED;
  }
  return decoder->status;
}

apus_heif_decoder *apus_heif_open(void *library, const uint8_t *bytes, size_t count, uint64_t maximum_pixels) {
  apus_heif_decoder *decoder = calloc(1, sizeof *decoder);
  if (!decoder) return NULL;
  decoder->library = library;
  decoder->bytes = bytes;
  decoder->count = count;
  decoder->maximum_pixels = maximum_pixels;
  return decoder;
}

int32_t apus_heif_read_header(apus_heif_decoder *decoder, apus_heif_header *header) {
  functions_t *functions = &decoder->functions;
  if (!find_functions(decoder->library, functions)) return decoder->status = APUS_CODEC_UNUSABLE;
  decoder->context = functions->make_context();
  if (!decoder->context) return decoder->status = APUS_CODEC_NO_MEMORY;
  /* Since 1.19: what one coded picture may have at most. Earlier versions have a limit of their own. */
  get_limits_t *get_limits = (get_limits_t *)dlsym(decoder->library, "heif_context_get_security_limits");
  security_limits_t *limits = get_limits ? get_limits(decoder->context) : NULL;
  if (limits) limits->max_image_size_pixels = decoder->maximum_pixels;
  error_t error = functions->read_memory(decoder->context, decoder->bytes, decoder->count, NULL);
  if (error.code) return failed(decoder, header, error);
  error = functions->get_primary(decoder->context, &decoder->handle);
  if (error.code || !decoder->handle) return failed(decoder, header, error);
  header->width = functions->width(decoder->handle);
  header->height = functions->height(decoder->handle);
  header->stored_width = functions->stored_width(decoder->handle);
  header->stored_height = functions->stored_height(decoder->handle);
  header->bits = functions->bits(decoder->handle);
  header->has_alpha = functions->has_alpha(decoder->handle) != 0;
  get_number_t *is_premultiplied =
    (get_number_t *)dlsym(decoder->library, "heif_image_handle_is_premultiplied_alpha");
  header->is_premultiplied = is_premultiplied && is_premultiplied(decoder->handle) != 0;
  return APUS_CODEC_OK;
}

/* The identifier of the first EXIF item; 0 where there is none. */
static uint32_t exif_item(apus_heif_decoder *decoder) {
  get_items_t *get_items = (get_items_t *)dlsym(decoder->library, "heif_image_handle_get_list_of_metadata_block_IDs");
  uint32_t item = 0;
  if (decoder->status != APUS_CODEC_OK || !get_items) return 0;
  return get_items(decoder->handle, "Exif", &item, 1) == 1 ? item : 0;
}

size_t apus_heif_exif_size(apus_heif_decoder *decoder) {
  get_size_t *get_size = (get_size_t *)dlsym(decoder->library, "heif_image_handle_get_metadata_size");
  const uint32_t item = exif_item(decoder);
  return get_size && item ? get_size(decoder->handle, item) : 0;
}

int32_t apus_heif_copy_exif(apus_heif_decoder *decoder, uint8_t *target) {
  get_item_t *get_item = (get_item_t *)dlsym(decoder->library, "heif_image_handle_get_metadata");
  const uint32_t item = exif_item(decoder);
  return get_item && item && get_item(decoder->handle, item, target).code == 0;
}

int32_t apus_heif_decode(apus_heif_decoder *decoder, apus_heif_header *header, int32_t with_alpha) {
  if (decoder->status != APUS_CODEC_OK) return decoder->status;
  const functions_t *functions = &decoder->functions;
  options_t *options = functions->make_options();
  if (!options) return decoder->status = APUS_CODEC_NO_MEMORY;
  if (options->version >= 2) options->convert_hdr_to_8bit = 1;
  const error_t error = functions->decode(
    decoder->handle, &decoder->image, COLOUR_RGB,
    with_alpha ? CHROMA_INTERLEAVED_RGBA : CHROMA_INTERLEAVED_RGB, options);
  functions->free_options(options);
  if (error.code || !decoder->image) return failed(decoder, header, error);
  const int channels = with_alpha ? 4 : 3;
  decoder->plane = functions->get_plane(decoder->image, CHANNEL_INTERLEAVED, &decoder->row_bytes);
  if (
    !decoder->plane || functions->image_width(decoder->image, CHANNEL_INTERLEAVED) != header->width ||
    functions->image_height(decoder->image, CHANNEL_INTERLEAVED) != header->height ||
    decoder->row_bytes / channels < header->width) {
    const error_t other = {0, 0, "the picture has another size than the file states"};
    return failed(decoder, header, other);
  }
  get_warnings_t *get_warnings = (get_warnings_t *)dlsym(decoder->library, "heif_image_get_decoding_warnings");
  header->warnings = get_warnings ? get_warnings(decoder->image, 0, NULL, 0) : 0;
  return APUS_CODEC_OK;
}

void apus_heif_copy_row(apus_heif_decoder *decoder, int32_t y, uint8_t *target, size_t count) {
  memcpy(target, decoder->plane + (size_t)y * (size_t)decoder->row_bytes, count);
}

void apus_heif_close(apus_heif_decoder *decoder) {
  if (!decoder) return;
  if (decoder->image) decoder->functions.free_image(decoder->image);
  if (decoder->handle) decoder->functions.free_handle(decoder->handle);
  if (decoder->context) decoder->functions.free_context(decoder->context);
  free(decoder);
}

int32_t apus_heif_decodes(void *library, int32_t codec) {
  have_decoder_t *have_decoder = (have_decoder_t *)dlsym(library, "heif_have_decoder_for_format");
  return have_decoder && have_decoder(codec) != 0;
}
