import Images
import Networks
import TensorCore

extension ImageClassifier {
  /// How a classifier is set up. The defaults suit MobileNets and most other TFLite classifiers.
  public struct Options: Sendable {
    /// A file with a label for each class: a line for each, or JSON, which may hold more of each class
    /// (``LabelDetails``). Nil takes the labels in the model's own metadata, or else `labels.json` or `labels.txt` beside
    /// the model if it has as many labels as there are classes, or else the numbers of the classes.
    public var labels: String?
    /// Model files to try in order when the first is refused: float16 after int8, say.
    public var fallbacks: [String]
    /// The path of a `meta.json` with the model's threshold, input size and preprocessing. Nil takes the one
    /// beside the model, if it fits.
    public var metadata: String?
    /// The score below which a prediction is uncertain, from 0 to 1. Nil takes the threshold of the metadata file, or else
    /// the one in a `.tflite` file's own metadata unless it is 0, or else ``standardThreshold``.
    public var threshold: Float?
    /// Whether pictures are told to be foreign, where the metadata name a rejection (`apus calibrate`).
    public var rejectsForeign: Bool
    /// How pictures are prepared. Nil takes what the metadata and the input's type say.
    public var preprocessing: PreprocessingProfile?
    /// The meaning of the model's output. Nil lets the model show it.
    public var scores: ScoreMeaning?
    /// Precision and threads. TFLite files are computed in their own numbers.
    public var inference: InferenceOptions
    /// Limits for decoding a picture.
    public var limits: ImageLimits
    /// How pictures become RGB: orientation, transparency.
    public var image: ImageOptions

    /// Whether features and logits are read whatever the metadata say, and scores are left as the model gives them.
    package var isForCalibration = false

    /// The threshold where neither the options nor the metadata state one.
    public static let standardThreshold: Float = 0.75

    /// The defaults suit MobileNets and most other TFLite classifiers.
    public init(
      labels: String? = nil, fallbacks: [String] = [], metadata: String? = nil, threshold: Float? = nil,
      rejectsForeign: Bool = true, preprocessing: PreprocessingProfile? = nil, scores: ScoreMeaning? = nil,
      inference: InferenceOptions = InferenceOptions(), limits: ImageLimits = .standard,
      image: ImageOptions = .standard
    ) {
      self.labels = labels
      self.fallbacks = fallbacks
      self.metadata = metadata
      self.threshold = threshold
      self.rejectsForeign = rejectsForeign
      self.preprocessing = preprocessing
      self.scores = scores
      self.inference = inference
      self.limits = limits
      self.image = image
    }

    var request: ImagePipeline.Request {
      ImagePipeline.Request(
        preprocessing: preprocessing, metadata: metadata, limits: limits, image: image,
        output: .classes(labels: labels),
        reads: isForCalibration ? .all : .calibrated(rejecting: rejectsForeign))
    }

    /// - Throws: ``ApusError`` of kind `argument`.
    func validate() throws(ApusError) {
      try Threshold.validate(threshold)
      try inference.validate()
    }
  }
}

extension ImageClassifier.Options: JSONOptions {
  /// The defaults, which suit MobileNets and most other TFLite classifiers.
  public static var standard: Self { Self() }

  /// `labels` and `metadata` (files), `fallbacks`, `threshold`, `reject_foreign`, `preprocessing`, `scores`, and the keys
  /// of ``InferenceOptions``, ``ImageLimits`` and ``ImageOptions``.
  public static var settings: Settings<Self> {
    .setting(.labels, \.labels, .text) + .setting(.fallbacks, \.fallbacks, .texts)
      + .setting(.metadata, \.metadata, .text) + .setting(.threshold, \.threshold, .fraction)
      + .setting(.rejectsForeign, \.rejectsForeign, .flag)
      + .setting(.preprocessing, \.preprocessing, .profile) + .setting(.scores, \.scores, .meaning)
      + InferenceOptions.settings.inside(\.inference) + ImageLimits.settings.inside(\.limits)
      + ImageOptions.settings.inside(\.image)
  }
}

extension SettingForm where Value == ScoreMeaning {
  fileprivate static var meaning: Self {
    .choice([
      ("probabilities", .probabilities), ("independent_probabilities", .independentProbabilities),
      ("logits", .logits), ("independent_logits", .independentLogits), ("quantities", .quantities),
    ])
  }
}
