#ifndef APUS_CODEC_STATUS_H
#define APUS_CODEC_STATUS_H

/// What a call ended with.
enum {
  APUS_CODEC_OK = 0,
  /// The library reported an error in the data.
  APUS_CODEC_MALFORMED = 1,
  /// The bytes ended before the picture did.
  APUS_CODEC_TRUNCATED = 2,
  /// No memory, or a limit was reached.
  APUS_CODEC_NO_MEMORY = 3,
  /// A kind of file that the library does not read.
  APUS_CODEC_UNSUPPORTED = 4,
  /// The library has not the functions that its name promises.
  APUS_CODEC_UNUSABLE = 5,
};

#endif
