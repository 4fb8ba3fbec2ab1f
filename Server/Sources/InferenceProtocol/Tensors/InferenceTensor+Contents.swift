import Apus

extension InferenceTensor {
  /// The binary form of integers.
  /// - Throws: ``ApusError`` for one beyond the type's range.
  public static func bytes<Number: FixedWidthInteger>(
    _ integers: some Collection<some FixedWidthInteger>, as _: Number.Type
  ) throws(ApusError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(integers.count * Number.bitWidth / 8)
    for integer in integers {
      guard let number = Number(exactly: integer) else {
        throw ApusError(.argument, "\(integer) is no number of \(Number.bitWidth) bits")
      }
      bytes.append(littleEndian: number)
    }
    return bytes
  }

  /// The binary form of BYTES.
  /// - Throws: ``ApusError`` for an element of 4 GiB and more.
  public static func bytes(
    elements: some Collection<some Collection<UInt8>>
  ) throws(ApusError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(elements.reduce(0) { $0 + 4 + $1.count })
    for element in elements { try BytesElements.append(element, to: &bytes) }
    return bytes
  }
}
