import TensorCore

/// A named recipe from picture to model input: the same as the one the model was trained with, or its
/// results are not the model's.
public struct PreprocessingProfile: Sendable, Hashable, CustomStringConvertible {
  public let name: String
  public let resize: ResizeMethod
  public let geometry: Geometry
  public let normalization: Normalization

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
    PreprocessingProfile(name: name, resize: resize, geometry: geometry, normalization: normalization)
  }
}
