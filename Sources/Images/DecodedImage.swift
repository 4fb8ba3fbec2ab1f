/// A picture and what it was made from.
public struct DecodedImage: Sendable, Equatable {
  public let image: RGBImage
  public let source: ImageSource
}

/// What a picture was in its file, and what was done to it.
public struct ImageSource: Sendable, Hashable {
  public let format: ImageFormat
  /// The colour model and depth in the file, such as "YCbCr", "grey 16-bit" or "palette with transparency".
  public let colour: String
  /// The size in the file, before it was turned upright.
  public let storedWidth: Int
  public let storedHeight: Int
  /// What the file says of its orientation; `.upright` when it says nothing that is valid.
  public let orientation: Orientation
  /// Whether the picture was turned or mirrored to undo the orientation.
  public let isReoriented: Bool
  /// Sentences on what was chosen or tolerated, such as a dropped alpha channel.
  public let notes: [String]
}
