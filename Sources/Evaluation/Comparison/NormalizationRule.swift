import Images

/// The usual rules by which pixel values become a model's numbers, by the names that the command line has for them.
package enum NormalizationRule: String, Sendable, CaseIterable {
  /// 0…255 as they are.
  case bytes
  case zeroToOne = "zero-to-one"
  case minusOneToOne = "minus-one-to-one"
  /// Mean and deviation of ImageNet, as torchvision's models take them.
  case imageNet = "imagenet"

  package var normalization: Normalization {
    switch self {
    case .bytes: .unchanged
    case .zeroToOne: .zeroToOne
    case .minusOneToOne: .minusOneToOne
    case .imageNet: PreprocessingProfile.imageNetTorchvision.normalization
    }
  }
}
