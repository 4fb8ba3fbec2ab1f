import Images
import TensorCore

/// How much of a picture file is decoded before the picture is resized to a model's input.
public enum PictureDecoding: String, Sendable, Hashable, Codable, CaseIterable {
  /// All pixels: results equal the libraries that the model is published with.
  case exact
  /// Of a JPEG as few as are still three in each direction for one of the resized picture, or four where they are means of
  /// blocks (see ``ImageOptions/minimumShortSide``): a photograph of 12 megapixels takes less than half the time for an
  /// input of 224 pixels, which move by a fraction of one of 255 levels in the mean.
  case fast

  /// Options with which a picture is decoded that is then prepared for a model.
  ///
  /// Pillow recommends three pixels for one as the `reducing_gap` of its `resize` and `thumbnail`: the result "in most
  /// cases" equals resizing the whole. A mean of 8×8 pixels is a blunter filter than a half or a quarter, which keep the low
  /// frequencies of a block: at four for one both err equally (`Tools/checks/reduced-decoding`).
  func options(_ options: ImageOptions, for preprocessor: Preprocessor) throws(ApusError) -> ImageOptions {
    var options = options.prepared(for: preprocessor.profile)
    guard self == .fast else { return options }
    options.minimumShortSide = try preprocessor.shortSide(pixels: 3)
    options.minimumShortSideAtEighth = try preprocessor.shortSide(pixels: 4)
    return options
  }
}
