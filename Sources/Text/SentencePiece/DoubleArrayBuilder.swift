import TensorCore

/// Finds places for the nodes of a ``DoubleArrayTrie``.
struct DoubleArrayBuilder {
  typealias Unit = DoubleArrayTrie.Unit

  /// Units of a block, of which a node has all its children in one.
  private static let blockUnits = 256
  /// Blocks in which places are looked for, and how often in vain.
  private static let openLimit = 16
  private static let failureLimit = 8

  private(set) var units: [Unit] = []
  /// A bit for each unit that no node has, and for each offset that none has, in four words for each block.
  private var freeUnits: [UInt64] = []
  private var freeOffsets: [UInt64] = []
  private var open: [(block: Int, failures: Int)] = []

  private let unitLimit: Int
  private let trie: ByteTrie
  /// The children of node `i` are those from `starts[i]` on.
  private let starts: [Int]
  private let children: [(byte: UInt8, node: Int32)]

  init(_ trie: ByteTrie, unitLimit: Int) {
    self.trie = trie
    self.unitLimit = unitLimit
    var starts = [Int](repeating: 0, count: trie.nodeCount + 1)
    trie.forEachEdge { parent, _, _ in starts[Int(parent) + 1] += 1 }
    for node in 1..<starts.count { starts[node] += starts[node - 1] }
    self.starts = starts
    var next = starts
    var children = [(byte: UInt8, node: Int32)](repeating: (0, 0), count: trie.nodeCount - 1)
    trie.forEachEdge { parent, byte, child in
      children[next[Int(parent)]] = (byte, child)
      next[Int(parent)] += 1
    }
    self.children = children
  }

  /// Places all nodes, those of a key one after the other.
  /// - Returns: the offset of the root's children.
  mutating func build() throws(ApusError) -> UInt32 {
    _ = try appendBlock()
    freeUnits = [0, 0, 0, 0]
    open = []
    let rootOffset = try placeChildren(of: ByteTrie.root)
    var waiting = children[0..<starts[1]].reversed().map { (node: $0.node, unit: rootOffset ^ Int($0.byte)) }
    while let (node, unit) = waiting.popLast() {
      let offset = try placeChildren(of: node)
      units[unit].link |= UInt32(offset) << 9
      for child in children[starts[Int(node)]..<starts[Int(node) + 1]].reversed() {
        waiting.append((child.node, offset ^ Int(child.byte)))
      }
    }
    return UInt32(rootOffset)
  }

  /// - Returns: the offset of the children; 0, where nothing is, when there are none.
  private mutating func placeChildren(of node: Int32) throws(ApusError) -> Int {
    let children = children[starts[Int(node)]..<starts[Int(node) + 1]]
    guard !children.isEmpty else { return 0 }
    let offset = try findOffset(for: children)
    freeOffsets[offset / 64] &= ~(1 << UInt64(offset % 64))
    for child in children {
      let unit = offset ^ Int(child.byte)
      freeUnits[unit / 64] &= ~(1 << UInt64(unit % 64))
      units[unit] = Unit(link: UInt32(child.byte), value: trie.value(at: child.node))
    }
    return offset
  }

  private mutating func findOffset(
    for children: ArraySlice<(byte: UInt8, node: Int32)>
  ) throws(ApusError) -> Int {
    var index = 0
    while index < open.count {
      if let offset = offset(for: children, in: open[index].block) { return offset }
      open[index].failures += 1
      if open[index].failures == Self.failureLimit { open.remove(at: index) } else { index += 1 }
    }
    // In a free block any offset will do.
    return try appendBlock() * Self.blockUnits
  }

  private func offset(for children: ArraySlice<(byte: UInt8, node: Int32)>, in block: Int) -> Int? {
    let first = Int(children[children.startIndex].byte)
    for word in 4 * block..<4 * block + 4 {
      var bits = freeUnits[word]
      while bits != 0 {
        let offset = (64 * word + bits.trailingZeroBitCount) ^ first
        bits &= bits - 1
        guard isSet(offset, in: freeOffsets) else { continue }
        if children.allSatisfy({ isSet(offset ^ Int($0.byte), in: freeUnits) }) { return offset }
      }
    }
    return nil
  }

  @inline(__always)
  private func isSet(_ bit: Int, in words: [UInt64]) -> Bool { words[bit / 64] >> UInt64(bit % 64) & 1 != 0 }

  /// - Throws: ``ApusError`` when there would be more units than there may.
  private mutating func appendBlock() throws(ApusError) -> Int {
    guard units.count < unitLimit else {
      throw ApusError(
        .unsupportedModel,
        "the \(trie.nodeCount) beginnings of pieces need over \(units.count) places in a double array")
    }
    units.append(contentsOf: repeatElement(Unit.free, count: Self.blockUnits))
    freeUnits.append(contentsOf: repeatElement(UInt64.max, count: 4))
    freeOffsets.append(contentsOf: repeatElement(UInt64.max, count: 4))
    let block = units.count / Self.blockUnits - 1
    if open.count == Self.openLimit { open.removeFirst() }
    open.append((block, 0))
    return block
  }
}
