#include "TIFF.h"
#include "CodecStatus.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// libtiff 4.x, ABI of libtiff.so.5 and libtiff.so.6: tiffio.h.

typedef struct tiff tiff_t;
typedef struct open_options open_options_t;

/* Values of tiff.h; tags before 65536 are those of the format. */
enum {
  TAG_WIDTH = 256,
  TAG_HEIGHT = 257,
  TAG_BITS = 258,
  TAG_COMPRESSION = 259,
  TAG_PHOTOMETRIC = 262,
  TAG_ORIENTATION = 274,
  TAG_SAMPLES = 277,
  TAG_PLANAR = 284,
  TAG_COLOUR_MAP = 320,
  TAG_TILE_WIDTH = 322,
  TAG_TILE_HEIGHT = 323,
  TAG_EXTRA_SAMPLES = 338,
  TAG_SAMPLE_FORMAT = 339,
  TAG_JPEG_COLOUR_MODE = 65538,
};
enum { PLANAR_SEPARATE = 2, JPEG_COLOUR_MODE_RGB = 1 };

typedef int64_t read_t(void *client, void *target, int64_t count);
typedef uint64_t seek_t(void *client, uint64_t offset, int origin);
typedef int close_client_t(void *client);
typedef uint64_t size_client_t(void *client);
typedef int map_t(void *client, void **base, uint64_t *size);
typedef void unmap_t(void *client, void *base, uint64_t size);
typedef int report_t(tiff_t *tiff, void *client, const char *module, const char *format, va_list arguments);

typedef tiff_t *open_t(
  const char *name, const char *mode, void *client, read_t *, read_t *, seek_t *, close_client_t *,
  size_client_t *, map_t *, unmap_t *);
typedef tiff_t *open_with_options_t(
  const char *name, const char *mode, void *client, read_t *, read_t *, seek_t *, close_client_t *,
  size_client_t *, map_t *, unmap_t *, open_options_t *);
typedef void close_t(tiff_t *);
typedef open_options_t *make_options_t(void);
typedef void free_options_t(open_options_t *);
typedef void limit_memory_t(open_options_t *, int64_t count);
typedef void set_report_t(open_options_t *, report_t *, void *client);
typedef int field_t(tiff_t *, uint32_t tag, ...);
typedef int is_tiled_t(tiff_t *);
typedef int64_t get_size_t(tiff_t *);
typedef int read_row_t(tiff_t *, void *row, uint32_t y, uint16_t plane);
typedef int64_t read_tile_t(tiff_t *, void *tile, uint32_t x, uint32_t y, uint32_t z, uint16_t plane);

struct apus_tiff_decoder {
  void *library;
  tiff_t *tiff;
  read_row_t *read_row;
  read_tile_t *read_tile;
  const uint8_t *bytes;
  size_t count;
  uint64_t position;
  size_t maximum_memory;
  int32_t is_short;
  int32_t errors;
  int32_t status;
  char message[256];
};

static int64_t read_bytes(void *client, void *target, int64_t count) {
  apus_tiff_decoder *decoder = client;
  if (count <= 0) return 0;
  const uint64_t rest = decoder->position < decoder->count ? decoder->count - decoder->position : 0;
  const uint64_t given = (uint64_t)count < rest ? (uint64_t)count : rest;
  if (given < (uint64_t)count) decoder->is_short = 1;
  memcpy(target, decoder->bytes + (rest ? decoder->position : 0), given);
  decoder->position += given;
  return (int64_t)given;
}

static int64_t refuse_to_write(void *client, void *source, int64_t count) {
  (void)client, (void)source, (void)count;
  return -1;
}

static uint64_t seek(void *client, uint64_t offset, int origin) {
  apus_tiff_decoder *decoder = client;
  uint64_t base = origin == SEEK_CUR ? decoder->position : origin == SEEK_END ? decoder->count : 0;
  if (offset > UINT64_MAX / 2 || base > UINT64_MAX / 2) return UINT64_MAX;
  decoder->position = base + offset;
  return decoder->position;
}

static int close_client(void *client) {
  (void)client;
  return 0;
}

static uint64_t size_of_client(void *client) {
  return ((apus_tiff_decoder *)client)->count;
}

static int refuse_to_map(void *client, void **base, uint64_t *size) {
  (void)client, (void)base, (void)size;
  return 0;
}

static void unmap(void *client, void *base, uint64_t size) {
  (void)client, (void)base, (void)size;
}

