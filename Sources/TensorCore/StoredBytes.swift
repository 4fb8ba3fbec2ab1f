/// Bytes in the memory of a ``TensorStorage``, read as a collection: a file, say, of which tensors refer to parts.
package struct StoredBytes: RandomAccessCollection, Sendable {
  package let storage: TensorStorage

  package init(_ storage: TensorStorage) { self.storage = storage }

  /// A copy of the bytes.
  /// - Throws: ``ApusError`` of kind `resources` when there is no memory for it.
  package init(_ bytes: [UInt8]) throws(ApusError) { storage = try TensorStorage(copying: bytes) }

  package var startIndex: Int { 0 }
  package var endIndex: Int { storage.byteCount }

  package subscript(position: Int) -> UInt8 {
    precondition(position >= 0 && position < storage.byteCount, "a byte that there is not")
    return storage.base.load(fromByteOffset: position, as: UInt8.self)
  }

  /// The little-endian integer that begins at a position, of which all bytes are there.
  package func integer<Number: FixedWidthInteger & BitwiseCopyable>(at position: Int) -> Number {
    precondition(
      position >= 0 && position <= storage.byteCount - MemoryLayout<Number>.size, "bytes that there are not")
    return Number(littleEndian: storage.base.loadUnaligned(fromByteOffset: position, as: Number.self))
  }

  /// The bytes of a range that is there as they are at this moment: those of a mapped file change with the file.
  /// - Throws: ``ApusError`` of kind `resources` when there is no memory for them.
  package func copy(of range: Range<Int>) throws(ApusError) -> StoredBytes {
    precondition(range.lowerBound >= 0 && range.upperBound <= storage.byteCount, "bytes that there are not")
    let copy = try TensorStorage(byteCount: range.count)
    copy.base.copyMemory(from: storage.base + range.lowerBound, byteCount: range.count)
    return StoredBytes(copy)
  }

  /// The file whose mapping the bytes are; nil when they are in memory of their own.
  package var mappedFile: MappedFile? { storage.owner as? MappedFile }

  package func withContiguousStorageIfAvailable<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result? {
    let bytes = UnsafeRawBufferPointer(start: storage.base, count: storage.byteCount)
    return try bytes.withMemoryRebound(to: UInt8.self, body)
  }
}

extension Slice where Base == StoredBytes {
  /// The bytes as text, U+FFFD for those that are no UTF-8: of a copy, as a mapped file may change between the check of
  /// its bytes and their use.
  package var text: String { String(decoding: Array(self), as: UTF8.self) }

  /// The same; nil where there are bytes that are no UTF-8.
  package var validText: String? { String(validating: Array(self), as: UTF8.self) }
}
