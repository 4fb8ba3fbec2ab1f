import TensorCore

/// The files of one model: a folder as the Hugging Face libraries write and download it.
package struct ModelFolder: Sendable {
  /// The folder, without a slash at the end.
  package let path: String
  /// What the caller asked for: a path, or the name of a repository.
  package let name: String
  /// The repository that the folder is a part of the cache for; nil for a plain folder.
  private let repository: RepositoryName?

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
      path = Self.withoutFinalSlash(pathOrRepository)
      repository = nil
    } else if FileSystem.isFile(pathOrRepository) {
      throw ApusError(
        .file, "is a file", expected: "the folder of a model", file: pathOrRepository,
        advice: "Give the folder that has config.json and the weights.")
    } else if let repository = RepositoryName(pathOrRepository) {
      path = try cache.folder(of: repository)
      self.repository = repository
    } else {
      throw ApusError(
        .file, "is no folder", expected: "the folder of a model, or a repository such as owner/name",
        file: pathOrRepository)
    }
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
  package var names: [String] { FileSystem.names(in: path) }

  /// A configuration file.
  /// - Throws: ``ApusError`` when it is missing, too large or no JSON object.
  package func configuration(_ name: String = "config.json") throws(ApusError) -> ConfigurationReader {
    do {
      return try ConfigurationReader(
        contentsOf: "\(path)/\(name)", limit: Self.maximumConfigurationByteCount)
    } catch {
      throw advised(error)
    }
  }

  /// A configuration file, or nil when there is none of that name.
  package func optionalConfiguration(_ name: String) throws(ApusError) -> ConfigurationReader? {
    file(name) == nil ? nil : try configuration(name)
  }

  /// The tensors of the model.
  /// - Throws: ``ApusError`` when there are none in safetensors form, or the files are malformed.
  package func weights() throws(ApusError) -> SafetensorsCollection {
    do {
      return try SafetensorsCollection(contentsOf: "\(path)/\(try ModelWeights.fileName(in: self))")
    } catch {
      throw advised(error)
    }
  }

  /// The error with the command that fetches the repository, of which the cache may hold a part only.
  private func advised(_ error: ApusError) -> ApusError {
    guard error.kind == .file, error.advice == nil, let repository else { return error }
    var error = error
    error.advice = repository.fetchAdvice
    return error
  }
}
