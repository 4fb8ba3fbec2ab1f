import TensorCore

/// A checkpoint of PyTorch, `.bin`, `.pt` or `.pth`: read once, its tensors where they lie.
///
/// Such files hold Python's pickles, which may run any code when Python loads them. Here they are data: ``PickleMachine`` knows
/// the few names that tensors need, and refuses any other.
package struct CheckpointFile: TensorFile {
  package let path: String
  /// In the order in which they were saved.
  package let entries: [SafetensorsEntry]
  private let tensors: [CheckpointTensor]
  private let indices: [ExactText: Int]
  private let storages: [ExactText: Range<Int>]
  private let bytes: StoredBytes
  private let file: MappedFile?

  package var version: FileVersion? { file?.version }
  package var metadata: [ExactText: String] { [:] }

  /// How the names of such files end.
  package static let endings = ["bin", "pt", "pth", "ckpt"]

  /// Whether there is such a file at `path`, by its name and how it begins.
  package static func isCheckpoint(_ path: String) -> Bool {
    guard endings.contains(where: { ExactText($0) == ExactText(FileName.ending(of: path)) }),
      let bytes = FileBytes.beginning(of: path, count: CheckpointContents.markByteCount)
    else { return false }
    return CheckpointContents.mayBegin(bytes)
  }

  /// Maps a file and reads what it says of its tensors.
  /// - Throws: ``ApusError`` of kind `file` when it cannot be mapped, `malformedModel` when it is damaged, and
  ///   `unsupportedModel`, with the name of what it asks for, when it holds something else than tensors by name.
  package init(contentsOf path: String) throws(ApusError) {
    let file = try MappedFile(path)
    do {
      try self.init(StoredBytes(file.storage), file, path)
      try file.checkUndamaged()
    } catch {
      try file.checkUndamaged()
      throw error.inFile(path)
    }
  }

  /// Reads a file that is in memory.
  package init(_ bytes: [UInt8], named path: String) throws(ApusError) {
    let bytes = try StoredBytes(bytes)
    do {
      try self.init(bytes, nil, path)
    } catch {
      throw error.inFile(path)
    }
  }

  private init(_ bytes: StoredBytes, _ file: MappedFile?, _ path: String) throws(ApusError) {
    let contents = try CheckpointContents(bytes)
    let named = try StateDictionary(contents.value, contents.heap).tensors
    self.path = path
    self.bytes = bytes
    self.file = file
    storages = contents.storages
    tensors = named.map(\.tensor)
    entries = named.map { Self.entry($0.name, $0.tensor, contents.storages) }
    indices = Dictionary(
      named.enumerated().map { (ExactText($1.name), $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// - Returns: with the bytes of the file; those of elements that do not lie in order as if they began where the first is.
  private static func entry(
    _ name: String, _ tensor: CheckpointTensor, _ storages: [ExactText: Range<Int>]
  ) -> SafetensorsEntry {
    let start = (storages[tensor.storage.key]?.lowerBound ?? 0) + tensor.storage.start + tensor.offset
    return SafetensorsEntry(
      name: name, type: tensor.type, shape: tensor.shape.dimensions, bytes: start..<start + tensor.byteCount)
  }

  package subscript(name: String) -> SafetensorsEntry? { indices[ExactText(name)].map { entries[$0] } }

  /// A tensor: the bytes of the file themselves; a copy of them where they are misaligned for their type, or do not lie in
  /// order.
  /// - Throws: ``ApusError`` when the file has no such tensor, or one of a type that Apus does not read.
  package func tensor(_ name: String) throws(ApusError) -> Tensor {
    guard let index = indices[ExactText(name)] else {
      throw ApusError(.malformedModel, "no tensor is named '\(name.clipped)'", file: path)
    }
    do throws(ApusError) {
      let type = try entries[index].tensorType
      let start = entries[index].bytes.lowerBound
      if tensors[index].isDense { return try .stored(type, in: bytes.storage, at: start) }
      return try tensors[index].gathered(type, from: bytes, at: start)
    } catch {
      throw error.inFile(path)
    }
  }

  package func checkUndamaged() throws(ApusError) { try file?.checkUndamaged() }
}
