#ifndef APUS_TIFF_H
#define APUS_TIFF_H

#include <stddef.h>
#include <stdint.h>

/// How samples mean colours.
enum {
  APUS_TIFF_WHITE_IS_ZERO = 0,
  APUS_TIFF_BLACK_IS_ZERO = 1,
  APUS_TIFF_RGB = 2,
  APUS_TIFF_PALETTE = 3,
  APUS_TIFF_CMYK = 5,
  APUS_TIFF_YCBCR = 6,
};

/// What a sample beyond the colours is.
enum {
  APUS_TIFF_UNSPECIFIED = 0,
  /// Alpha by which the colours are already multiplied.
  APUS_TIFF_ASSOCIATED_ALPHA = 1,
  APUS_TIFF_ALPHA = 2,
};

enum { APUS_TIFF_JPEG = 7 };

typedef struct {
  uint32_t width;
  uint32_t height;
  uint16_t photometric;
  uint16_t compression;
  uint16_t bits;
  uint16_t samples;
  /// 1 for unsigned integers.
  uint16_t sample_format;
  /// The EXIF value, 1 where the file says nothing.
  uint16_t orientation;
  uint16_t extra_count;
  /// The first of them.
  uint16_t extra[8];
  /// Whether samples of one kind lie together instead of those of one pixel.
  int32_t is_separate;
  int32_t is_tiled;
  uint32_t tile_width;
  uint32_t tile_height;
  /// Bytes of a tile, or of a row of a file without tiles, set by `apus_tiff_start`.
  size_t block_bytes;
  int32_t has_palette;
  /// High bytes of red, then green, then blue of 256 colours.
  uint8_t palette[768];
  /// Errors that did not end the decoding.
  int32_t errors;
  char message[256];
} apus_tiff_header;

typedef struct apus_tiff_decoder apus_tiff_decoder;

/// A decoder over bytes that the caller keeps alive; NULL when there is no memory.
apus_tiff_decoder *apus_tiff_open(void *library, const uint8_t *bytes, size_t count, size_t maximum_memory);
/// Reads the first directory; nothing of the picture is decoded.
int32_t apus_tiff_read_header(apus_tiff_decoder *decoder, apus_tiff_header *header);
/// Prepares for rows or tiles; YCbCr in JPEG comes as RGB.
int32_t apus_tiff_start(apus_tiff_decoder *decoder, apus_tiff_header *header);
/// Writes `block_bytes` bytes: the row at `y`, of one plane where they are separate. Rows are asked for in order.
int32_t apus_tiff_read_row(
  apus_tiff_decoder *decoder, apus_tiff_header *header, uint32_t y, uint16_t plane, uint8_t *row);
/// Writes `block_bytes` bytes: the tile that has the pixel at `x`, `y`.
int32_t apus_tiff_read_tile(
  apus_tiff_decoder *decoder, apus_tiff_header *header, uint32_t x, uint32_t y, uint16_t plane, uint8_t *tile);
/// Frees the decoder, in any state.
void apus_tiff_close(apus_tiff_decoder *decoder);

#endif
