#ifndef APUS_CJPEG_H
#define APUS_CJPEG_H

#include <stddef.h>
#include <stdint.h>

/// What a call ended with; everything but `APUS_JPEG_OK` leaves a message in the header.
enum {
  APUS_JPEG_OK = 0,
  /// libjpeg reported an error.
  APUS_JPEG_MALFORMED = 1,
  /// The bytes ended before the picture did.
  APUS_JPEG_TRUNCATED = 2,
  /// More scans than allowed.
  APUS_JPEG_TOO_MANY_SCANS = 3,
  /// More components than a picture has, or a kind of JPEG that libjpeg does not decode.
  APUS_JPEG_UNSUPPORTED = 4,
  /// No memory, or the memory limit was reached.
  APUS_JPEG_NO_MEMORY = 5,
  /// A file to be written is longer than allowed.
  APUS_JPEG_TOO_LARGE = 6,
};

/// What the file is stored as.
enum {
  APUS_JPEG_GREY = 1,
  APUS_JPEG_RGB = 2,
  APUS_JPEG_YCBCR = 3,
  APUS_JPEG_CMYK = 4,
  APUS_JPEG_YCCK = 5,
};

typedef struct {
  uint32_t width;
  uint32_t height;
  /// The sides that are decoded, set by `apus_jpeg_start`.
  uint32_t output_width;
  uint32_t output_height;
  /// Bytes for each pixel that `apus_jpeg_read_row` writes: 1 grey, 3 RGB, 4 CMYK as stored.
  int32_t channels;
  int32_t colour;
  int32_t is_progressive;
  /// Whether it is coded arithmetically instead of by Huffman codes.
  int32_t is_arithmetic;
  int32_t warnings;
  char message[256];
} apus_jpeg_header;

typedef struct apus_jpeg_decoder apus_jpeg_decoder;

/// A decoder over bytes that the caller keeps alive; NULL when there is no memory.
apus_jpeg_decoder *apus_jpeg_open(
  const uint8_t *bytes, size_t count, int32_t maximum_scans, size_t maximum_memory);
/// Reads up to the first scan and fills `header`; nothing in proportion to the picture is allocated.
int32_t apus_jpeg_read_header(apus_jpeg_decoder *decoder, apus_jpeg_header *header);
/// Prepares for rows; reads all scans of a progressive file. Sides are divided by `reduction`, which is 1, 2, 4 or 8, and
/// rounded up.
int32_t apus_jpeg_start(apus_jpeg_decoder *decoder, apus_jpeg_header *header, uint32_t reduction);
/// Writes the next row of `output_width` × `channels` bytes.
int32_t apus_jpeg_read_row(apus_jpeg_decoder *decoder, apus_jpeg_header *header, uint8_t *row);
/// Reads on from the last row to the end of the picture: only there does libjpeg notice a scan with too much data, or
/// one that something else than an end follows. `APUS_JPEG_TRUNCATED` when there is no end.
int32_t apus_jpeg_finish(apus_jpeg_decoder *decoder, apus_jpeg_header *header);
/// Frees the decoder, in any state.
void apus_jpeg_close(apus_jpeg_decoder *decoder);

/// Writes `width` × `height` × 3 bytes of RGB as a baseline JPEG of quality 1…100 into `bytes`, and its length
/// into `count`; gives `APUS_JPEG_OK`, `APUS_JPEG_TOO_LARGE` when it is not shorter than `capacity` (libjpeg asks
/// for room as soon as there is none left), `APUS_JPEG_UNSUPPORTED` for sides that no JPEG has, or
/// `APUS_JPEG_NO_MEMORY`.
int32_t apus_jpeg_write(
  const uint8_t *rgb, uint32_t width, uint32_t height, int32_t quality, uint8_t *bytes, size_t capacity,
  size_t *count);

#endif
