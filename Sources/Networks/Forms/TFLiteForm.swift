import Formats
import Graph
import Models
import TensorCore
import Text

/// A `.tflite` file that was read and verified.
package struct TFLiteForm: ModelForm {
  package let path: String
  package let importer: TFLiteImporter
  package let networks: [Network]

  private var model: TFLiteModel { importer.model }

  /// - Throws: ``ApusError`` with the file's name: it cannot be read, or its bytes break TFLite's rules.
  package init(_ path: String) throws(ApusError) {
    do throws(ApusError) {
      importer = try TFLiteLoader.load(path)
    } catch {
      throw Self.advised(error, path)
    }
    self.path = path
    let main = Self.network(of: importer, path, named: "main")
    networks =
      [main]
      + importer.model.signatures.map { [importer] signature in
        Self.network(of: importer, path, named: signature.key, signature: signature.key)
      }
  }

  /// Of a file that is named as others are: what to give in its place.
  private static func advised(_ error: ApusError, _ path: String) -> ApusError {
    guard error.kind == .malformedModel, error.advice == nil else { return error }
    var error = error
    switch FileName.ending(of: path) {
    case "json", "txt", "model": error.advice = "A model of several files is named by their folder."
    case "pt", "pth", "bin", "ckpt", "h5", "keras", "pb", "gguf", "mlmodel":
      error.advice =
        "Apus runs .tflite and .onnx files, and folders with safetensors or checkpoints of PyTorch."
    default: break
    }
    return error
  }

  private static func network(
    of importer: TFLiteImporter, _ path: String, named name: String, signature: String? = nil,
    subgraph: Int = 0
  ) -> Network {
    let network = TFLiteNetwork(importer, signature: signature, subgraph: subgraph)
    return Network(named: name, path: path, FileNetwork(importer: network))
  }

  package var name: String { "TFLite" }
  package var fileEnding: String? { "tflite" }
  package var outputs: ModelOutputs { .unstated }
  package var statesNumbers: Bool { true }
  package var byteCount: Int { model.bytes.count }
  package var description: String { model.description }
  package var signatures: [String] { model.signatures.map(\.key) }
  package var subgraphCount: Int { model.subgraphs.count }

  package var preparation: Preparation {
    Preparation(path: path, companions: CompanionFiles(beside: path)) { [networks] () throws(ApusError) in
      try networks[0].inputs().first
    } profile: { (input) throws(ApusError) in
      try InputRecipe.profile(tensor: metadata()?.subgraphs.first?.inputs.first, input: input)
    }
  }

  package func packedWeights(of network: Network, _ options: CompileOptions) -> PackedWeightStore? {
    model.bytes.mappedFile.map { SharedWeights.store(ofFile: $0, options) }
  }

  package func weightSizes() throws(ApusError) -> [(type: String, byteCount: Int)] {
    try networks[0].graph().weightTypes.map { ($0.dataType.rawValue, $0.byteCount) }
  }

  /// A file has one network, which takes texts when it brings a vocabulary.
  package func network(for part: ModelPart, readingFirst output: Int) throws(ApusError) -> Network? {
    let texts = try textTower(readingFirst: output).map { Network(.text, TextNetwork(tower: $0), path: path) }
    return part == .text ? texts : texts == nil ? networks[0] : nil
  }

  /// A signature by its key, or else a subgraph by its name or position.
  /// - Throws: ``ApusError`` of kind `argument` that lists the signatures when there is neither.
  package func network(named name: String?) throws(ApusError) -> Network {
    guard let name else { return networks[0] }
    if !model.signatures.contains(where: { ExactText($0.key) == ExactText(name) }),
      let subgraph = try? model.subgraph(named: name)
    {
      return Self.network(of: importer, path, named: name, subgraph: subgraph.index)
    }
    let signature = try naming(path) { () throws(ApusError) in try model.signature(named: name) }
    return Self.network(of: importer, path, named: name, signature: signature.key)
  }
}
