import Networks
import TensorCore

// What options of several models hold.

extension InferenceOptions: JSONOptions {
  /// The model's own precision and files, and as many threads as the process may use.
  public static var standard: InferenceOptions { InferenceOptions() }

  /// `precision` (`f32`, `bf16` or `int8`), `threads`, and the `variant` of a folder with ONNX files.
  public static var settings: Settings<InferenceOptions> {
    .setting(.precision, \.precision, .precision)
      + .setting(.threads, \.threads, .count(upTo: Int(Int32.max))) + .setting(.variant, \.variant, .text)
  }
}

extension ImageLimits: JSONOptions {
  /// `pixel_limit`, `file_limit` (bytes), `scan_limit`, `chunk_limit` (bytes).
  public static var settings: Settings<ImageLimits> {
    .setting(.pixelLimit, \.pixels, .count()) + .setting(.fileLimit, \.fileBytes, .count())
      + .setting(.scanLimit, \.scans, .count()) + .setting(.chunkLimit, \.chunkBytes, .count())
  }
}

extension ImageOptions: JSONOptions {
  /// `apply_orientation`, `transparency`, `grey16`, `accept_damage` and the least sides.
  public static var settings: Settings<ImageOptions> {
    .setting(.appliesOrientation, \.appliesOrientation, .flag)
      + .setting(.transparency, \.transparency, .transparency)
      + .setting(.grey16, \.grey16, .choice([("clipped", .clipped), ("high_byte", .highByte)]))
      + .setting(.acceptsDamage, \.acceptsDamage, .flag)
      + .setting(.minimumShortSide, \.minimumShortSide, .count())
      + .setting(.minimumShortSideAtEighth, \.minimumShortSideAtEighth, .count())
  }
}
