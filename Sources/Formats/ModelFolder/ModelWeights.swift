import TensorCore

/// Which file of a folder has the weights.
enum ModelWeights {
  /// Names under which libraries save weights.
  private static let plain = ["model.safetensors", "model.safetensors.index.json"]
  private static let openCLIP = ["open_clip_model.safetensors", "open_clip_pytorch_model.safetensors"]
  private static let others = ["diffusion_pytorch_model.safetensors"]
  /// Weights in forms that Apus does not read: Python objects, TensorFlow's, JAX's.
  private static let foreign = [".bin", ".pt", ".pth", ".ckpt", ".h5", ".msgpack", ".onnx", ".gguf"]

  /// Whether a folder has weights under the names that transformers gives them.
  static func arePlain(in folder: ModelFolder) -> Bool { plain.contains { folder.file($0) != nil } }

  /// - Throws: ``ApusError`` of kind `file` when there is no such file, or several and none has a known name.
  static func fileName(in folder: ModelFolder) throws(ApusError) -> String {
    let known = try folder.isOpenCLIP() ? openCLIP + plain : plain + openCLIP
    if let name = (known + others).first(where: { folder.file($0) != nil }) { return name }
    let names = folder.names
    let indices = names.filter { $0.hasSuffix(".safetensors.index.json") }
    let files = names.filter { $0.hasSuffix(".safetensors") }
    if let only = indices.first ?? files.first, indices.count == 1 || files.count == 1 { return only }
    if !files.isEmpty {
      throw ApusError(
        .file, "has \(files.count) safetensors files and no index", expected: "model.safetensors",
        file: folder.path, advice: "Name the one with the model's weights model.safetensors.")
    }
    let others = names.filter { name in foreign.contains { name.hasSuffix($0) } }
    guard let other = others.first else {
      try requireNoFiles(names, folder)
      throw ApusError(.file, "has no weights", expected: "model.safetensors", file: folder.path)
    }
    throw ApusError(
      .unsupportedModel, "has its weights as \(other.clipped) only", expected: "model.safetensors",
      file: folder.path, advice: advice(for: other))
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
    guard name.hasSuffix(".bin") || name.hasSuffix(".pt") || name.hasSuffix(".pth") else {
      return "Export the model with safe_serialization=True in Hugging Face transformers."
    }
    return "Such files hold Python objects, which run code when loaded. Convert it in Python: "
      + "AutoModel.from_pretrained(folder).save_pretrained(folder, safe_serialization=True)."
  }
}
