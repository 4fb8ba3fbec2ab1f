/// How much of a picture file is decoded before the picture is resized to a model's input.
public enum PictureDecoding: String, Sendable, Hashable, Codable, CaseIterable {
  /// All pixels: results are those of the libraries that the model is published with.
  case exact
  /// Of a JPEG as few as are still four in each direction for one of the resized picture (see
  /// ``ImageOptions/minimumShortSide``): a photograph of 12 megapixels takes little more than half the time for an
  /// input of 224 pixels, which move by a tenth or two of 255 in the mean.
  case fast
}
