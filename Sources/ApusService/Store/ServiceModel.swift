/// One of a program's models: what it is called, where it lies, and what is expected of it. A ``ModelStore`` opens it when
/// it is first needed.
///
///     enum Models {
///       static let leaf = ServiceModel<ImageClassifier>(
///         "leaf", displayName: "Leaf disease", at: "rice_v1_fp16.tflite", latencyTarget: .milliseconds(50),
///         expectedRate: 10, fallbacks: [ModelVariant(.low, at: "rice_v1_int8.tflite")])
///     }
///
/// Descriptions of one name in one store must describe the same model.
public struct ServiceModel<Model: InferenceModel & AnyObject>: Sendable {
  /// The name in a store, a monitor and errors.
  public let name: String
  /// The name for people.
  public let displayName: String
  /// The forms in which it can be had, the best first; at least one.
  public let variants: [ModelVariant<Model>]
  /// The target of one run; nil for no limit.
  public let latencyTarget: Duration?
  /// The runs that are expected in a second.
  public let expectedRate: Double?
  /// The requirements on the machine; nil if only memory matters.
  public let requirements: ModelRequirements?
  /// How long the model stays in memory after its last use; nil for what the store says.
  public let timeToLive: Duration?
  /// Whether the next form takes over where a better one misses the target, or there is no memory for it.
  public let isAdaptive: Bool
  /// False for a model that is planned, or switched off: asking for it is an error of its own.
  public let isAvailable: Bool
  /// Tells whether two descriptions of one name are of the same model.
  let fingerprint: Int

  /// - Parameters:
  ///   - name: what the model is known by.
  ///   - displayName: what people read; nil for the name.
  ///   - path: a `.tflite` file, a folder, or the name of a repository in the local Hugging Face cache.
  ///   - options: how it is opened.
  ///   - quality: how good this form is.
  ///   - memory: the memory that this form takes, in bytes; nil for what its weights come to.
  ///   - latencyTarget: what one run may take; nil for the time between two runs at the expected rate, if that is given.
  ///   - expectedRate: the runs that are expected in a second.
  ///   - requirements: what the machine must have.
  ///   - timeToLive: how long it stays in memory after its last use; nil for what the store says.
  ///   - fallbacks: lesser forms, the best first.
  ///   - isAdaptive: whether the store may turn to those; nil for where there are any.
  ///   - isAvailable: false for a model that is planned, or switched off.
  public init(
    _ name: String, displayName: String? = nil, at path: String, options: Model.Options,
    quality: ModelQuality = .high, memory: Int? = nil, latencyTarget: Duration? = nil,
    expectedRate: Double? = nil, requirements: ModelRequirements? = nil, timeToLive: Duration? = nil,
    fallbacks: [ModelVariant<Model>] = [], isAdaptive: Bool? = nil, isAvailable: Bool = true
  ) {
    self.name = name
    self.displayName = displayName ?? name
    variants = [ModelVariant(quality, at: path, options: options, memory: memory)] + fallbacks
    let period = expectedRate.flatMap { $0 > 1e-6 ? Duration.seconds(1 / $0) : nil }
    self.latencyTarget = latencyTarget ?? period
    self.expectedRate = expectedRate
    self.requirements = requirements
    self.timeToLive = timeToLive
    self.isAdaptive = isAdaptive ?? !fallbacks.isEmpty
    self.isAvailable = isAvailable
    var hasher = Hasher()
    hasher.combine(ObjectIdentifier(Model.self))
    for variant in variants { hasher.combine([variant.quality.rawValue] + variant.paths) }
    fingerprint = hasher.finalize()
  }
}

extension ServiceModel where Model.Options: JSONOptions {
  /// One that is opened with the model's own options.
  public init(
    _ name: String, displayName: String? = nil, at path: String, quality: ModelQuality = .high,
    memory: Int? = nil, latencyTarget: Duration? = nil, expectedRate: Double? = nil,
    requirements: ModelRequirements? = nil, timeToLive: Duration? = nil,
    fallbacks: [ModelVariant<Model>] = [], isAdaptive: Bool? = nil, isAvailable: Bool = true
  ) {
    self.init(
      name, displayName: displayName, at: path, options: .standard, quality: quality, memory: memory,
      latencyTarget: latencyTarget, expectedRate: expectedRate, requirements: requirements,
      timeToLive: timeToLive, fallbacks: fallbacks, isAdaptive: isAdaptive, isAvailable: isAvailable)
  }
}

/// A ``ServiceModel`` of any class of models, for lists of them.
public protocol AnyServiceModel: Sendable {
  /// The class of the model.
  associatedtype Model: InferenceModel & AnyObject
  /// The description itself.
  var serviceModel: ServiceModel<Model> { get }
}

extension ServiceModel: AnyServiceModel {
  /// The description itself.
  public var serviceModel: ServiceModel<Model> { self }
}
