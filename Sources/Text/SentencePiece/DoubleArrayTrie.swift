import TensorCore

/// The keys of a ``ByteTrie`` in a form that finds them sooner: a double array (Aoe 1989, "An Efficient Digital Search
/// Algorithm by Using a Double-Array Structure").
///
/// The child of a node that a byte leads to is the unit at the exclusive or of the node's offset and that byte, so that all
/// children of a node lie in one block of 256 units. No two nodes have the same offset, so that the byte a unit is for says
/// whether it is the child of that node.
package struct DoubleArrayTrie: Sendable {
  struct Unit: Sendable {
    /// Bits 0…8 the byte that leads here, ``noByte`` where no node is; from bit 9 on the offset of its children.
    var link: UInt32
    /// That of the key that ends here, or ``ByteTrie/none``.
    var value: Int32

    static let noByte: UInt32 = 0x100
    static let free = Unit(link: noByte, value: ByteTrie.none)
  }

  /// The first 256 are free: there a node without children looks for them.
  private let units: [Unit]
  private let rootOffset: UInt32

  /// - Parameter unitLimit: at most as many as offsets of 23 bits can tell, 64 MB; a vocabulary of a hundred languages
  ///   needs a million.
  /// - Throws: ``ApusError`` when the keys need more units.
  package init(_ trie: ByteTrie, unitLimit: Int = 1 << 23) throws(ApusError) {
    var builder = DoubleArrayBuilder(trie, unitLimit: unitLimit)
    rootOffset = try builder.build()
    units = builder.units
  }

  /// Calls `body` with the value and the end of each key that `text` has at `start`, the short ones first.
  @inline(__always)
  package func forEachKey(of text: Span<UInt8>, at start: Int, _ body: (Int32, Int) -> Void) {
    let units = units.span
    var offset = rootOffset
    var end = start
    while end < text.count {
      let byte = UInt32(text[end])
      let unit = units[Int(offset ^ byte)]
      guard unit.link & 0x1ff == byte else { return }
      end &+= 1
      offset = unit.link >> 9
      if unit.value != ByteTrie.none { body(unit.value, end) }
    }
  }
}
