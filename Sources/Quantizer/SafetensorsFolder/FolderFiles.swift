import CLibrary
import Formats
import TensorCore

/// The files of a model folder beside the weights.
struct FolderFiles {
  /// To be taken over as they are; paths in the folder.
  private(set) var copied: [String] = []
  /// Weights in forms that are not read, or that the new ones replace, and the card with the figures of the old.
  private(set) var leftOut: [String] = []

  private static let weightEndings = [
    ".safetensors", ".safetensors.index.json", ".bin", ".bin.index.json", ".pt", ".pth", ".ckpt", ".h5",
    ".msgpack", ".onnx", ".onnx_data", ".gguf", ".ot", ".tflite", ".mlmodel", ".pb",
  ]
  /// The card of a model, by the name that the Hugging Face hub knows.
  static let card = "README.md"
  /// The list of modules of sentence-transformers.
  private static let moduleList = "modules.json"
  /// Files that a folder may have, at most.
  private static let maximumCount = 10_000

  /// The folders of linear layers behind pooling, which keep their weights.
  private var modules: [String] = []

  /// - Throws: ``ApusError`` of kind `file` when the folder cannot be read or has too many files; `configuration` for a list of
  ///   modules that is none.
  init(in folder: String) throws(ApusError) {
    let list = "\(folder)/\(Self.moduleList)"
    if FileSystem.exists(list) {
      modules = try ModuleList(contentsOf: list).modules.filter { $0.type == "Dense" }.map { module in
        FileName.parts(of: module.path).filter { !$0.isEmpty && $0 != "." }.map { $0 + "/" }.joined()
      }
    }
    try read(folder, below: "")
    copied.sort()
    leftOut.sort()
  }

  /// Names that begin with a dot are nothing of the model's: caches and settings of tools.
  private mutating func read(_ folder: String, below prefix: String) throws(ApusError) {
    guard let names = FileSystem.names(in: folder) else {
      throw ApusError(.file, "cannot be read: \(String(cString: strerror(errno)))", file: folder)
    }
    for name in names where !name.hasPrefix(".") {
      let path = "\(folder)/\(name)"
      if FileSystem.isFolder(path) {
        guard FileName.parts(of: prefix).count < 9 else {
          throw ApusError(.file, "folders inside each other", expected: "at most 8", file: path)
        }
        try read(path, below: prefix + name + "/")
      } else if isReplaced(name, in: prefix) {
        leftOut.append(prefix + name)
      } else {
        copied.append(prefix + name)
      }
    }
    guard copied.count + leftOut.count <= Self.maximumCount else {
      throw ApusError(
        .file, "over \(Self.maximumCount) files", expected: "the folder of one model", file: folder)
    }
  }

  private func isReplaced(_ name: String, in prefix: String) -> Bool {
    guard prefix + name != Self.card else { return true }
    return Self.weightEndings.contains(where: name.hasSuffix)
      && !modules.contains { ExactText($0) == ExactText(prefix) }
  }

  /// Copies the files byte for byte.
  func copy(from source: String, to target: NewFolder) throws(ApusError) {
    for name in copied {
      let bytes = try FileBytes.read("\(source)/\(name)", limit: 1 << 30)
      let folder = FileName.folder(of: name)
      if !folder.isEmpty { try target.makeFolder(folder) }
      let file = try NewFile(replacing: "\(target.path)/\(name)")
      try file.write(bytes)
      try file.commit()
    }
  }
}
