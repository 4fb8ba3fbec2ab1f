import TensorCore

/// A safetensors file: verified once, its tensors read where they lie.
package struct SafetensorsFile: TensorFile {
  package let path: String
  /// The texts under `__metadata__`.
  package let metadata: [ExactText: String]
  /// All tensors, in the order of the data.
  package let entries: [SafetensorsEntry]
  private let indices: [ExactText: Int]
  private let storage: TensorStorage
  private let file: MappedFile?
  /// Where the data begin in the storage.
  private let dataStart: Int

  /// Which file it was when it was mapped; nil of one in memory.
  package var version: FileVersion? { file?.version }

  /// Maps a file and verifies its header.
  /// - Throws: ``ApusError`` of kind `file` when it cannot be mapped, and of kind `malformedModel` when it breaks
  ///   a rule of the format.
  package init(contentsOf path: String) throws(ApusError) {
    let file = try MappedFile(path)
    do {
      try self.init(file.storage, file, path)
      try file.checkUndamaged()
    } catch {
      try file.checkUndamaged()
      throw error.inFile(path)
    }
  }

  /// Reads a file that is in memory.
  package init(_ bytes: [UInt8], named path: String) throws(ApusError) {
    let storage = try TensorStorage(copying: bytes)
    do {
      try self.init(storage, nil, path)
    } catch {
      throw error.inFile(path)
    }
  }

  private init(_ storage: TensorStorage, _ file: MappedFile?, _ path: String) throws(ApusError) {
    let prefix = Self.bytes(storage, 0..<min(SafetensorsHeader.lengthByteCount, storage.byteCount))
    let count = try SafetensorsHeader.byteCount(prefix, fileByteCount: storage.byteCount)
    dataStart = SafetensorsHeader.lengthByteCount + count
    let text = Self.bytes(storage, SafetensorsHeader.lengthByteCount..<dataStart)
    let header = try SafetensorsHeader(text, dataByteCount: storage.byteCount - dataStart)
    self.path = path
    self.storage = storage
    self.file = file
    metadata = header.metadata
    entries = header.entries
    indices = Dictionary(
      entries.enumerated().map { (ExactText($1.name), $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// What the header says of a tensor; nil when the file has none of that name.
  package subscript(name: String) -> SafetensorsEntry? {
    indices[ExactText(name)].map { entries[$0] }
  }

  /// A tensor: the bytes of the file themselves, or a copy of them where they are misaligned for their type.
  /// - Throws: ``ApusError`` when the file has no such tensor, or one of a type that Apus does not read.
  package func tensor(_ name: String) throws(ApusError) -> Tensor {
    guard let entry = self[name] else {
      throw ApusError(.malformedModel, "no tensor is named '\(name.clipped)'", file: path)
    }
    let type: TensorType
    do {
      type = try entry.tensorType
    } catch {
      throw error.inFile(path)
    }
    return try .stored(type, in: storage, at: dataStart + entry.bytes.lowerBound)
  }

  /// - Throws: ``ApusError`` of kind `file` when the file shrank while it was being read, so that tensors read
  ///   since it was opened may hold zeros.
  package func checkUndamaged() throws(ApusError) { try file?.checkUndamaged() }

  private static func bytes(_ storage: TensorStorage, _ range: Range<Int>) -> [UInt8] {
    defer { withExtendedLifetime(storage) {} }
    return unsafe Array(UnsafeRawBufferPointer(start: storage.base + range.lowerBound, count: range.count))
  }
}
