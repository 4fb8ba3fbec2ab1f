import Formats
import Graph
import Models
import TensorCore
import Text

/// An `.onnx` file that was read.
package struct ONNXForm: ModelForm {
  package let path: String
  private let importer: ONNXImporter
  package let networks: [Network]

  /// - Throws: ``ApusError`` with the file's name: it cannot be read, or its bytes break the rules of ONNX.
  package init(_ path: String) throws(ApusError) {
    importer = try ONNXLoader.load(path)
    self.path = path
    networks = [Network(named: "main", path: path, FileNetwork(importer: importer))]
  }

  private var model: ONNXModel { importer.model }

  package var name: String { "ONNX" }
  package var fileEnding: String? { "onnx" }
  package var outputs: ModelOutputs { .unstated }
  package var statesNumbers: Bool { true }
  package var byteCount: Int { model.bytes.count }

  /// The note in the file, else what it was exported with.
  package var description: String { model.note.isEmpty ? model.producer : model.note }

  package var preparation: Preparation {
    Preparation(path: path, companions: CompanionFiles(beside: path)) { [networks] () throws(ApusError) in
      try networks[0].inputs().first
    } profile: { [model] (input) throws(ApusError) in
      try InputRecipe.profile(ONNXClassMetadata(of: model), input: input)
    }
  }

  package func labels(ofOutput output: Int) throws(ApusError) -> LabelFile? {
    guard output == 0 else { return nil }
    return try naming(path) { () throws(ApusError) in try ONNXClassMetadata(of: model).labels() }
  }

  package func packedWeights(of network: Network, _ options: CompileOptions) -> PackedWeightStore? {
    model.bytes.mappedFile.map { SharedWeights.store(ofFile: $0, options) }
  }

  package func weightSizes() throws(ApusError) -> [(type: String, byteCount: Int)] {
    try networks[0].graph().weightTypes.map { ($0.dataType.rawValue, $0.byteCount) }
  }

  package func network(for part: ModelPart, readingFirst output: Int) throws(ApusError) -> Network? {
    part == .image ? networks[0] : nil
  }

  /// - Throws: ``ApusError`` of kind `argument` when one is named: a file has one network.
  package func network(named name: String?) throws(ApusError) -> Network {
    guard let name, ExactText(name) != "main" else { return networks[0] }
    throw ApusError(
      .argument, "no network '\(name)'", expected: "the one network, without a name", file: path)
  }

  package func tokenizer() throws(ApusError) -> Tokenizer {
    throw ApusError(
      .unsupportedModel, "an ONNX file has no tokenizer", expected: "a folder with tokenizer.json", file: path
    )
  }
}
