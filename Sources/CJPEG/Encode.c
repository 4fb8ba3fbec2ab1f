#include "CJPEG.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>
#include <jerror.h>

typedef struct {
  struct jpeg_compress_struct jpeg;
  struct jpeg_error_mgr errors;
  struct jpeg_destination_mgr target;
  jmp_buf recovery;
  int32_t status;
} apus_jpeg_encoder;

static void fail(j_common_ptr info) {
  apus_jpeg_encoder *encoder = info->client_data;
  if (encoder->status == APUS_JPEG_OK) {
    encoder->status =
      info->err->msg_code == JERR_OUT_OF_MEMORY ? APUS_JPEG_NO_MEMORY : APUS_JPEG_UNSUPPORTED;
  }
  longjmp(encoder->recovery, 1);
}

static void stay_silent(j_common_ptr info) { (void)info; }
static void do_nothing(j_compress_ptr jpeg) { (void)jpeg; }

static boolean is_full(j_compress_ptr jpeg) {
  apus_jpeg_encoder *encoder = jpeg->client_data;
  encoder->status = APUS_JPEG_TOO_LARGE;
  longjmp(encoder->recovery, 1);
}

static void write_rows(apus_jpeg_encoder *encoder, const uint8_t *rgb, int32_t quality) {
  j_compress_ptr jpeg = &encoder->jpeg;
  jpeg->input_components = 3;
  jpeg->in_color_space = JCS_RGB;
  jpeg_set_defaults(jpeg);
  jpeg_set_quality(jpeg, quality, TRUE);
  jpeg->optimize_coding = TRUE;
  jpeg_start_compress(jpeg, TRUE);
  while (jpeg->next_scanline < jpeg->image_height) {
    /* libjpeg only reads the row, though its type does not say so. */
    JSAMPROW rows[1] = {(JSAMPROW)(rgb + (size_t)jpeg->next_scanline * jpeg->image_width * 3)};
    jpeg_write_scanlines(jpeg, rows, 1);
  }
  jpeg_finish_compress(jpeg);
}

int32_t apus_jpeg_write(
  const uint8_t *rgb, uint32_t width, uint32_t height, int32_t quality, uint8_t *bytes, size_t capacity,
  size_t *count) {
  apus_jpeg_encoder *encoder = calloc(1, sizeof *encoder);
  if (!encoder) return APUS_JPEG_NO_MEMORY;
  j_compress_ptr jpeg = &encoder->jpeg;
  jpeg->err = jpeg_std_error(&encoder->errors);
  jpeg->client_data = encoder;
  encoder->errors.error_exit = fail;
  encoder->errors.output_message = stay_silent;
  if (setjmp(encoder->recovery) == 0) {
    jpeg_create_compress(jpeg);
    encoder->target.next_output_byte = bytes;
    encoder->target.free_in_buffer = capacity;
    encoder->target.init_destination = do_nothing;
    encoder->target.empty_output_buffer = is_full;
    encoder->target.term_destination = do_nothing;
    jpeg->dest = &encoder->target;
    jpeg->image_width = width;
    jpeg->image_height = height;
    write_rows(encoder, rgb, quality);
    *count = capacity - encoder->target.free_in_buffer;
  }
  /* Destroying calls back only to free memory; an encoder whose creation failed has no pools. */
  if (jpeg->mem) jpeg_destroy_compress(jpeg);
  int32_t status = encoder->status;
  free(encoder);
  return status;
}
