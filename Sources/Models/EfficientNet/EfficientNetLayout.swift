import Graph

/// The layers of an EfficientNet or a MobileNetV3, and what they are called in a library's files.
struct EfficientNetLayout: Sendable {
  /// What stands between the last layer with an extent and the classifier.
  enum Head: Sendable {
    /// A layer over the channels of each pixel, then the mean of the pixels.
    case layerBeforeMean(ConvolutionUnit)
    /// The mean of the pixels, then a layer with offsets and without a normalisation.
    case layerBehindMean(String)
  }

  /// 3 × 3 filters that halve the extent.
  let stem: ConvolutionUnit
  let blocks: [InvertedResidual]
  /// Layers over the channels of each pixel behind the blocks.
  let lastLayers: [ConvolutionUnit]
  let head: Head
  let classifier: String
  /// Behind the stem, the last layers and the head's.
  let activation: Activation
  /// Added to the variances of the batch normalisations.
  let epsilon: Double
  /// Whether padding follows TensorFlow's rule.
  let padsLikeTensorFlow: Bool
}
