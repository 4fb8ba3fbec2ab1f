import TensorCore

/// The tensors of a model: those of one safetensors file or checkpoint of PyTorch, or of several that an index binds together.
package struct SafetensorsCollection: Sendable {
  private let files: [any TensorFile]
  /// The file, by its place in ``files``, of each tensor.
  private let fileOfTensor: [ExactText: Int]
  /// The names of all tensors, sorted by their bytes.
  package let names: [String]
  /// The path to name in errors that concern no tensor of the model: the file, or the index.
  package let path: String

  package init(_ file: any TensorFile) {
    files = [file]
    fileOfTensor = Dictionary(
      file.entries.map { (ExactText($0.name), 0) }, uniquingKeysWith: { first, _ in first })
    names = fileOfTensor.keys.sorted().map(\.text)
    path = file.path
  }

  /// Opens a `.safetensors` file or a checkpoint, or the shards of a `.safetensors.index.json` or `.bin.index.json`.
  /// - Throws: ``ApusError`` that names the index or shard: missing, malformed, lacking a tensor that the index
  ///   promises, or holding one that another shard has too.
  package init(contentsOf path: String) throws(ApusError) {
    guard path.hasSuffix(".json") else {
      self.init(try Self.file(path))
      return
    }
    try self.init(index: try SafetensorsIndex(contentsOf: path), path)
  }

  private init(index: SafetensorsIndex, _ path: String) throws(ApusError) {
    let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? ""
    var files: [any TensorFile] = []
    for shard in index.shards { files.append(try Self.open(shard, in: folder, of: path)) }
    try Self.checkDuplicates(files)
    for (name, place) in index.shardOfTensor where files[place][name.text] == nil {
      throw ApusError(
        .malformedModel, "the index says that tensor '\(name.clipped)' is in this file, which lacks it",
        file: files[place].path, advice: "The folder may mix files of two models or two downloads.")
    }
    self.files = files
    self.path = path
    fileOfTensor = index.shardOfTensor
    names = fileOfTensor.keys.sorted().map(\.text)
  }

  private static func file(_ path: String) throws(ApusError) -> any TensorFile {
    let ending = ExactText(FileName.ending(of: path))
    let isCheckpoint = CheckpointFile.endings.contains { ExactText($0) == ending }
    return isCheckpoint ? try CheckpointFile(contentsOf: path) : try SafetensorsFile(contentsOf: path)
  }

  private static func open(
    _ shard: String, in folder: String, of index: String
  ) throws(ApusError) -> any TensorFile {
    do {
      return try file(folder + shard)
    } catch {
      guard error.kind == .file else { throw error }
      throw ApusError(
        .file, "the shard '\(shard.clipped)' \(error.problem)", file: index,
        advice: "Every file named by the index must be in its folder.")
    }
  }

  /// Tensors that two shards hold are ambiguous, also when the index does not mention them.
  private static func checkDuplicates(_ files: [any TensorFile]) throws(ApusError) {
    var holder: [ExactText: Int] = [:]
    for (place, file) in files.enumerated() {
      for entry in file.entries {
        guard let other = holder.updateValue(place, forKey: ExactText(entry.name)) else { continue }
        throw ApusError(
          .malformedModel, "is also in \(files[other].path)", expected: "each tensor in one shard",
          at: entry.label, file: file.path)
      }
    }
  }

  /// The paths of the files that hold the tensors.
  package var paths: [String] { files.map(\.path) }

  /// Which files those were when they were opened.
  package var fileVersions: [FileVersion] { files.compactMap(\.version) }

  /// What the files say of themselves under `__metadata__`; of the first file where two disagree.
  package var metadata: [ExactText: String] {
    files.reduce(into: [:]) { result, file in result.merge(file.metadata) { first, _ in first } }
  }

  /// Bytes of all tensors as they are stored.
  package var byteCount: Int { names.reduce(0) { $0 + (self[$1]?.bytes.count ?? 0) } }

  /// What is known of a tensor without reading it; nil when there is none of that name.
  package subscript(name: String) -> SafetensorsEntry? {
    fileOfTensor[ExactText(name)].flatMap { files[$0][name] }
  }

  package func contains(_ name: String) -> Bool { fileOfTensor[ExactText(name)] != nil }

  /// Whether any tensor's name begins with `prefix`. Takes few steps for any number of tensors.
  package func hasNames(startingWith prefix: String) -> Bool {
    var lower = 0, upper = names.count
    while lower < upper {
      let middle = (lower + upper) / 2
      if names[middle].utf8.lexicographicallyPrecedes(prefix.utf8) {
        lower = middle + 1
      } else {
        upper = middle
      }
    }
    return lower < names.count && names[lower].utf8.starts(with: prefix.utf8)
  }

  /// The path of the file that holds a tensor, or the collection's own when none does.
  package func path(of name: String) -> String {
    fileOfTensor[ExactText(name)].map { files[$0].path } ?? path
  }

  /// A tensor: the mapped bytes themselves wherever they are aligned.
  /// - Throws: ``ApusError`` when there is none of that name, or its type is not one that Apus reads.
  package func tensor(_ name: String) throws(ApusError) -> Tensor {
    guard let place = fileOfTensor[ExactText(name)] else {
      throw ApusError(.malformedModel, "no tensor is named '\(name.clipped)'", file: path)
    }
    return try files[place].tensor(name)
  }

  /// - Throws: ``ApusError`` of kind `file` when a file shrank since it was opened: tensors may have been read as
  ///   zeros. To be called after the weights were read.
  package func checkUndamaged() throws(ApusError) {
    for file in files { try file.checkUndamaged() }
  }
}
