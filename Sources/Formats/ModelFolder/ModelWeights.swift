import TensorCore

/// Which file of a folder has the weights.
enum ModelWeights {
  /// Names under which libraries save weights.
  private static let plain = ["model.safetensors", "model.safetensors.index.json"]
  private static let openCLIP = ["open_clip_model.safetensors", "open_clip_pytorch_model.safetensors"]
  private static let others = ["diffusion_pytorch_model.safetensors"]
  /// The same as checkpoints of PyTorch, which libraries read where there is no safetensors file.
  private static let plainCheckpoints = ["pytorch_model.bin", "pytorch_model.bin.index.json"]
  private static let openCLIPCheckpoints = ["open_clip_pytorch_model.bin"]
  /// What training needs to go on, beside the weights.
  private static let trainingNames = ["optimizer", "scheduler", "scaler", "rng_state", "training_args"]
  /// Weights in forms that Apus does not read: TensorFlow's, JAX's and others.
  private static let foreign = [".h5", ".msgpack", ".onnx", ".gguf"]
  /// How the names of those begin that the libraries look for; training leaves others beside them.
  private static let foreignLibraryNames = ["tf_model", "flax_model"]
  private static let wanted = "model.safetensors or pytorch_model.bin"

  static func isWeights(_ name: String) -> Bool {
    name.hasSuffix(".safetensors") || name.hasSuffix(".safetensors.index.json")
      || (plainCheckpoints + openCLIPCheckpoints).contains { ExactText($0) == ExactText(name) }
  }

  /// Whether a folder has weights under the names that transformers gives them, and not just a checkpoint of them beside
  /// OpenCLIP's own.
  static func arePlain(in folder: ModelFolder) -> Bool {
    func has(_ names: [String]) -> Bool { names.contains { folder.file($0) != nil } }
    return has(plain) || has(plainCheckpoints) && !has(openCLIP)
  }

  /// - Throws: ``ApusError`` of kind `file` when there is no such file, or several and none has a known name; of kind
  ///   `unsupportedModel` when the library would read weights in another form.
  static func fileName(in folder: ModelFolder) throws(ApusError) -> String {
    let known =
      try folder.isOpenCLIP()
      ? openCLIP + plain + openCLIPCheckpoints + plainCheckpoints : plain + plainCheckpoints
    if let name = known.first(where: { folder.file($0) != nil }) { return name }
    let names = folder.names
    let unread = foreignName(names)
    let checkpoints = names.filter { isCheckpoint($0, folder) }
    if let name = unusualName(names, folder) ?? (checkpoints.count == 1 ? checkpoints.first : nil) {
      guard let foreign = unread, foreignLibraryNames.contains(where: foreign.hasPrefix) else { return name }
      throw ApusError(
        .unsupportedModel, "has weights as \(foreign.clipped), and \(name.clipped) beside it",
        expected: wanted, file: folder.path,
        advice: advice + " Or name \(name.clipped) as those are named, if it has the model's weights.")
    }
    let files = names.filter { $0.hasSuffix(".safetensors") }
    let several = files.isEmpty ? (checkpoints, "checkpoints") : (files, "safetensors files")
    if !several.0.isEmpty {
      let ending = files.isEmpty ? "pytorch_model.bin" : "model.safetensors"
      throw ApusError(
        .file, "has \(several.0.count) \(several.1) and no index", expected: ending,
        file: folder.path, advice: "Name the one with the model's weights \(ending).")
    }
    guard let foreign = unread else {
      try requireNoFiles(names, folder)
      throw ApusError(.file, "has no weights", expected: wanted, file: folder.path)
    }
    throw ApusError(
      .unsupportedModel, "has its weights as \(foreign.clipped) only", expected: wanted,
      file: folder.path, advice: advice)
  }

  private static let advice = "Export the model with safe_serialization=True in Hugging Face transformers."

  /// Whether a file under any name is a checkpoint, and none of what training keeps for itself.
  private static func isCheckpoint(_ name: String, _ folder: ModelFolder) -> Bool {
    !trainingNames.contains(where: name.hasPrefix) && CheckpointFile.isCheckpoint("\(folder.path)/\(name)")
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
    return found.first { name in foreignLibraryNames.contains(where: name.hasPrefix) } ?? found.first
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
}
