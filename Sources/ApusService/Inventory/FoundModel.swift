import Apus
import Graph
import Kernels
import Networks
import TensorCore

/// A model that lies on this machine, and what it takes.
public struct FoundModel: Sendable {
  /// The path, or name in the Hugging Face cache, to open it by.
  public let name: String
  /// The file or folder.
  public let path: String
  /// Bytes of its files.
  public let byteCount: Int
  /// Details of a model that Apus can open.
  public struct Properties: Sendable {
    /// A short description: `an image classifier`.
    public let kind: String
    /// The elements of its weights.
    public let parameterCount: Int
    /// Its requirements: for a folder, the weights of all towers in each of the processor's precisions; for a file, which is
    /// computed in its own numbers, only ``ModelRequirements/memory``.
    public let requirements: ModelRequirements
    /// Bytes of the weights of a file; nil for a folder.
    public let storedByteCount: Int?
    /// Bytes of what is computed on the way, for one picture or one text of the greatest length.
    public let workingByteCount: Int
    /// The precisions whose packed weights are kept on disk.
    public let packed: [Precision]
  }

  /// Details, or the reason why Apus cannot open it.
  public let properties: Result<Properties, ApusError>

  /// Whether Apus can open it.
  public var isUsable: Bool {
    if case .success = properties { true } else { false }
  }

  /// Looks at a model; its weights are only mapped.
  /// - Parameters:
  ///   - name: a `.tflite` file, a folder, or the name of a repository in the local Hugging Face cache.
  ///   - place: the file or folder that it leads to.
  init(_ name: String, at place: String) {
    (self.name, path, byteCount) = (name, place, Self.byteCount(place))
    properties = Result { () throws(ApusError) in try Properties(try OpenedModel(name)) }
  }

  /// A file that is known to be no model.
  init(refused place: String, _ error: ApusError) {
    (name, path, byteCount) = (place, place, Self.byteCount(place))
    properties = .failure(error)
  }

  private static func byteCount(_ place: String) -> Int {
    let files =
      FileSystem.isFolder(place) ? FileSystem.found(below: place).paths.map { "\(place)/\($0)" } : [place]
    return files.reduce(0) { $0 + (FileSystem.version(of: $1)?.byteCount ?? 0) }
  }
}

extension FoundModel.Properties {
  init(_ opened: OpenedModel) throws(ApusError) {
    var sizes: [NetworkSize] = []
    for network in opened.networks.prefix(opened.form.statesNumbers ? 1 : .max) {
      sizes.append(NetworkSize(try network.graph()))
    }
    kind = opened.form.fileEnding.map { "a .\($0) file" } ?? opened.kind
    parameterCount = sizes.reduce(0) { $0 + $1.parameterCount }
    workingByteCount = sizes.map(\.activationBytes).max() ?? 0
    guard !opened.form.statesNumbers else {
      let stored = sizes.reduce(0) { $0 + $1.weightBytes(in: nil) }
      (storedByteCount, packed) = (stored, [])
      requirements = ModelRequirements(memory: stored + workingByteCount)
      return
    }
    storedByteCount = nil
    let precisions = Precision.allCases.filter(\.isAvailable)
    let weights = precisions.map { precision in
      (precision, sizes.reduce(0) { $0 + $1.weightBytes(in: precision) })
    }
    var needs = ModelRequirements(
      weights: Dictionary(uniqueKeysWithValues: weights), memory: workingByteCount)
    needs.operations = sizes.map(\.operations).max() ?? 0
    requirements = needs
    packed = precisions.filter { precision in
      let options = ModelOptions(InferenceOptions(precision: precision)).compile
      return opened.networks.allSatisfy { network in
        PackedWeightCache(model: opened.path, network: network.name, options: options)
          .map { FileSystem.isFile($0.path) } ?? false
      }
    }
  }
}
