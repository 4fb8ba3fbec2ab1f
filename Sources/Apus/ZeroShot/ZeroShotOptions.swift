import Images
import Networks
import TensorCore

extension ZeroShotClassifier {
  /// How a classifier is set up. The defaults are the model's own.
  public struct Options: Sendable {
    /// The labels that pictures are scored against where a call names none; embedded as the model is opened, so that
    /// the first answer need not wait for them.
    public var labels: [String]
    /// Sentences with `{}` where the label goes. With several, the label's embedding is the mean of theirs.
    public var templates: [String]
    /// The folder with the tower for texts, where the model is a tower for pictures in a folder of its own; or its name in the
    /// local Hugging Face cache. Nil for a model with both. `CLIPVisionModelWithProjection` takes a
    /// `CLIPTextModelWithProjection`, `SiglipVisionModel` a `SiglipTextModel`, of the same width; that both were trained
    /// together is not checked, and without that scores are arbitrary.
    ///
    /// Of the number by which the whole model multiplies cosines, and of its bias, transformers saves nothing with a tower.
    /// Where the folders hold no `logit_scale`, cosines of a CLIP are multiplied by 100, the most that CLIP is trained to,
    /// which ``ZeroShotClassifier/notes`` say; a SigLIP needs ``logitScale`` and ``logitBias``.
    public var textModel: String?
    /// How logits are read; nil for what the model was trained for.
    public var scoring: ZeroShotScoring?
    /// The number by which cosines are multiplied; nil for the model's own. Another than that sets aside the `temperature`
    /// of the folder's `meta.json`, which was fitted to it, and ``ZeroShotClassifier/notes`` say so; the `threshold_default`
    /// counts all the same. Of two folders without a `logit_scale` it is the model's own, and the temperature counts, as it
    /// does for the same number again (within a hundred-thousandth).
    public var logitScale: Float?
    /// Bias added to the scaled cosines; nil for the model's own.
    public var logitBias: Float?
    /// The score below which a label is uncertain, from 0 to 1. Nil takes the `threshold_default` of the folder's `meta.json`,
    /// or else 0: nothing is uncertain.
    public var threshold: Float?
    /// Whether pictures are told to be foreign, where the folder's `meta.json` names a rejection (`apus calibrate`).
    public var rejectsForeign: Bool
    /// Whether labels are embedded as a SigLIP embeds a text that came with an attention mask: no token attends padding.
    /// False is what SigLIP was trained with. Models that attend no padding refuse it: CLIP gives the same with a
    /// mask and without.
    public var masksPadding: Bool
    /// How pictures are prepared; nil for what the model's folder says.
    public var preprocessing: PreprocessingProfile?
    /// Precision and threads.
    public var inference: InferenceOptions
    /// Limits for decoding a picture.
    public var limits: ImageLimits
    /// How pictures become RGB: orientation, transparency.
    public var image: ImageOptions

    /// Whether features are read whatever the metadata say.
    package var isForCalibration = false

    /// Omitted arguments default to the model's own.
    public init(
      labels: [String] = [], templates: [String] = ["{}"], textModel: String? = nil,
      scoring: ZeroShotScoring? = nil, logitScale: Float? = nil, logitBias: Float? = nil,
      threshold: Float? = nil, rejectsForeign: Bool = true, masksPadding: Bool = false,
      preprocessing: PreprocessingProfile? = nil,
      inference: InferenceOptions = InferenceOptions(), limits: ImageLimits = .standard,
      image: ImageOptions = .standard
    ) {
      self.labels = labels
      self.templates = templates
      self.textModel = textModel
      self.scoring = scoring
      self.logitScale = logitScale
      self.logitBias = logitBias
      self.threshold = threshold
      self.rejectsForeign = rejectsForeign
      self.masksPadding = masksPadding
      self.preprocessing = preprocessing
      self.inference = inference
      self.limits = limits
      self.image = image
    }

    var request: ImagePipeline.Request {
      ImagePipeline.Request(
        preprocessing: preprocessing, limits: limits, image: image,
        reads: isForCalibration ? .all : .features(rejecting: rejectsForeign), features: .lastPlaces)
    }

    /// How labels are embedded and cosines become scores: ``scoring``, ``logitScale``, ``logitBias`` and ``masksPadding``,
    /// which is false where the reading leaves it open.
    public var reading: ZeroShotReading {
      get {
        ZeroShotReading(
          scoring: scoring, logitScale: logitScale, logitBias: logitBias, masksPadding: masksPadding)
      }
      set {
        (scoring, logitScale, logitBias) = (newValue.scoring, newValue.logitScale, newValue.logitBias)
        masksPadding = newValue.masksPadding ?? false
      }
    }

    /// - Throws: ``ApusError`` of kind `argument`.
    func validate() throws(ApusError) {
      try reading.validate()
      try Threshold.validate(threshold)
      try inference.validate()
    }
  }
}

extension ZeroShotClassifier.Options: JSONOptions {
  /// The model's own.
  public static var standard: Self { Self() }

  /// `labels`, `templates`, `text_model`, `threshold`, `reject_foreign`, `preprocessing`, and the keys of
  /// ``ZeroShotReading``, ``InferenceOptions``, ``ImageLimits`` and ``ImageOptions``.
  public static var settings: Settings<Self> {
    .setting(.labels, \.labels, .texts) + .setting(.templates, \.templates, .templates)
      + .setting(.textModel, \.textModel, .text) + ZeroShotReading.settings.inside(\.reading)
      + .setting(.threshold, \.threshold, .fraction) + .setting(.rejectsForeign, \.rejectsForeign, .flag)
      + .setting(.preprocessing, \.preprocessing, .profile) + InferenceOptions.settings.inside(\.inference)
      + ImageLimits.settings.inside(\.limits) + ImageOptions.settings.inside(\.image)
  }
}
