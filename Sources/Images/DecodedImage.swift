/// A picture and what it was made from.
public struct DecodedImage: Sendable, Equatable {
  /// The pixels, upright.
  public let image: RGBImage
  /// What the file said.
  public let source: ImageSource
}

/// What a picture was in its file, and what was done to it.
public struct ImageSource: Sendable, Hashable {
  /// The format, by the file's first bytes.
  public let format: ImageFormat
  /// The colour model and depth in the file, such as "YCbCr", "grey 16-bit" or "palette with transparency".
  public let colour: String
  /// Pixels in a row of the file, before it was turned upright.
  public let storedWidth: Int
  /// Rows of the file, before it was turned upright.
  public let storedHeight: Int
  /// What the file says of its orientation; `.upright` when it says nothing that is valid.
  public let orientation: Orientation
  /// Whether the picture was turned or mirrored to undo the orientation.
  public let isReoriented: Bool
  /// Sentences on what was chosen or tolerated, such as a dropped alpha channel.
  public let notes: [String]
  /// Whether the file has an alpha channel, or a colour that is transparent.
  public let hasAlpha: Bool
  /// What is wrong with the data of the file, a part of whose pixels may be guessed; nil when nothing is.
  public let damage: String?
}
