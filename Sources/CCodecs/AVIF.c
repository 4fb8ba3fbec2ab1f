#include "AVIF.h"
#include "CodecStatus.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// libavif 0.11, ABI of libavif.so.15, and 1.x, ABI of libavif.so.16: avif/avif.h. The structures are made by the library;
// what follows the fields that are named here is not touched.

/* What both begin with. */
#define IMAGE_START \
  uint32_t width, height, bits; \
  int format, range, chroma_position; \
  uint8_t *planes[3]; \
  uint32_t row_bytes[3]; \
  int owns_planes; \
  uint8_t *alpha; \
  uint32_t alpha_row_bytes; \
  int owns_alpha; \
  int is_premultiplied; \
  struct { \
    uint8_t *bytes; \
    size_t count; \
  } profile; \
  uint16_t primaries, transfer, matrix

#define IMAGE_TURNS \
  uint32_t turns; \
  uint32_t pixel_aspect[2]; \
  uint32_t aperture[8]; \
  uint8_t angle; \
  uint8_t axis; \
  struct { \
    const uint8_t *bytes; \
    size_t count; \
  } exif

typedef struct {
  IMAGE_START;
  IMAGE_TURNS;
} image_0_t;

typedef struct {
  IMAGE_START;
  uint16_t light_levels[2];
  IMAGE_TURNS;
} image_1_t;

typedef struct {
  int codec;
  int maximum_threads;
  int source;
  int allows_progressive;
  int allows_incremental;
  int ignores_exif;
  int ignores_xmp;
  uint32_t maximum_pixels;
  uint32_t maximum_side;
  uint32_t maximum_images;
  uint32_t strictness;
  image_0_t *image;
} decoder_t;

enum { RANGE_FULL = 1 };
enum { FORMAT_444 = 1, FORMAT_422 = 2, FORMAT_420 = 3, FORMAT_GREY = 4 };
enum { HAS_ROTATION = 1 << 2, HAS_MIRROR = 1 << 3 };
/* A missing `pixi` property, and a crop that makes no sense, are passed over, as Pillow does. */
enum { STRICT_PIXI = 1 << 0, STRICT_CROP = 1 << 1 };
enum {
  RESULT_OK = 0,
  RESULT_UNSUPPORTED_DEPTH = 6,
  RESULT_NO_CODEC = 15,
  RESULT_TRUNCATED = 20,
  RESULT_NOT_IMPLEMENTED = 25,
  RESULT_NO_MEMORY = 26,
};

typedef decoder_t *make_t(void);
typedef void free_t(decoder_t *);
typedef int set_memory_t(decoder_t *, const uint8_t *bytes, size_t count);
typedef int step_t(decoder_t *);
typedef const char *result_text_t(int result);
typedef const char *version_t(void);

struct apus_avif_decoder {
  void *library;
  decoder_t *decoder;
  const uint8_t *bytes;
  size_t count;
  uint32_t maximum_pixels;
  int32_t with_exif;
  int32_t status;
};

static int32_t failed(apus_avif_decoder *decoder, apus_avif_header *header, int result) {
  result_text_t *text_of = (result_text_t *)dlsym(decoder->library, "avifResultToString");
  snprintf(header->message, sizeof header->message, "%s", text_of ? text_of(result) : "no reason given");
  switch (result) {
    case RESULT_TRUNCATED: return decoder->status = APUS_CODEC_TRUNCATED;
    case RESULT_NO_MEMORY: return decoder->status = APUS_CODEC_NO_MEMORY;
    case RESULT_UNSUPPORTED_DEPTH:
    case RESULT_NO_CODEC:
    case RESULT_NOT_IMPLEMENTED: return decoder->status = APUS_CODEC_UNSUPPORTED;
    default: return decoder->status = APUS_CODEC_MALFORMED;
  }
}

apus_avif_decoder *apus_avif_open(
  void *library, const uint8_t *bytes, size_t count, uint32_t maximum_pixels, int32_t with_exif) {
  apus_avif_decoder *decoder = calloc(1, sizeof *decoder);
  if (!decoder) return NULL;
  decoder->library = library;
  decoder->bytes = bytes;
  decoder->count = count;
  decoder->maximum_pixels = maximum_pixels;
  decoder->with_exif = with_exif;
  return decoder;
}

/* The EXIF value for a turn anticlockwise by quarters and then a mirroring: axis 0 swaps top and bottom, 1 left and
   right. */
static int32_t orientation_of(uint32_t turns, uint8_t angle, uint8_t axis) {
  static const int32_t turned[4] = {1, 8, 3, 6};
  static const int32_t mirrored[4][2] = {{4, 2}, {5, 7}, {2, 4}, {7, 5}};
  const int quarters = turns & HAS_ROTATION ? angle & 3 : 0;
  return turns & HAS_MIRROR ? mirrored[quarters][axis & 1] : turned[quarters];
}

/* Whether the library's structures are those before 1.0. */
static int is_early(void *library) {
  version_t *version = (version_t *)dlsym(library, "avifVersion");
  const char *number = version ? version() : NULL;
  return number && number[0] == '0';
}