static int keep_error(tiff_t *tiff, void *client, const char *module, const char *format, va_list arguments) {
  (void)tiff, (void)module;
  apus_tiff_decoder *decoder = client;
  /* The first says most. */
  if (decoder->errors++ == 0) vsnprintf(decoder->message, sizeof decoder->message, format, arguments);
  return 1;
}

static int drop_warning(tiff_t *tiff, void *client, const char *module, const char *format, va_list arguments) {
  (void)tiff, (void)client, (void)module, (void)format, (void)arguments;
  return 1;
}

static int32_t failed(apus_tiff_decoder *decoder, apus_tiff_header *header) {
  memcpy(header->message, decoder->message, sizeof header->message);
  if (decoder->status == APUS_CODEC_OK) {
    decoder->status = strstr(decoder->message, "emory") ? APUS_CODEC_NO_MEMORY
                      : decoder->is_short               ? APUS_CODEC_TRUNCATED
                                                        : APUS_CODEC_MALFORMED;
  }
  return decoder->status;
}

apus_tiff_decoder *apus_tiff_open(void *library, const uint8_t *bytes, size_t count, size_t maximum_memory) {
  apus_tiff_decoder *decoder = calloc(1, sizeof *decoder);
  if (!decoder) return NULL;
  decoder->library = library;
  decoder->bytes = bytes;
  decoder->count = count;
  decoder->maximum_memory = maximum_memory;
  snprintf(decoder->message, sizeof decoder->message, "no reason given");
  return decoder;
}

/* Since libtiff 4.5 a file may have its own limit and its own reports; before, reports go to standard error. */
static open_options_t *make_options(apus_tiff_decoder *decoder) {
  make_options_t *make = (make_options_t *)dlsym(decoder->library, "TIFFOpenOptionsAlloc");
  limit_memory_t *limit = (limit_memory_t *)dlsym(decoder->library, "TIFFOpenOptionsSetMaxSingleMemAlloc");
  set_report_t *set_error = (set_report_t *)dlsym(decoder->library, "TIFFOpenOptionsSetErrorHandlerExtR");
  set_report_t *set_warning = (set_report_t *)dlsym(decoder->library, "TIFFOpenOptionsSetWarningHandlerExtR");
  open_options_t *options = make && limit && set_error && set_warning ? make() : NULL;
  if (!options) return NULL;
  limit(options, decoder->maximum_memory > INT64_MAX ? INT64_MAX : (int64_t)decoder->maximum_memory);
  set_error(options, keep_error, decoder);
  set_warning(options, drop_warning, decoder);
  return options;
}

static int open_file(apus_tiff_decoder *decoder) {
  /* For reading, not mapped into memory. */
  const char *mode = "rm";
  open_with_options_t *open_with = (open_with_options_t *)dlsym(decoder->library, "TIFFClientOpenExt");
  free_options_t *free_options = (free_options_t *)dlsym(decoder->library, "TIFFOpenOptionsFree");
  open_options_t *options = open_with && free_options ? make_options(decoder) : NULL;
  if (options) {
    decoder->tiff = open_with(
      "picture", mode, decoder, read_bytes, refuse_to_write, seek, close_client, size_of_client, refuse_to_map,
      unmap, options);
    free_options(options);
    return 1;
  }
  open_t *open = (open_t *)dlsym(decoder->library, "TIFFClientOpen");
  if (!open) return 0;
  decoder->tiff = open(
    "picture", mode, decoder, read_bytes, refuse_to_write, seek, close_client, size_of_client, refuse_to_map,
    unmap);
  return 1;
}

static void read_extra_samples(void *library, tiff_t *tiff, apus_tiff_header *header) {
  /* Without a default: what the file itself says. */
  field_t *get = (field_t *)dlsym(library, "TIFFGetField");
  uint16_t count = 0;
  uint16_t *kinds = NULL;
  if (!get || !get(tiff, TAG_EXTRA_SAMPLES, &count, &kinds) || !kinds) return;
  header->extra_count = count;
  for (uint16_t index = 0; index < count && index < sizeof header->extra / sizeof *header->extra; index++) {
    header->extra[index] = kinds[index];
  }
}

static void read_palette(field_t *get, tiff_t *tiff, apus_tiff_header *header) {
  uint16_t *channels[3] = {NULL, NULL, NULL};
  if (header->bits > 8 || !get(tiff, TAG_COLOUR_MAP, &channels[0], &channels[1], &channels[2])) return;
  if (!channels[0] || !channels[1] || !channels[2]) return;
  header->has_palette = 1;
  for (int channel = 0; channel < 3; channel++) {
    for (int index = 0; index < 1 << header->bits; index++) {
      header->palette[channel * 256 + index] = (uint8_t)(channels[channel][index] >> 8);
    }
  }
}

