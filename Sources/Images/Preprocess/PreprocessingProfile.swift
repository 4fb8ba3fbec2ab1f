import TensorCore

/// A named recipe from picture to model input: the same as the one the model was trained with, or its
/// results are not the model's.
public struct PreprocessingProfile: Sendable, Hashable, CustomStringConvertible {
  /// The name by which ``named(_:)`` finds it, or a description of where it is from.
  public let name: String
  /// How the picture gets its new size.
  public let resize: ResizeMethod
  /// Which part of the picture is kept, and in which proportions.
  public let geometry: Geometry
  /// What becomes of each value.
  public let normalization: Normalization
  /// Whether the library lays pictures over white whose file has one transparent colour: Pillow keeps it when alpha is
  /// dropped.
  package var whitensTransparentColour = false

  /// A profile of your own.
  public init(name: String, resize: ResizeMethod, geometry: Geometry, normalization: Normalization) {
    self.name = name
    self.resize = resize
    self.geometry = geometry
    self.normalization = normalization
  }

  /// The recipe on one line, such as "mobilenet-v2: pillow-bilinear, stretch, x/127.5-1".
  public var description: String { "\(name): \(resize), \(geometry), \(normalization)" }

  /// The same recipe with another rule for the numbers, for models whose metadata state one.
  public func with(_ normalization: Normalization) -> PreprocessingProfile {
    var profile = PreprocessingProfile(
      name: name, resize: resize, geometry: geometry, normalization: normalization)
    profile.whitensTransparentColour = whitensTransparentColour
    return profile
  }
}

extension ImageOptions {
  /// The same for a picture that is prepared by a profile.
  package func prepared(for profile: PreprocessingProfile) -> ImageOptions {
    var options = self
    options.whitensTransparentColour = whitensTransparentColour ?? profile.whitensTransparentColour
    return options
  }
}
