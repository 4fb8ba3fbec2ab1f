/// Whose resize, and which filter of it. Each gives the very numbers of the library it names.
public enum ResizeMethod: String, Sendable, Hashable, CaseIterable {
  case pillowNearest = "pillow-nearest"
  case pillowBox = "pillow-box"
  case pillowBilinear = "pillow-bilinear"
  case pillowHamming = "pillow-hamming"
  case pillowBicubic = "pillow-bicubic"
  case pillowLanczos = "pillow-lanczos"
  /// `tf.image.resize(…, "bilinear")`: four neighbours, whatever the reduction.
  case tensorflowBilinear = "tensorflow-bilinear"
  /// `tf.image.resize(…, "bilinear", antialias=True)`: a triangle as wide as the reduction asks.
  case tensorflowBilinearAntialias = "tensorflow-bilinear-antialias"
  /// `tf.compat.v1.image.resize_bilinear` with its defaults: pixel corners instead of centres.
  case tensorflow1Bilinear = "tensorflow1-bilinear"

  /// The filter, for the methods of Pillow.
  var pillowFilter: PillowFilter? {
    switch self {
    case .pillowNearest: .nearest
    case .pillowBox: .box
    case .pillowBilinear: .bilinear
    case .pillowHamming: .hamming
    case .pillowBicubic: .bicubic
    case .pillowLanczos: .lanczos
    case .tensorflowBilinear, .tensorflowBilinearAntialias, .tensorflow1Bilinear: nil
    }
  }
}
