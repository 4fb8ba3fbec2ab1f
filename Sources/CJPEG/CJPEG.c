#include "CJPEG.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

struct apus_jpeg_decoder {
  struct jpeg_decompress_struct jpeg;
  struct jpeg_error_mgr errors;
  struct jpeg_source_mgr source;
  struct jpeg_progress_mgr progress;
  jmp_buf recovery;
  int32_t maximum_scans;
  int32_t status;
  size_t maximum_memory;
  const uint8_t *bytes;
  size_t count;
};

static void fail(j_common_ptr info) {
  apus_jpeg_decoder *decoder = info->client_data;
  if (decoder->status == APUS_JPEG_OK) {
    switch (info->err->msg_code) {
    case JERR_OUT_OF_MEMORY:
    case JERR_NO_BACKING_STORE: decoder->status = APUS_JPEG_NO_MEMORY; break;
    case JERR_SOF_UNSUPPORTED:
    case JERR_BAD_PRECISION:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_NOT_COMPILED: decoder->status = APUS_JPEG_UNSUPPORTED; break;
    default: decoder->status = APUS_JPEG_MALFORMED; break;
    }
  }
  longjmp(decoder->recovery, 1);
}

static void count_warning(j_common_ptr info, int level) {
  if (level < 0) info->err->num_warnings++;
}

static void stay_silent(j_common_ptr info) { (void)info; }
static void do_nothing(j_decompress_ptr jpeg) { (void)jpeg; }

/* Suspends instead of inventing an end-of-image marker, so that a cut file is known as one. */
static boolean no_more_input(j_decompress_ptr jpeg) {
  (void)jpeg;
  return FALSE;
}

static void skip_input(j_decompress_ptr jpeg, long count) {
  struct jpeg_source_mgr *source = jpeg->src;
  if (count <= 0) return;
  size_t step = (size_t)count < source->bytes_in_buffer ? (size_t)count : source->bytes_in_buffer;
  source->next_input_byte += step;
  source->bytes_in_buffer -= step;
}

static void check_scans(j_common_ptr info) {
  apus_jpeg_decoder *decoder = info->client_data;
  if (((j_decompress_ptr)info)->input_scan_number > decoder->maximum_scans) {
    decoder->status = APUS_JPEG_TOO_MANY_SCANS;
    longjmp(decoder->recovery, 1);
  }
}

static int32_t failed(apus_jpeg_decoder *decoder, apus_jpeg_header *header) {
  char text[JMSG_LENGTH_MAX] = "";
  if (decoder->errors.msg_code != 0) decoder->errors.format_message((j_common_ptr)&decoder->jpeg, text);
  snprintf(header->message, sizeof header->message, "%s", text);
  return decoder->status;
}

apus_jpeg_decoder *apus_jpeg_open(
  const uint8_t *bytes, size_t count, int32_t maximum_scans, size_t maximum_memory) {
  apus_jpeg_decoder *decoder = calloc(1, sizeof *decoder);
  if (!decoder) return NULL;
  decoder->bytes = bytes;
  decoder->count = count;
  decoder->maximum_scans = maximum_scans;
  decoder->maximum_memory = maximum_memory;
  decoder->jpeg.err = jpeg_std_error(&decoder->errors);
  decoder->errors.error_exit = fail;
  decoder->errors.emit_message = count_warning;
  decoder->errors.output_message = stay_silent;
  return decoder;
}

static int32_t colour_of(j_decompress_ptr jpeg) {
  switch (jpeg->jpeg_color_space) {
  case JCS_GRAYSCALE: return APUS_JPEG_GREY;
  case JCS_RGB: return APUS_JPEG_RGB;
  case JCS_YCbCr: return APUS_JPEG_YCBCR;
  case JCS_CMYK: return APUS_JPEG_CMYK;
  case JCS_YCCK: return APUS_JPEG_YCCK;
  default: return 0;
  }
}