int32_t apus_tiff_read_header(apus_tiff_decoder *decoder, apus_tiff_header *header) {
  field_t *get = (field_t *)dlsym(decoder->library, "TIFFGetFieldDefaulted");
  is_tiled_t *is_tiled = (is_tiled_t *)dlsym(decoder->library, "TIFFIsTiled");
  if (!get || !is_tiled || !open_file(decoder)) return decoder->status = APUS_CODEC_UNUSABLE;
  if (!decoder->tiff) return failed(decoder, header);
  tiff_t *tiff = decoder->tiff;
  uint16_t planar = 0;
  if (!get(tiff, TAG_WIDTH, &header->width) || !get(tiff, TAG_HEIGHT, &header->height)) {
    snprintf(decoder->message, sizeof decoder->message, "no width or height");
    return failed(decoder, header);
  }
  get(tiff, TAG_BITS, &header->bits);
  get(tiff, TAG_SAMPLES, &header->samples);
  get(tiff, TAG_SAMPLE_FORMAT, &header->sample_format);
  get(tiff, TAG_COMPRESSION, &header->compression);
  /* Without the tag white is zero, which is what Pillow takes. */
  get(tiff, TAG_PHOTOMETRIC, &header->photometric);
  get(tiff, TAG_ORIENTATION, &header->orientation);
  get(tiff, TAG_PLANAR, &planar);
  header->is_separate = planar == PLANAR_SEPARATE && header->samples > 1;
  header->is_tiled = is_tiled(tiff) != 0;
  if (header->is_tiled) {
    get(tiff, TAG_TILE_WIDTH, &header->tile_width);
    get(tiff, TAG_TILE_HEIGHT, &header->tile_height);
  }
  read_extra_samples(decoder->library, tiff, header);
  if (header->photometric == APUS_TIFF_PALETTE) read_palette(get, tiff, header);
  /* libtiff does without tags that the file ends before, and guesses. */
  return decoder->is_short ? failed(decoder, header) : APUS_CODEC_OK;
}

int32_t apus_tiff_start(apus_tiff_decoder *decoder, apus_tiff_header *header) {
  if (decoder->status != APUS_CODEC_OK) return decoder->status;
  field_t *set = (field_t *)dlsym(decoder->library, "TIFFSetField");
  get_size_t *get_size =
    (get_size_t *)dlsym(decoder->library, header->is_tiled ? "TIFFTileSize" : "TIFFScanlineSize");
  decoder->read_row = (read_row_t *)dlsym(decoder->library, "TIFFReadScanline");
  decoder->read_tile = (read_tile_t *)dlsym(decoder->library, "TIFFReadTile");
  if (!set || !get_size || !decoder->read_row || !decoder->read_tile) {
    return decoder->status = APUS_CODEC_UNUSABLE;
  }
  if (header->photometric == APUS_TIFF_YCBCR && header->compression == APUS_TIFF_JPEG) {
    set(decoder->tiff, TAG_JPEG_COLOUR_MODE, JPEG_COLOUR_MODE_RGB);
  }
  const int64_t size = get_size(decoder->tiff);
  if (size <= 0) return failed(decoder, header);
  header->block_bytes = (size_t)size;
  return APUS_CODEC_OK;
}

static int32_t finished(apus_tiff_decoder *decoder, apus_tiff_header *header) {
  header->errors = decoder->errors;
  if (decoder->errors) memcpy(header->message, decoder->message, sizeof header->message);
  return APUS_CODEC_OK;
}

int32_t apus_tiff_read_row(
  apus_tiff_decoder *decoder, apus_tiff_header *header, uint32_t y, uint16_t plane, uint8_t *row) {
  if (decoder->status != APUS_CODEC_OK) return decoder->status;
  if (decoder->read_row(decoder->tiff, row, y, plane) != 1) return failed(decoder, header);
  return finished(decoder, header);
}

int32_t apus_tiff_read_tile(
  apus_tiff_decoder *decoder, apus_tiff_header *header, uint32_t x, uint32_t y, uint16_t plane, uint8_t *tile) {
  if (decoder->status != APUS_CODEC_OK) return decoder->status;
  if (decoder->read_tile(decoder->tiff, tile, x, y, 0, plane) < 0) return failed(decoder, header);
  return finished(decoder, header);
}

void apus_tiff_close(apus_tiff_decoder *decoder) {
  if (!decoder) return;
  close_t *close = (close_t *)dlsym(decoder->library, "TIFFClose");
  if (decoder->tiff && close) close(decoder->tiff);
  free(decoder);
}
