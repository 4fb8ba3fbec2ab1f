/// zlib, for bodies of requests.
#pragma once

#include <zlib.h>

/// `inflateInit2` is a macro, which Swift does not see.
static inline int apus_inflate_begin(z_stream *stream, int windowBits) {
  return inflateInit2(stream, windowBits);
}
