#ifndef APUS_AVIF_H
#define APUS_AVIF_H

#include <stddef.h>
#include <stdint.h>

/// Planes of a picture.
enum {
  APUS_AVIF_Y = 0,
  APUS_AVIF_U = 1,
  APUS_AVIF_V = 2,
  APUS_AVIF_ALPHA = 3,
};

typedef struct {
  uint32_t width;
  uint32_t height;
  /// 8, 10 or 12; planes of more than 8 have two bytes for each sample, the low one first.
  uint32_t bits;
  /// Sides of the planes U and V, 0 where there are none.
  uint32_t chroma_width;
  uint32_t chroma_height;
  int32_t is_full_range;
  /// Primaries and matrix coefficients as ISO/IEC 23091-2 numbers them.
  int32_t primaries;
  int32_t matrix;
  int32_t has_alpha;
  int32_t is_premultiplied;
  /// How the picture is to be turned: the EXIF value.
  int32_t orientation;
  char message[256];
} apus_avif_header;

typedef struct apus_avif_decoder apus_avif_decoder;

/// A decoder over bytes that the caller keeps alive; NULL when there is no memory.
apus_avif_decoder *apus_avif_open(
  void *library, const uint8_t *bytes, size_t count, uint32_t maximum_pixels, int32_t with_exif);
/// Reads what the container says: the sides and the orientation. Nothing is decoded.
int32_t apus_avif_read_header(apus_avif_decoder *decoder, apus_avif_header *header);
/// The content of the EXIF item and its length, once the header is read with it; NULL where there is none. It lives as
/// long as the decoder.
const uint8_t *apus_avif_exif(apus_avif_decoder *decoder, size_t *count);
/// Decodes the first picture, and fills the rest of `header`.
int32_t apus_avif_decode(apus_avif_decoder *decoder, apus_avif_header *header);
/// Copies the first `count` bytes of the row at `y` of a plane that the header has, once the picture is decoded.
void apus_avif_copy_row(apus_avif_decoder *decoder, int32_t plane, uint32_t y, uint8_t *target, size_t count);
/// Frees the decoder, in any state.
void apus_avif_close(apus_avif_decoder *decoder);

#endif
