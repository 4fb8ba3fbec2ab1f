import TensorCore

/// The files of one model: a folder as the Hugging Face libraries write and download it.
package struct ModelFolder: Sendable {
  /// The folder with the model's own files, without a slash at the end.
  package let path: String
  /// The folder that was asked for: the same, but where `modules.json` puts the model into one below, as
  /// sentence-transformers did (`0_Transformer`, `0_CLIPModel`).
  private let outerPath: String
  /// What the caller asked for: a path, or the name of a repository.
  package let name: String
  /// The repository that the folder is a part of the cache for; nil for a plain folder.
  private let repository: RepositoryName?
  /// What takes down what is read; nil for nothing.
  private var record: ConfigurationRecord?

  /// Configuration files over so many bytes are refused.
  package static let maximumConfigurationByteCount = 16 << 20

  /// - Parameter pathOrRepository: a folder; or `owner/name` or `owner/name@revision`, which is looked for in the
  ///   Hugging Face cache.
  /// - Throws: ``ApusError`` of kind `file` when there is neither; it says what was searched and which command
  ///   would fetch the repository.
  package init(
    _ pathOrRepository: String, cache: HuggingFaceCache = HuggingFaceCache()
  ) throws(ApusError) {
    name = pathOrRepository
    if FileSystem.isFolder(pathOrRepository) {
      outerPath = Self.withoutFinalSlash(pathOrRepository)
      repository = nil
      _ = try FileSystem.entries(of: pathOrRepository)
    } else if FileSystem.isFile(pathOrRepository) {
      throw ApusError(
        .file, "is a file", expected: "the folder of a model", file: pathOrRepository,
        advice: "Give the folder that has config.json and the weights.")
    } else if let repository = RepositoryName(pathOrRepository) {
      outerPath = try cache.folder(of: repository)
      self.repository = repository
    } else {
      throw ApusError(
        .file, "is no folder", expected: "the folder of a model, or a repository such as owner/name",
        file: pathOrRepository)
    }
    path = try Self.innerPath(outerPath)
  }

  private init(outerOf folder: ModelFolder) {
    (path, outerPath) = (folder.outerPath, folder.outerPath)
    (name, repository, record) = (folder.name, folder.repository, folder.record)
  }

  /// The same folder, whose configuration files are taken down in `record` when they have been read.
  package func recording(in record: ConfigurationRecord) -> ModelFolder {
    var folder = self
    folder.record = record
    return folder
  }

  /// The folder of `modules.json`, whose modules beside the model lie there.
  package var outer: ModelFolder { ModelFolder(outerOf: self) }

  /// Whether it was found in the cache, by the name of a repository.
  package var isRepository: Bool { repository != nil }

  /// Whether the model lies below the folder that was asked for.
  package var isInside: Bool { path != outerPath }

  /// Modules of sentence-transformers that are a model of transformers.
  private static let modelModules: Set = ["Transformer", "CLIPModel"]

  /// Names the modules of a folder in which the files of a model are missing, where they are of another kind.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` for a list of modules that begins with another one.
  package func requireModelModule() throws(ApusError) {
    guard let list = outer.file("modules.json") else { return }
    let types = try ModuleList(contentsOf: list).modules.map(\.type)
    guard let first = types.first, !Self.modelModules.contains(first) else { return }
    throw ApusError(
      .unsupportedModel, "the modules \(types.joined(separator: ", ").clipped)",
      expected: "Transformer before the others", file: list)
  }

  private static func innerPath(_ folder: String) throws(ApusError) -> String {
    let list = "\(folder)/modules.json"
    guard FileSystem.isFile(list), let module = try ModuleList(contentsOf: list).modules.first,
      modelModules.contains(module.type), !module.path.isEmpty
    else { return folder }
    let inner = "\(folder)/\(module.path)"
    guard FileSystem.isFolder(inner) else {
      throw ApusError(.file, "the folder of the module \(module.type) is not there", file: inner)
    }
    return inner
  }

  private static func withoutFinalSlash(_ path: String) -> String {
    var path = path[...]
    while path.count > 1, path.last == "/" { path.removeLast() }
    return String(path)
  }

  /// The path of a file, such as `tokenizer.json` or `1_Pooling/config.json`; nil when it is not there.
  package func file(_ name: String) -> String? {
    let file = "\(path)/\(name)"
    return FileSystem.isFile(file) ? file : nil
  }

  /// The names of what is in the folder, sorted.
  package var names: [String] { FileSystem.names(in: path) ?? [] }

  /// Reads a configuration file. A key that `body` neither asks for nor passes over is refused when it is done.
  /// - Throws: ``ApusError`` when the file is missing, too large or no JSON object, or has such a key.
  package func reading<Result>(
    _ name: String = "config.json", _ body: (ConfigurationReader) throws(ApusError) -> Result
  ) throws(ApusError) -> Result {
    let reader = try configuration(name)
    let result = try body(reader)
    try reader.requireAllRead()
    record?.add(reader, file: name)
    return result
  }

  /// The same, or nil when there is no file of that name.
  package func readingIfPresent<Result>(
    _ name: String, _ body: (ConfigurationReader) throws(ApusError) -> Result?
  ) throws(ApusError) -> Result? {
    file(name) == nil ? nil : try reading(name, body)
  }

  /// What `config.json` says about the model as a whole to the readers of other files: one of its texts, such as
  /// `model_type`; nil when there is no such file or key.
  package func modelText(_ key: String) throws(ApusError) -> String? {
    file("config.json") == nil ? nil : try configuration().optionalString(key)
  }

  /// The configuration of OpenCLIP's folders.
  package static let openCLIPFile = "open_clip_config.json"

  /// Whether the model is read as OpenCLIP's. Where transformers' files of it are there too, which name an architecture,
  /// they are read as transformers does.
  package func isOpenCLIP() throws(ApusError) -> Bool {
    guard file(Self.openCLIPFile) != nil else { return false }
    guard ModelWeights.arePlain(in: self), file("config.json") != nil else { return true }
    return !(try configuration().has("architectures"))
  }

  /// A configuration file, whose keys are then the caller's to account for.
  func configuration(_ name: String = "config.json") throws(ApusError) -> ConfigurationReader {
    do {
      return try ConfigurationReader(
        contentsOf: "\(path)/\(name)", limit: Self.maximumConfigurationByteCount)
    } catch {
      throw advised(error)
    }
  }

  /// Whether files of that name are the weights of a model: safetensors, and checkpoints by the names that libraries give
  /// them.
  package static func isWeights(_ name: String) -> Bool { ModelWeights.isWeights(name) }

  /// Whether there are weights that ``weights()`` reads.
  package var hasWeights: Bool { (try? ModelWeights.fileName(in: self)) != nil }

  /// The tensors of the model.
  /// - Throws: ``ApusError`` when there are none as safetensors or in checkpoints of PyTorch, or the files are malformed, or
  ///   an adapter is beside them.
  package func weights() throws(ApusError) -> SafetensorsCollection {
    try requireNoAdapter()
    do {
      return try SafetensorsCollection(contentsOf: "\(path)/\(try ModelWeights.fileName(in: self))")
    } catch {
      if error.kind == .file { try requireModelModule() }
      throw advised(error)
    }
  }

  /// Refuses a model whose weights the library changes by those of an adapter, which Apus does not read.
  private func requireNoAdapter() throws(ApusError) {
    guard let file = file("adapter_config.json") else { return }
    throw ApusError(
      .unsupportedModel,
      "is the configuration of an adapter, such as LoRA's, which changes the model's weights",
      expected: "weights with the adapter merged into them", file: file,
      advice:
        "Merge it in Python with peft: model = model.merge_and_unload(), then model.save_pretrained(folder).")
  }

  /// The error with the command that fetches the repository, of which the cache may hold a part only.
  private func advised(_ error: ApusError) -> ApusError {
    guard error.kind == .file, error.advice == nil, let repository else { return error }
    var error = error
    error.advice = repository.fetchAdvice
    return error
  }
}
