#ifndef APUS_WEBP_H
#define APUS_WEBP_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
  int32_t width;
  int32_t height;
  int32_t has_alpha;
  int32_t has_animation;
  /// Whether it is one picture without loss.
  int32_t is_lossless;
} apus_webp_header;

/// Reads the header of a whole file, or of the frame of an animation. Nothing is allocated.
int32_t apus_webp_read_header(void *library, const uint8_t *bytes, size_t count, apus_webp_header *header);
/// Decodes one picture into rows of `row_bytes` bytes: red, green, blue, and alpha if asked for.
int32_t apus_webp_decode(
  void *library, const uint8_t *bytes, size_t count, int32_t with_alpha, uint8_t *pixels, size_t capacity,
  int32_t row_bytes);

#endif
