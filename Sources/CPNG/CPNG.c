#include "CPNG.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

struct apus_png_decoder {
  png_structp png;
  png_infop info;
  jmp_buf recovery;
  const uint8_t *bytes;
  size_t count;
  size_t position;
  uint32_t maximum_side;
  size_t maximum_chunk_memory;
  int32_t status;
  int32_t warnings;
  char message[256];
};

static void fail(png_structp png, png_const_charp message) {
  apus_png_decoder *decoder = png_get_error_ptr(png);
  if (decoder->status == APUS_PNG_OK) {
    decoder->status = strstr(message, "memory") ? APUS_PNG_NO_MEMORY : APUS_PNG_MALFORMED;
  }
  snprintf(decoder->message, sizeof decoder->message, "%s", message);
  longjmp(decoder->recovery, 1);
}

static void count_warning(png_structp png, png_const_charp message) {
  (void)message;
  apus_png_decoder *decoder = png_get_error_ptr(png);
  decoder->warnings++;
}

static void read_bytes(png_structp png, png_bytep target, size_t count) {
  apus_png_decoder *decoder = png_get_io_ptr(png);
  if (count > decoder->count - decoder->position) {
    decoder->status = APUS_PNG_TRUNCATED;
    png_error(png, "the data ends too early");
  }
  memcpy(target, decoder->bytes + decoder->position, count);
  decoder->position += count;
}

static int32_t failed(apus_png_decoder *decoder, apus_png_header *header) {
  memcpy(header->message, decoder->message, sizeof header->message);
  header->warnings = decoder->warnings;
  return decoder->status;
}

apus_png_decoder *apus_png_open(
  const uint8_t *bytes, size_t count, uint32_t maximum_side, size_t maximum_chunk_memory) {
  apus_png_decoder *decoder = calloc(1, sizeof *decoder);
  if (!decoder) return NULL;
  decoder->bytes = bytes;
  decoder->count = count;
  decoder->maximum_side = maximum_side;
  decoder->maximum_chunk_memory = maximum_chunk_memory;
  return decoder;
}

static void set_transparent_colour(apus_png_header *header, uint16_t red, uint16_t green, uint16_t blue) {
  header->has_transparent_colour = 1;
  header->transparent_colour[0] = red;
  header->transparent_colour[1] = green;
  header->transparent_colour[2] = blue;
}

/* The entry of the palette that is transparent where all others are opaque. */
static void find_transparent_entry(
  png_structp png, png_infop info, const png_byte *alphas, int count, apus_png_header *header) {
  png_colorp palette = NULL;
  int entries = 0;
  if (!alphas || !png_get_PLTE(png, info, &palette, &entries) || !palette) return;
  int found = -1;
  for (int entry = 0; entry < count; entry++) {
    if (alphas[entry] == 0xff) continue;
    if (alphas[entry] != 0 || found >= 0) return;
    found = entry;
  }
  if (found < 0 || found >= entries) return;
  set_transparent_colour(header, palette[found].red, palette[found].green, palette[found].blue);
}

static void find_transparent_colour(png_structp png, png_infop info, apus_png_header *header) {
  png_bytep alphas = NULL;
  int count = 0;
  png_color_16p samples = NULL;
  if (!png_get_tRNS(png, info, &alphas, &count, &samples)) return;
  if (header->colour_type == PNG_COLOR_TYPE_PALETTE) {
    find_transparent_entry(png, info, alphas, count, header);
  } else if (samples && header->colour_type == PNG_COLOR_TYPE_GRAY) {
    set_transparent_colour(header, samples->gray, samples->gray, samples->gray);
  } else if (samples && header->colour_type == PNG_COLOR_TYPE_RGB) {
    set_transparent_colour(header, samples->red, samples->green, samples->blue);
  }
}

int32_t apus_png_read_header(apus_png_decoder *decoder, apus_png_header *header) {
  if (setjmp(decoder->recovery)) return failed(decoder, header);
  decoder->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, decoder, fail, count_warning);
  if (decoder->png) decoder->info = png_create_info_struct(decoder->png);
  if (!decoder->info) return decoder->status = APUS_PNG_NO_MEMORY;
  png_structp png = decoder->png;
  png_set_read_fn(png, decoder, read_bytes);
  png_set_user_limits(png, decoder->maximum_side, decoder->maximum_side);
  png_set_chunk_malloc_max(png, decoder->maximum_chunk_memory);
  png_set_chunk_cache_max(png, 64);
  /* Text, profiles and the like are skipped undecompressed: only IHDR, PLTE, tRNS and IDAT matter here. */
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
  png_read_info(png, decoder->info);
  header->width = png_get_image_width(png, decoder->info);
  header->height = png_get_image_height(png, decoder->info);
  header->colour_type = png_get_color_type(png, decoder->info);
  header->bit_depth = png_get_bit_depth(png, decoder->info);
  header->is_interlaced = png_get_interlace_type(png, decoder->info) != PNG_INTERLACE_NONE;
  header->has_transparency = png_get_valid(png, decoder->info, PNG_INFO_tRNS) != 0;
  find_transparent_colour(png, decoder->info, header);
  header->warnings = decoder->warnings;
  return APUS_PNG_OK;
}

int32_t apus_png_start(apus_png_decoder *decoder, apus_png_header *header, int32_t layout) {
  if (decoder->status != APUS_PNG_OK) return decoder->status;
  if (setjmp(decoder->recovery)) return failed(decoder, header);
  png_structp png = decoder->png;
  if (layout != APUS_PNG_GREY16) {
    if (header->colour_type == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png);
    if (header->bit_depth == 16) png_set_strip_16(png);
    if (!(header->colour_type & PNG_COLOR_MASK_COLOR)) {
      if (header->bit_depth < 8) png_set_expand_gray_1_2_4_to_8(png);
      png_set_gray_to_rgb(png);
    }
    if (layout == APUS_PNG_RGBA) {
      if (header->has_transparency) png_set_tRNS_to_alpha(png);
      png_set_add_alpha(png, 0xff, PNG_FILLER_AFTER);
    } else {
      png_set_strip_alpha(png);
    }
  }
  header->passes = png_set_interlace_handling(png);
  png_read_update_info(png, decoder->info);
  header->row_bytes = png_get_rowbytes(png, decoder->info);
  header->warnings = decoder->warnings;
  return APUS_PNG_OK;
}

int32_t apus_png_read_row(apus_png_decoder *decoder, apus_png_header *header, uint8_t *row) {
  if (decoder->status != APUS_PNG_OK) return decoder->status;
  if (setjmp(decoder->recovery)) return failed(decoder, header);
  png_read_row(decoder->png, row, NULL);
  header->warnings = decoder->warnings;
  return APUS_PNG_OK;
}

int32_t apus_png_finish(apus_png_decoder *decoder, apus_png_header *header) {
  if (decoder->status != APUS_PNG_OK) return decoder->status;
  if (setjmp(decoder->recovery)) return failed(decoder, header);
  png_read_end(decoder->png, NULL);
  header->warnings = decoder->warnings;
  return APUS_PNG_OK;
}

void apus_png_close(apus_png_decoder *decoder) {
  if (!decoder) return;
  if (decoder->png) png_destroy_read_struct(&decoder->png, &decoder->info, NULL);
  free(decoder);
}
