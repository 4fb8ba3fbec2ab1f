#ifndef APUS_CPNG_H
#define APUS_CPNG_H

#include <stddef.h>
#include <stdint.h>

/// What a call ended with; everything but `APUS_PNG_OK` leaves a message in the header.
enum {
  APUS_PNG_OK = 0,
  /// libpng reported an error.
  APUS_PNG_MALFORMED = 1,
  /// The bytes ended before the picture did.
  APUS_PNG_TRUNCATED = 2,
  /// No memory, or the memory limit was reached.
  APUS_PNG_NO_MEMORY = 3,
};

typedef struct {
  uint32_t width;
  uint32_t height;
  /// 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGB and alpha.
  int32_t colour_type;
  int32_t bit_depth;
  int32_t is_interlaced;
  /// Whether a tRNS chunk makes some pixels transparent.
  int32_t has_transparency;
  /// Whether that chunk makes one colour transparent and leaves all others opaque.
  int32_t has_transparent_colour;
  /// Its red, green and blue: of a palette's entry, or as the chunk has them; of a grey picture its grey three times.
  uint16_t transparent_colour[3];
  /// Passes over the rows, set by `apus_png_start`: 7 when interlaced, else 1.
  int32_t passes;
  /// Bytes of a row, set by `apus_png_start`.
  size_t row_bytes;
  int32_t warnings;
  char message[256];
} apus_png_header;

/// What rows hold.
enum {
  /// Red, green, blue; the high byte of 16-bit samples; alpha dropped.
  APUS_PNG_RGB = 0,
  /// The same with alpha (255 where the file has none).
  APUS_PNG_RGBA = 1,
  /// Grey of 16 bits, most significant byte first; only for files stored so.
  APUS_PNG_GREY16 = 2,
};

typedef struct apus_png_decoder apus_png_decoder;

/// A decoder over bytes that the caller keeps alive; NULL when there is no memory.
apus_png_decoder *apus_png_open(
  const uint8_t *bytes, size_t count, uint32_t maximum_side, size_t maximum_chunk_memory);
/// Reads up to the first data chunk and fills `header`; nothing in proportion to the picture is allocated.
int32_t apus_png_read_header(apus_png_decoder *decoder, apus_png_header *header);
/// Prepares for rows of the given layout.
int32_t apus_png_start(apus_png_decoder *decoder, apus_png_header *header, int32_t layout);
/// Writes the next row of `row_bytes` bytes; call it for all rows in each pass, with the same memory.
int32_t apus_png_read_row(apus_png_decoder *decoder, apus_png_header *header, uint8_t *row);
/// Reads what follows the last row.
int32_t apus_png_finish(apus_png_decoder *decoder, apus_png_header *header);
/// Frees the decoder, in any state.
void apus_png_close(apus_png_decoder *decoder);

#endif
