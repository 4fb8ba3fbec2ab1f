/// Whose resize, and which filter of it. Each gives the very numbers of the library it names.
public enum ResizeMethod: Sendable, Hashable, CustomStringConvertible {
  /// Pillow's `Image.resize`, by the arithmetic of a version.
  case pillow(PillowFilter, PillowVersion = .current)
  /// TensorFlow's `tf.image.resize`.
  case tensorFlow(TensorFlowResize.Kind)
  /// torchvision's `resize` of a tensor.
  case torchvision(TorchvisionResize.Filter)

  /// The name, such as "pillow-bilinear", "pillow12-bilinear" or "tensorflow-bilinear-antialias".
  public var description: String {
    switch self {
    case .pillow(let filter, .current): "pillow-\(filter.rawValue)"
    case .pillow(let filter, .upTo12): "pillow12-\(filter.rawValue)"
    case .tensorFlow(let kind): kind.rawValue
    case .torchvision(let filter): "torchvision-\(filter.rawValue)"
    }
  }

  /// Every method once.
  public static let all: [ResizeMethod] =
    PillowVersion.allCases.flatMap { version in PillowFilter.allCases.map { .pillow($0, version) } }
    + TensorFlowResize.Kind.allCases.map { .tensorFlow($0) }
    + TorchvisionResize.Filter.allCases.map { .torchvision($0) }
}
