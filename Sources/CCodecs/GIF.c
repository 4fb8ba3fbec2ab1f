#include "GIF.h"
#include "CodecStatus.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// giflib 5.1 and 5.2, ABI of libgif.so.7: gif_lib.h.

typedef struct {
  uint8_t red, green, blue;
} colour_t;

typedef struct {
  int count;
  int bits;
  bool is_sorted;
  colour_t *colours;
} palette_t;

typedef struct {
  int left, top, width, height;
  bool is_interlaced;
  palette_t *palette;
} description_t;

typedef struct {
  int screen_width, screen_height;
  int resolution;
  int background;
  uint8_t aspect;
  palette_t *palette;
  int image_count;
  description_t image;
  void *saved_images;
  int extension_count;
  void *extensions;
  int error;
  void *user_data;
  void *private_data;
} gif_t;

enum { GIF_FAILED = 0, READ_FAILED = 102, NO_MEMORY = 109, ENDS_TOO_SOON = 113 };
enum { IMAGE_RECORD = 2, EXTENSION_RECORD = 3, TERMINATE_RECORD = 4 };
enum { GRAPHICS_CONTROL = 0xf9 };

typedef int read_t(gif_t *, uint8_t *, int);
typedef gif_t *open_t(void *, read_t *, int *error);
typedef int close_t(gif_t *, int *error);
typedef int get_record_t(gif_t *, int *type);
typedef int get_image_t(gif_t *);
typedef int get_extension_t(gif_t *, int *code, uint8_t **block);
typedef int get_extension_next_t(gif_t *, uint8_t **block);
typedef int get_line_t(gif_t *, uint8_t *line, int count);
typedef const char *error_string_t(int error);

struct apus_gif_decoder {
  void *library;
  gif_t *gif;
  get_line_t *get_line;
  const uint8_t *bytes;
  size_t count;
  size_t position;
  int32_t status;
};

static int read_bytes(gif_t *gif, uint8_t *target, int count) {
  apus_gif_decoder *decoder = gif->user_data;
  size_t rest = decoder->count - decoder->position;
  size_t given = count < 0 ? 0 : (size_t)count < rest ? (size_t)count : rest;
  memcpy(target, decoder->bytes + decoder->position, given);
  decoder->position += given;
  return (int)given;
}

static int32_t failed(apus_gif_decoder *decoder, apus_gif_header *header, int error) {
  error_string_t *text_of = (error_string_t *)dlsym(decoder->library, "GifErrorString");
  const char *text = text_of ? text_of(error) : NULL;
  snprintf(header->message, sizeof header->message, "%s", text ? text : "no reason given");
  decoder->status = error == NO_MEMORY                                 ? APUS_CODEC_NO_MEMORY
                    : error == READ_FAILED && decoder->position == decoder->count ? APUS_CODEC_TRUNCATED
                                                                       : APUS_CODEC_MALFORMED;
  return decoder->status;
}

apus_gif_decoder *apus_gif_open(void *library, const uint8_t *bytes, size_t count) {
  apus_gif_decoder *decoder = calloc(1, sizeof *decoder);
  if (!decoder) return NULL;
  decoder->library = library;
  decoder->bytes = bytes;
  decoder->count = count;
  return decoder;
}

/* Reads all blocks of an extension, and what the graphics control says of transparency. */
static bool read_extension(apus_gif_decoder *decoder, apus_gif_header *header) {
  get_extension_t *first = (get_extension_t *)dlsym(decoder->library, "DGifGetExtension");
  get_extension_next_t *next = (get_extension_next_t *)dlsym(decoder->library, "DGifGetExtensionNext");
  if (!first || !next) return false;
  int code = 0;
  uint8_t *block = NULL;
  if (first(decoder->gif, &code, &block) == GIF_FAILED) return false;
  /* A block begins with its length. */
  if (code == GRAPHICS_CONTROL && block && block[0] >= 4 && block[1] & 1) header->transparent = block[4];
  while (block) {
    if (next(decoder->gif, &block) == GIF_FAILED) return false;
  }
  return true;
}

static void describe(const gif_t *gif, apus_gif_header *header) {
  header->left = gif->image.left;
  header->top = gif->image.top;
  header->width = gif->image.width;
  header->height = gif->image.height;
  header->is_interlaced = gif->image.is_interlaced;
  const palette_t *palette = gif->image.palette ? gif->image.palette : gif->palette;
  if (!palette || !palette->colours || palette->count < 0) return;
  header->palette_count = palette->count < 256 ? palette->count : 256;
  for (int index = 0; index < header->palette_count; index++) {
    const colour_t colour = palette->colours[index];
    header->palette[index * 3] = colour.red;
    header->palette[index * 3 + 1] = colour.green;
    header->palette[index * 3 + 2] = colour.blue;
  }
}

int32_t apus_gif_read_header(apus_gif_decoder *decoder, apus_gif_header *header) {
  open_t *open = (open_t *)dlsym(decoder->library, "DGifOpen");
  get_record_t *get_record = (get_record_t *)dlsym(decoder->library, "DGifGetRecordType");
  get_image_t *get_image = (get_image_t *)dlsym(decoder->library, "DGifGetImageDesc");
  decoder->get_line = (get_line_t *)dlsym(decoder->library, "DGifGetLine");
  if (!open || !get_record || !get_image || !decoder->get_line) return decoder->status = APUS_CODEC_UNUSABLE;
  int error = 0;
  header->transparent = -1;
  decoder->gif = open(decoder, read_bytes, &error);
  if (!decoder->gif) return failed(decoder, header, error);
  header->screen_width = decoder->gif->screen_width;
  header->screen_height = decoder->gif->screen_height;
  for (;;) {
    int type = 0;
    if (get_record(decoder->gif, &type) == GIF_FAILED) return failed(decoder, header, decoder->gif->error);
    if (type == IMAGE_RECORD) break;
    if (type == TERMINATE_RECORD) return decoder->status = APUS_CODEC_UNSUPPORTED;
    if (type == EXTENSION_RECORD && !read_extension(decoder, header)) {
      return failed(decoder, header, decoder->gif->error);
    }
  }
  if (get_image(decoder->gif) == GIF_FAILED) return failed(decoder, header, decoder->gif->error);
  describe(decoder->gif, header);
  return APUS_CODEC_OK;
}

int32_t apus_gif_read_row(apus_gif_decoder *decoder, apus_gif_header *header, uint8_t *row) {
  if (decoder->status != APUS_CODEC_OK) return decoder->status;
  if (!decoder->gif || decoder->get_line(decoder->gif, row, header->width) == GIF_FAILED) {
    return failed(decoder, header, decoder->gif ? decoder->gif->error : 0);
  }
  return APUS_CODEC_OK;
}

void apus_gif_close(apus_gif_decoder *decoder) {
  if (!decoder) return;
  close_t *close = (close_t *)dlsym(decoder->library, "DGifCloseFile");
  int error = 0;
  if (decoder->gif && close) close(decoder->gif, &error);
  free(decoder);
}
