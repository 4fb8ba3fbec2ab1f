import TensorCore

/// A prefix tree over byte strings, each with a value of 0 and up.
///
/// Edges stand in one open-addressing table keyed by (node, byte): quick to build, and a step costs one
/// probe. The table is salted anew for each tree, so that no file can be made to collide.
package struct ByteTrie: Sendable {
  /// The node of the empty string.
  package static let root: Int32 = 0
  /// What ``child(of:_:)`` and ``value(at:)`` give where there is nothing.
  package static let none: Int32 = -1
  /// Nodes are numbered in 24 bits beside the byte of an edge.
  private static let nodeLimit = 1 << 24
  /// Bytes of the longest key, which bounds the work of finding keys in a text.
  private static let longestKey = 1024

  private struct Edge {
    var key: UInt32
    /// 0, the root, marks a free slot: the root is nobody's child.
    var child: Int32
  }

  private var edges: [Edge]
  private var values: [Int32]
  private var rootChildren: [Int32]
  private var shift: UInt64
  private let salt = UInt64.random(in: 0...(.max))

  package init() {
    edges = Array(repeating: Edge(key: 0, child: 0), count: 16)
    shift = 60
    values = [Self.none]
    rootChildren = Array(repeating: Self.none, count: 256)
  }

  /// Stores `value` under `key`, over an earlier one.
  /// - Returns: the earlier one, or ``none``.
  /// - Throws: ``ApusError`` when the key is too long, or the tree would outgrow its numbering of nodes.
  @discardableResult
  package mutating func insert(_ key: some Collection<UInt8>, _ value: Int32) throws(ApusError) -> Int32 {
    guard key.count <= Self.longestKey else {
      throw ApusError(
        .unsupportedModel, "the piece has \(key.count) bytes", expected: "at most \(Self.longestKey)",
        at: "piece \(value)")
    }
    var node = Self.root
    for byte in key {
      let next = child(of: node, byte)
      node = next != Self.none ? next : try addChild(of: node, byte)
    }
    defer { values[Int(node)] = value }
    return values[Int(node)]
  }

  /// The node that `byte` leads to from `node`, or ``none``.
  @inline(__always)
  package func child(of node: Int32, _ byte: UInt8) -> Int32 {
    if node == Self.root { return rootChildren[Int(byte)] }
    let key = UInt32(truncatingIfNeeded: node) << 8 | UInt32(byte)
    let edges = edges.span
    let edge = edges[slot(of: key, edges)]
    return edge.child == 0 ? Self.none : edge.child
  }

  /// The value of the string that ends at `node`, or ``none``.
  @inline(__always)
  package func value(at node: Int32) -> Int32 { values[Int(node)] }

  /// The value stored under `key`, or ``none``.
  package func value(of key: some Sequence<UInt8>) -> Int32 {
    var node = Self.root
    for byte in key {
      node = child(of: node, byte)
      if node == Self.none { return Self.none }
    }
    return value(at: node)
  }

  /// The root and all nodes below it, numbered from 0.
  package var nodeCount: Int { values.count }

  /// Calls `body` with the parent, the byte and the child of each edge, in any order.
  package func forEachEdge(_ body: (Int32, UInt8, Int32) -> Void) {
    for (byte, child) in rootChildren.enumerated() where child != Self.none {
      body(Self.root, UInt8(byte), child)
    }
    for edge in edges where edge.child != 0 {
      body(Int32(edge.key >> 8), UInt8(edge.key & 0xff), edge.child)
    }
  }

  /// The slot that holds `key`, or the free one where it belongs.
  @inline(__always)
  private func slot(of key: UInt32) -> Int { slot(of: key, edges.span) }

  @inline(__always)
  private func slot(of key: UInt32, _ edges: Span<Edge>) -> Int {
    var hash = (UInt64(key) &+ salt) &* 0x9e37_79b9_7f4a_7c15
    hash = (hash ^ hash >> 32) &* 0x94d0_49bb_1331_11eb
    var slot = Int(truncatingIfNeeded: hash >> shift)
    while edges[slot].child != 0, edges[slot].key != key { slot = (slot &+ 1) & (edges.count &- 1) }
    return slot
  }

  private mutating func addChild(of node: Int32, _ byte: UInt8) throws(ApusError) -> Int32 {
    guard values.count < Self.nodeLimit else {
      throw ApusError(
        .unsupportedModel, "the pieces of the vocabulary need over \(Self.nodeLimit) nodes of a prefix tree")
    }
    let child = Int32(values.count)
    values.append(Self.none)
    if node == Self.root {
      rootChildren[Int(byte)] = child
    } else {
      if values.count * 2 > edges.count { grow() }
      let key = UInt32(truncatingIfNeeded: node) << 8 | UInt32(byte)
      edges[slot(of: key)] = Edge(key: key, child: child)
    }
    return child
  }

  private mutating func grow() {
    let old = edges
    edges = Array(repeating: Edge(key: 0, child: 0), count: old.count * 2)
    shift -= 1
    for edge in old where edge.child != 0 { edges[slot(of: edge.key)] = edge }
  }
}
