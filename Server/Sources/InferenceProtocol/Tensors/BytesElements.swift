import Apus

/// The binary form of BYTES: each element is its length, 4 bytes little-endian, and as many bytes.
enum BytesElements {
  /// - Throws: ``ApusError`` unless the bytes are exactly those of `count` elements; it goes on from the
  ///   tensor's name.
  static func check(_ bytes: ArraySlice<UInt8>, count: Int) throws(ApusError) {
    var rest = bytes
    var found = 0
    while !rest.isEmpty {
      guard take(from: &rest) != nil else {
        throw ApusError(
          .argument, "has \(rest.count) bytes at its end that are no element, or not all of one")
      }
      found += 1
    }
    guard found == count else { throw ApusError(.argument, "has \(found) elements") }
  }

  /// The elements of bytes that were checked.
  static func split(_ bytes: ArraySlice<UInt8>, count: Int) -> [ArraySlice<UInt8>] {
    var rest = bytes
    var elements: [ArraySlice<UInt8>] = []
    elements.reserveCapacity(count)
    while let element = take(from: &rest) { elements.append(element) }
    return elements
  }

  /// Appends an element.
  /// - Throws: ``ApusError`` for one of 4 GiB and more.
  static func append(_ element: some Collection<UInt8>, to bytes: inout [UInt8])
    throws(ApusError)
  {
    guard let count = UInt32(exactly: element.count) else {
      throw ApusError(
        .argument, "an element of BYTES of \(element.count) bytes; at most \(UInt32.max) are taken")
    }
    bytes.append(littleEndian: count)
    bytes += element
  }

  /// - Returns: nil, and `rest` as it was, where no whole element follows.
  private static func take(from rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard rest.count >= 4 else { return nil }
    let count = Int(rest.littleEndian(UInt32.self, at: 0))
    let element = rest.dropFirst(4)
    guard element.count >= count else { return nil }
    rest = element.dropFirst(count)
    return element.prefix(count)
  }
}
