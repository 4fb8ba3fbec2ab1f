#ifndef APUS_HEIF_H
#define APUS_HEIF_H

#include <stddef.h>
#include <stdint.h>

/// The codec of HEIC, as libheif numbers it.
enum { APUS_HEIF_HEVC = 1 };

typedef struct {
  /// The primary picture after the turns, mirrors and crops that the file asks for.
  int32_t width;
  int32_t height;
  /// The same before.
  int32_t stored_width;
  int32_t stored_height;
  int32_t bits;
  int32_t has_alpha;
  /// Whether colours are already multiplied by alpha.
  int32_t is_premultiplied;
  /// Flaws that the library passed over, set by `apus_heif_decode`.
  int32_t warnings;
  char message[256];
} apus_heif_header;

typedef struct apus_heif_decoder apus_heif_decoder;

/// A decoder over bytes that the caller keeps alive; NULL when there is no memory.
apus_heif_decoder *apus_heif_open(void *library, const uint8_t *bytes, size_t count, uint64_t maximum_pixels);
/// Reads what the file says of its primary picture; nothing of it is decoded.
int32_t apus_heif_read_header(apus_heif_decoder *decoder, apus_heif_header *header);
/// The length of the EXIF item of the primary picture, once the header is read; 0 where there is none.
size_t apus_heif_exif_size(apus_heif_decoder *decoder);
/// Writes that item; gives whether it could.
int32_t apus_heif_copy_exif(apus_heif_decoder *decoder, uint8_t *target);
/// Decodes the primary picture into rows of 8-bit red, green, blue, and alpha if asked for.
int32_t apus_heif_decode(apus_heif_decoder *decoder, apus_heif_header *header, int32_t with_alpha);
/// Copies the first `count` bytes of the row at `y`, which has `width` × 3 or 4 of them, once the picture is decoded.
void apus_heif_copy_row(apus_heif_decoder *decoder, int32_t y, uint8_t *target, size_t count);
/// Frees the decoder, in any state.
void apus_heif_close(apus_heif_decoder *decoder);
/// Whether the library, or a plug-in that it found, decodes a codec.
int32_t apus_heif_decodes(void *library, int32_t codec);

#endif
