import Apus

/// How good a form of a model is, of those in which it can be had.
public enum ModelQuality: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
  /// The best there is.
  case high
  /// For a mid-range device.
  case medium
  /// The fastest, or smallest.
  case low

  /// The worse is the lesser.
  public static func < (one: Self, other: Self) -> Bool { one.rank < other.rank }

  private var rank: Int {
    switch self {
    case .high: 2
    case .medium: 1
    case .low: 0
    }
  }
}

/// One form of a model: a file or folder, and how it is opened. The same folder in another precision is another form.
public struct ModelVariant<Model: InferenceModel & AnyObject>: Sendable {
  /// How good it is.
  public let quality: ModelQuality
  /// A `.tflite` file, a folder, or the name of a repository in the local Hugging Face cache.
  public let path: String
  /// How it is opened.
  public let options: Model.Options
  /// The memory that it takes, in bytes; nil for what its weights come to.
  public let memory: Int?

  /// - Parameters:
  ///   - quality: how good it is.
  ///   - path: a `.tflite` file, a folder, or the name of a repository in the local Hugging Face cache.
  ///   - options: how it is opened.
  ///   - memory: the memory that it takes, in bytes; nil for what its weights come to.
  public init(_ quality: ModelQuality, at path: String, options: Model.Options, memory: Int? = nil) {
    self.quality = quality
    self.path = path
    self.options = options
    self.memory = memory
  }

  /// Everything that it is opened from: ``path``, and where its tower for texts has a folder of its own, that too.
  var paths: [String] { [path] + (Model.textModel(of: options).map { [$0] } ?? []) }
}

extension ModelVariant where Model.Options: JSONOptions {
  /// One that is opened with the model's own options.
  public init(_ quality: ModelQuality, at path: String, memory: Int? = nil) {
    self.init(quality, at: path, options: .standard, memory: memory)
  }
}
