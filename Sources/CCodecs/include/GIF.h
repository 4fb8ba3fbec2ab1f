#ifndef APUS_GIF_H
#define APUS_GIF_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
  int32_t screen_width;
  int32_t screen_height;
  /// The place of the first picture on the screen.
  int32_t left;
  int32_t top;
  int32_t width;
  int32_t height;
  int32_t is_interlaced;
  /// The index that stands for no colour, -1 for none.
  int32_t transparent;
  /// Colours of the palette that holds for the picture, 0 where there is none.
  int32_t palette_count;
  /// Red, green and blue of each.
  uint8_t palette[768];
  char message[256];
} apus_gif_header;

typedef struct apus_gif_decoder apus_gif_decoder;

/// A decoder over bytes that the caller keeps alive; NULL when there is no memory.
apus_gif_decoder *apus_gif_open(void *library, const uint8_t *bytes, size_t count);
/// Reads up to the data of the first picture; nothing in proportion to it is allocated.
int32_t apus_gif_read_header(apus_gif_decoder *decoder, apus_gif_header *header);
/// Writes the `width` indices of the next stored row.
int32_t apus_gif_read_row(apus_gif_decoder *decoder, apus_gif_header *header, uint8_t *row);
/// Frees the decoder, in any state.
void apus_gif_close(apus_gif_decoder *decoder);

#endif
