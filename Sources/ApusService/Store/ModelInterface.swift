import Apus
import Formats
import Models
import Networks
import TensorCore

/// A model's inputs and outputs, from its files: nothing is packed, so that this takes little time and memory.
///
///     let leaf = try ModelInterface(of: "rice_v1_float32.tflite")
///     print(leaf.networks[0].inputs)
public struct ModelInterface: Sendable, Hashable {
  /// The classes that an output has scores of.
  public struct Classes: Sendable, Hashable {
    /// How many there are, at least 1.
    public let count: Int
    /// Their names, from the model or a file beside it; nil if there are none.
    public let labels: [String]?
  }

  /// The networks that can be run, the main one of a file first: of a file each signature, of a folder those for pictures
  /// and texts. Those that cannot be run are left out, as by `InferenceSession`.
  public let networks: [NetworkDescription]

  /// - Parameter model: a `.tflite` file, a folder, or the name of a repository in the local Hugging Face cache.
  /// - Throws: ``ApusError``: kind `file` when a file cannot be read, `malformedModel`, `unsupportedModel` or
  ///   `configuration` when the model cannot be used.
  public init(of model: String) throws(ApusError) {
    networks = NetworkDescription.all(of: try OpenedModel(model))
  }

  /// Refuses a model whose texts are embedded alike with padding masked and without, or that takes no mask: those for which
  /// `TextEmbedder.Options.masksPadding` is refused, before they are opened.
  /// - Parameter model: a folder, or the name of a repository in the local Hugging Face cache.
  /// - Throws: ``ApusError``: kind `argument`; as ``init(of:)``.
  public static func requireMaskedPadding(of model: String) throws(ApusError) {
    let opened = try OpenedModel(model)
    guard let tower = try opened.network(for: .text)?.textTower else {
      throw ApusError(.argument, "the model takes no texts", expected: "a SigLIP", file: opened.path)
    }
    do throws(ApusError) { try tower.paddingMask.requireChoice() } catch { throw error.inFile(opened.path) }
  }

  /// Whether a name leads to a `.tflite` file, whatever that is called: it is computed in its own numbers, where a folder
  /// has other precisions.
  /// - Parameter model: a `.tflite` file, a folder, or the name of a repository in the local Hugging Face cache.
  /// - Returns: false also where it leads nowhere, unless it ends in `.tflite`.
  public static func isFile(_ model: String) -> Bool {
    (try? ModelPlace(model))?.isFile ?? false
  }

  /// The classes of each output of the network for pictures; nil for an output whose elements do not lie along one axis,
  /// and no outputs at all where there is no such network.
  /// - Parameter model: a `.tflite` file, a folder, or the name of a repository in the local Hugging Face cache.
  /// - Throws: ``ApusError``: as ``init(of:)``; also where what a file says of labels is damaged.
  public static func classes(of model: String) throws(ApusError) -> [Classes?] {
    let opened = try OpenedModel(model)
    guard let network = try opened.network(for: .image) else { return [] }
    var classes: [Classes?] = []
    for (position, output) in try network.outputs().enumerated() {
      let shape = output.shape
      let count = shape.elementCount
      guard count > 0, shape.dimensions.contains(count) else {
        classes.append(nil)
        continue
      }
      let labels = try opened.labels(ofOutput: position, classCount: count).content?.labels
      classes.append(Classes(count: count, labels: labels))
    }
    return classes
  }
}
