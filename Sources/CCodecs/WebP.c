#include "WebP.h"
#include "CodecStatus.h"

#include <dlfcn.h>

// libwebp 1.x, ABI of libwebp.so.7: webp/decode.h.

typedef struct {
  int width;
  int height;
  int has_alpha;
  int has_animation;
  int format;
  uint32_t padding[5];
} features_t;

/* The major byte of the version is that of the ABI; libwebp refuses another. */
enum { ABI_VERSION = 0x0200, FORMAT_LOSSLESS = 2 };
enum { STATUS_OK = 0, STATUS_NO_MEMORY = 1, STATUS_UNSUPPORTED = 4, STATUS_SUSPENDED = 5, STATUS_SHORT = 7 };

typedef int get_features_t(const uint8_t *bytes, size_t count, features_t *features, int version);
typedef uint8_t *decode_into_t(
  const uint8_t *bytes, size_t count, uint8_t *pixels, size_t capacity, int row_bytes);

int32_t apus_webp_read_header(void *library, const uint8_t *bytes, size_t count, apus_webp_header *header) {
  get_features_t *get_features = (get_features_t *)dlsym(library, "WebPGetFeaturesInternal");
  if (!get_features) return APUS_CODEC_UNUSABLE;
  features_t features = {0};
  switch (get_features(bytes, count, &features, ABI_VERSION)) {
    case STATUS_OK: break;
    case STATUS_NO_MEMORY: return APUS_CODEC_NO_MEMORY;
    case STATUS_UNSUPPORTED: return APUS_CODEC_UNSUPPORTED;
    case STATUS_SUSPENDED:
    case STATUS_SHORT: return APUS_CODEC_TRUNCATED;
    default: return APUS_CODEC_MALFORMED;
  }
  header->width = features.width;
  header->height = features.height;
  header->has_alpha = features.has_alpha;
  header->has_animation = features.has_animation;
  header->is_lossless = features.format == FORMAT_LOSSLESS;
  return APUS_CODEC_OK;
}

int32_t apus_webp_decode(
  void *library, const uint8_t *bytes, size_t count, int32_t with_alpha, uint8_t *pixels, size_t capacity,
  int32_t row_bytes) {
  decode_into_t *decode =
    (decode_into_t *)dlsym(library, with_alpha ? "WebPDecodeRGBAInto" : "WebPDecodeRGBInto");
  if (!decode) return APUS_CODEC_UNUSABLE;
  return decode(bytes, count, pixels, capacity, row_bytes) ? APUS_CODEC_OK : APUS_CODEC_MALFORMED;
}