static void read_orientation(apus_avif_decoder *decoder, apus_avif_header *header) {
  const image_0_t *image = decoder->decoder->image;
  const image_1_t *later = (const image_1_t *)image;
  header->orientation = is_early(decoder->library) ? orientation_of(image->turns, image->angle, image->axis)
                                                   : orientation_of(later->turns, later->angle, later->axis);
}

const uint8_t *apus_avif_exif(apus_avif_decoder *decoder, size_t *count) {
  if (decoder->status != APUS_CODEC_OK || !decoder->with_exif) return NULL;
  const image_0_t *image = decoder->decoder->image;
  const image_1_t *later = (const image_1_t *)image;
  const int early = is_early(decoder->library);
  *count = early ? image->exif.count : later->exif.count;
  return early ? image->exif.bytes : later->exif.bytes;
}

int32_t apus_avif_read_header(apus_avif_decoder *decoder, apus_avif_header *header) {
  make_t *make = (make_t *)dlsym(decoder->library, "avifDecoderCreate");
  set_memory_t *set_memory = (set_memory_t *)dlsym(decoder->library, "avifDecoderSetIOMemory");
  step_t *parse = (step_t *)dlsym(decoder->library, "avifDecoderParse");
  if (!make || !set_memory || !parse || !dlsym(decoder->library, "avifDecoderDestroy")) {
    return decoder->status = APUS_CODEC_UNUSABLE;
  }
  decoder->decoder = make();
  if (!decoder->decoder) return decoder->status = APUS_CODEC_NO_MEMORY;
  decoder->decoder->ignores_exif = !decoder->with_exif;
  decoder->decoder->ignores_xmp = 1;
  /* It may only be lowered. */
  if (decoder->maximum_pixels < decoder->decoder->maximum_pixels) {
    decoder->decoder->maximum_pixels = decoder->maximum_pixels;
  }
  decoder->decoder->strictness &= ~(uint32_t)(STRICT_PIXI | STRICT_CROP);
  int result = set_memory(decoder->decoder, decoder->bytes, decoder->count);
  if (result == RESULT_OK) result = parse(decoder->decoder);
  if (result != RESULT_OK) return failed(decoder, header, result);
  if (!decoder->decoder->image) return failed(decoder, header, -1);
  header->width = decoder->decoder->image->width;
  header->height = decoder->decoder->image->height;
  read_orientation(decoder, header);
  return APUS_CODEC_OK;
}

static void describe(const image_0_t *image, apus_avif_header *header) {
  header->bits = image->bits;
  header->is_full_range = image->range == RANGE_FULL;
  header->primaries = image->primaries;
  header->matrix = image->matrix;
  header->has_alpha = image->alpha != NULL;
  header->is_premultiplied = image->is_premultiplied != 0;
  if (image->format != FORMAT_GREY) {
    header->chroma_width = image->format == FORMAT_444 ? image->width : (image->width + 1) / 2;
    header->chroma_height = image->format == FORMAT_420 ? (image->height + 1) / 2 : image->height;
  }
}

/* Whether the planes are what the format promises. */
static int is_sound(const image_0_t *image, const apus_avif_header *header) {
  if (image->format < FORMAT_444 || image->format > FORMAT_GREY) return 0;
  if (image->bits != 8 && image->bits != 10 && image->bits != 12) return 0;
  const uint64_t sample = image->bits > 8 ? 2 : 1;
  if (!image->planes[0] || image->row_bytes[0] < header->width * sample) return 0;
  for (int plane = 1; plane < 3 && header->chroma_width; plane++) {
    if (!image->planes[plane] || image->row_bytes[plane] < header->chroma_width * sample) return 0;
  }
  return !image->alpha || image->alpha_row_bytes >= header->width * sample;
}

int32_t apus_avif_decode(apus_avif_decoder *decoder, apus_avif_header *header) {
  if (decoder->status != APUS_CODEC_OK) return decoder->status;
  step_t *next = (step_t *)dlsym(decoder->library, "avifDecoderNextImage");
  if (!next) return decoder->status = APUS_CODEC_UNUSABLE;
  const int result = next(decoder->decoder);
  if (result != RESULT_OK) return failed(decoder, header, result);
  const image_0_t *image = decoder->decoder->image;
  if (image->width != header->width || image->height != header->height) return failed(decoder, header, -1);
  describe(image, header);
  return is_sound(image, header) ? APUS_CODEC_OK : failed(decoder, header, -1);
}

void apus_avif_copy_row(apus_avif_decoder *decoder, int32_t plane, uint32_t y, uint8_t *target, size_t count) {
  const image_0_t *image = decoder->decoder->image;
  const uint8_t *rows = plane == APUS_AVIF_ALPHA ? image->alpha : image->planes[plane];
  const uint32_t row_bytes = plane == APUS_AVIF_ALPHA ? image->alpha_row_bytes : image->row_bytes[plane];
  memcpy(target, rows + (size_t)y * row_bytes, count);
}

void apus_avif_close(apus_avif_decoder *decoder) {
  if (!decoder) return;
  free_t *release = (free_t *)dlsym(decoder->library, "avifDecoderDestroy");
  if (decoder->decoder && release) release(decoder->decoder);
  free(decoder);
}
