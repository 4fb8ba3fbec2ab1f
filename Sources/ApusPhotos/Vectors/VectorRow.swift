/// The vector of one content, as the database has it.
package struct VectorRow: Sendable, Equatable {
  /// The content's number in the database, at least 0.
  package var contentID: Int64
  /// The vector, of about unit length, as it is stored.
  package var numbers: [Float16]

  package init(contentID: Int64, numbers: [Float16]) {
    self.contentID = contentID
    self.numbers = numbers
  }

  /// A vector from the bytes of a database: little-endian float16. An odd byte at the end is left out.
  package init(contentID: Int64, bytes: UnsafeRawBufferPointer) {
    let numbers = [Float16](unsafeUninitializedCapacity: bytes.count / 2) { target, count in
      count = bytes.count / 2
      UnsafeMutableRawBufferPointer(target).copyMemory(
        from: UnsafeRawBufferPointer(rebasing: bytes.prefix(2 * count)))
    }
    self.init(contentID: contentID, numbers: numbers)
  }
}