int32_t apus_jpeg_read_header(apus_jpeg_decoder *decoder, apus_jpeg_header *header) {
  j_decompress_ptr jpeg = &decoder->jpeg;
  jpeg->client_data = decoder;
  if (setjmp(decoder->recovery)) return failed(decoder, header);
  jpeg_create_decompress(jpeg);
  jpeg->client_data = decoder;
  jpeg->mem->max_memory_to_use = (long)decoder->maximum_memory;
  decoder->source.next_input_byte = decoder->bytes;
  decoder->source.bytes_in_buffer = decoder->count;
  decoder->source.init_source = do_nothing;
  decoder->source.fill_input_buffer = no_more_input;
  decoder->source.skip_input_data = skip_input;
  decoder->source.resync_to_restart = jpeg_resync_to_restart;
  decoder->source.term_source = do_nothing;
  jpeg->src = &decoder->source;
  decoder->progress.progress_monitor = check_scans;
  jpeg->progress = &decoder->progress;
  int read;
  do { read = jpeg_read_header(jpeg, FALSE); } while (read == JPEG_HEADER_TABLES_ONLY);
  if (read == JPEG_SUSPENDED) return decoder->status = APUS_JPEG_TRUNCATED;
  header->width = jpeg->image_width;
  header->height = jpeg->image_height;
  header->channels = jpeg->num_components;
  header->colour = colour_of(jpeg);
  header->is_progressive = jpeg->progressive_mode;
  header->is_arithmetic = jpeg->arith_code;
  if (header->colour == 0) return decoder->status = APUS_JPEG_UNSUPPORTED;
  return APUS_JPEG_OK;
}

int32_t apus_jpeg_start(apus_jpeg_decoder *decoder, apus_jpeg_header *header, uint32_t reduction) {
  j_decompress_ptr jpeg = &decoder->jpeg;
  if (decoder->status != APUS_JPEG_OK) return decoder->status;
  if (setjmp(decoder->recovery)) return failed(decoder, header);
  switch (header->colour) {
  case APUS_JPEG_GREY: jpeg->out_color_space = JCS_GRAYSCALE; break;
  case APUS_JPEG_RGB:
  case APUS_JPEG_YCBCR: jpeg->out_color_space = JCS_RGB; break;
  default: jpeg->out_color_space = JCS_CMYK; break;
  }
  jpeg->dct_method = JDCT_ISLOW;
  jpeg->do_fancy_upsampling = TRUE;
  jpeg->scale_num = 1;
  jpeg->scale_denom = reduction;
  if (!jpeg_start_decompress(jpeg)) return decoder->status = APUS_JPEG_TRUNCATED;
  header->output_width = jpeg->output_width;
  header->output_height = jpeg->output_height;
  if (jpeg->output_components != header->channels ||
      jpeg->output_width != (header->width + reduction - 1) / reduction ||
      jpeg->output_height != (header->height + reduction - 1) / reduction) {
    return decoder->status = APUS_JPEG_UNSUPPORTED;
  }
  return APUS_JPEG_OK;
}

int32_t apus_jpeg_read_row(apus_jpeg_decoder *decoder, apus_jpeg_header *header, uint8_t *row) {
  j_decompress_ptr jpeg = &decoder->jpeg;
  if (decoder->status != APUS_JPEG_OK) return decoder->status;
  if (setjmp(decoder->recovery)) return failed(decoder, header);
  JSAMPROW rows[1] = {row};
  if (jpeg_read_scanlines(jpeg, rows, 1) != 1) return decoder->status = APUS_JPEG_TRUNCATED;
  header->warnings = (int32_t)decoder->errors.num_warnings;
  return APUS_JPEG_OK;
}

int32_t apus_jpeg_finish(apus_jpeg_decoder *decoder, apus_jpeg_header *header) {
  if (decoder->status != APUS_JPEG_OK) return decoder->status;
  if (setjmp(decoder->recovery)) return failed(decoder, header);
  if (!jpeg_finish_decompress(&decoder->jpeg)) return decoder->status = APUS_JPEG_TRUNCATED;
  header->warnings = (int32_t)decoder->errors.num_warnings;
  return APUS_JPEG_OK;
}

void apus_jpeg_close(apus_jpeg_decoder *decoder) {
  if (!decoder) return;
  /* Destroying calls back only to free memory; a decoder whose creation failed has no pools. */
  if (decoder->jpeg.mem) jpeg_destroy_decompress(&decoder->jpeg);
  free(decoder);
}
