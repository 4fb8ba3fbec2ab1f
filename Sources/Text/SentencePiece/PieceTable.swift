/// The pieces of a vocabulary by id, their UTF-8 side by side in one array.
package struct PieceTable: Sendable {
  private var bytes: [UInt8] = []
  /// Where piece `i` begins; one more at the end.
  private var starts: [Int] = [0]

  package init() {}

  package var count: Int { starts.count - 1 }

  package mutating func append(_ piece: some Sequence<UInt8>) {
    bytes.append(contentsOf: piece)
    starts.append(bytes.count)
  }

  /// The bytes of piece `id`, which must be one of them.
  package subscript(id: Int) -> ArraySlice<UInt8> { bytes[starts[id]..<starts[id + 1]] }

  /// Bytes of piece `id`, which must be one of them.
  @inline(__always)
  package func length(of id: Int) -> Int { starts[id + 1] - starts[id] }

  /// The text of a piece; nil when there is none of this id.
  package func text(of id: Int32) -> String? {
    guard id >= 0, id < count else { return nil }
    return String(decoding: self[Int(id)], as: UTF8.self)
  }
}
