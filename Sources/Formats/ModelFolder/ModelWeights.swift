import TensorCore

/// Which file of a folder has the weights.
enum ModelWeights {
  /// Names under which libraries save weights.
  private static let plain = ["model.safetensors", "model.safetensors.index.json"]
  private static let openCLIP = ["open_clip_model.safetensors", "open_clip_pytorch_model.safetensors"]
  private static let others = ["diffusion_pytorch_model.safetensors"]
  /// Weights in forms that Apus does not read: Python objects, TensorFlow's, JAX's.
  /// How the names of files begin that the libraries look for; training leaves others beside them.
  private static let libraryNames = ["pytorch_model", "open_clip_pytorch_model", "tf_model", "flax_model"]
  private static let foreign = [
    ".bin", ".bin.index.json", ".pt", ".pth", ".ckpt", ".h5", ".msgpack", ".onnx", ".gguf",
  ]

  /// Whether a folder has weights under the names that transformers gives them.
  static func arePlain(in folder: ModelFolder) -> Bool { plain.contains { folder.file($0) != nil } }

  /// - Throws: ``ApusError`` of kind `file` when there is no such file, or several and none has a known name; of kind
  ///   `unsupportedModel` when the library would read weights in another form.
  static func fileName(in folder: ModelFolder) throws(ApusError) -> String {
    let known = try folder.isOpenCLIP() ? openCLIP + plain : plain
    if let name = known.first(where: { folder.file($0) != nil }) { return name }
    let names = folder.names
    let unread = foreignName(names)
    if let name = unusualName(names, folder) {
      guard let foreign = unread, libraryNames.contains(where: foreign.hasPrefix) else { return name }
      throw ApusError(
        .unsupportedModel, "has weights as \(foreign.clipped), and \(name.clipped) beside it",
        expected: "model.safetensors", file: folder.path,
        advice: advice(for: foreign)
          + " Or name \(name.clipped) model.safetensors, if it has the model's weights.")
    }
    let files = names.filter { $0.hasSuffix(".safetensors") }
    if !files.isEmpty {
      throw ApusError(
        .file, "has \(files.count) safetensors files and no index", expected: "model.safetensors",
        file: folder.path, advice: "Name the one with the model's weights model.safetensors.")
    }
    guard let foreign = unread else {
      try requireNoFiles(names, folder)
      throw ApusError(.file, "has no weights", expected: "model.safetensors", file: folder.path)
    }
    throw ApusError(
      .unsupportedModel, "has its weights as \(foreign.clipped) only", expected: "model.safetensors",
      file: folder.path, advice: advice(for: foreign))
  }

  /// A file of weights that no library looks for by its name, where it is clear which one is meant.
  private static func unusualName(_ names: [String], _ folder: ModelFolder) -> String? {
    if let name = others.first(where: { folder.file($0) != nil }) { return name }
    let indices = names.filter { $0.hasSuffix(".safetensors.index.json") }
    let files = names.filter { $0.hasSuffix(".safetensors") }
    return indices.count == 1 || files.count == 1 ? indices.first ?? files.first : nil
  }

  /// Weights in a form that Apus does not read, those under a library's own name first.
  private static func foreignName(_ names: [String]) -> String? {
    let found = names.filter { name in foreign.contains { name.hasSuffix($0) } }
    return found.first { name in libraryNames.contains(where: name.hasPrefix) } ?? found.first
  }

  /// Refuses a folder that `.tflite` files lie in, each of which is a model.
  private static func requireNoFiles(_ names: [String], _ folder: ModelFolder) throws(ApusError) {
    let files = names.filter { $0.hasSuffix(".tflite") }
    guard !files.isEmpty else { return }
    let shown = files.prefix(8).map { "\(folder.path)/\($0)" }
    let rest = files.count > shown.count ? ", and \(files.count - shown.count) more" : ""
    throw ApusError(
      .file, "is a folder with \(files.count == 1 ? "a .tflite file" : "\(files.count) .tflite files")",
      expected: "\(files.count == 1 ? "that file" : "one of them"): \(shown.joined(separator: ", "))\(rest)",
      file: folder.path)
  }

  private static func advice(for name: String) -> String {
    guard [".bin", ".bin.index.json", ".pt", ".pth"].contains(where: { name.hasSuffix($0) }) else {
      return "Export the model with safe_serialization=True in Hugging Face transformers."
    }
    return "Such files hold Python objects, which run code when loaded. Convert it in Python: "
      + "AutoModel.from_pretrained(folder).save_pretrained(folder, safe_serialization=True)."
  }
}
