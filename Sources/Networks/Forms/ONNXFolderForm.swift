import Formats
import Graph
import Images
import Models
import TensorCore
import Text

/// A folder whose networks are ONNX files, with what says of which model they are, and how its inputs are prepared, beside
/// them.
struct ONNXFolderForm: ModelForm {
  private let folder: ModelFolder
  private let files: ONNXFolderFiles
  /// Weights as they are packed, for all shapes that come.
  private let packed = PackedWeightStore()
  let outputs: ModelOutputs
  let pair: Result<TowerPair, ApusError>?
  let networks: [Network]
  let preparation: Preparation

  /// - Parameter variant: of the files; nil for the plain ones.
  init(_ folder: ModelFolder, variant: String?) throws(ApusError) {
    self.folder = folder
    files = try ONNXFolderFiles(folder, variant: variant)
    let files = files
    let architecture = try naming(folder.path) { () throws(ApusError) in
      try FolderForm.architecture(of: folder) { (size) throws(ApusError) in
        try ModelArchitecture.load(folder, files, imageSize: size)
      }
    }
    outputs = architecture.outputs
    pair = architecture.pair
    networks = FolderForm.networks(architecture, path: folder.path)
    preparation = FolderForm.preparation(folder, architecture)
  }

  /// Whether a folder is opened as ONNX files by default: it has ONNX files, and no other weights.
  static func isMeant(_ folder: ModelFolder) -> Bool { !ONNXFiles(in: folder).isEmpty && !folder.hasWeights }

  var name: String { "ONNX" }
  var path: String { folder.path }
  var outerPath: String { folder.outer.path }
  var statesNumbers: Bool { true }
  var byteCount: Int { files.byteCount }
  var description: String { kind }

  func weightSizes() throws(ApusError) -> [(type: String, byteCount: Int)] {
    var sizes: [(type: String, byteCount: Int)] = []
    for network in networks {
      sizes += try network.graph().weightTypes.map { ($0.dataType.rawValue, $0.byteCount) }
    }
    return sizes
  }

  func network(for part: ModelPart, readingFirst output: Int) -> Network? {
    networks.first { $0.name == part.rawValue }
  }

  func network(named name: String?) throws(ApusError) -> Network {
    try FolderForm.network(named: name, of: networks, path: path)
  }

  func packedWeights(of network: Network, _ options: CompileOptions) -> PackedWeightStore? { packed }

  func tokenizer() throws(ApusError) -> Tokenizer { try Tokenizer(folder: folder) }

  func labels(ofOutput output: Int) throws(ApusError) -> LabelFile? {
    if case .classifier(let labels, _) = outputs { labels.map { LabelFile(labels: $0) } } else { nil }
  }
}
