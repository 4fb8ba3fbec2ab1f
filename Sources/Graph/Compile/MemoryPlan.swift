import TensorCore

/// Where every value of a model lives while it runs, in one block of memory that values share in turn.
package struct MemoryPlan: Sendable {
  /// The byte offset of each planned value; nil for constants and values that nothing reads at run time.
  package private(set) var offsets: [Int?]
  /// For each value the one whose memory it shares: itself, or the source of the chain of aliases.
  package private(set) var owners: [Value]
  /// Where each node's working memory begins.
  package private(set) var scratchOffsets: [Int]
  package private(set) var byteCount = 0

  /// A request for memory over a span of nodes, both ends included.
  private struct Block {
    var byteCount: Int
    var first: Int
    var last: Int
    var offset = 0
  }

  /// Plans `graph` for nodes lowered to `lowerings`: a value lives from the node that writes it to the last
  /// that reads it, graph inputs from the start and outputs to the end. Larger blocks are placed first, each
  /// at the lowest offset where nothing alive at the same time lies.
  package init(_ graph: Graph, _ lowerings: [Lowering]) {
    let owners = Self.owners(graph, lowerings)
    var blocks: [Int: Block] = [:]
    func extend(_ value: Value, to node: Int) {
      let owner = owners[value.index]
      guard graph.values[owner].constant == nil else { return }
      let size = Self.padded(graph.values[owner].type.byteCount)
      var block = blocks[owner] ?? Block(byteCount: size, first: node, last: node)
      block.first = min(block.first, node)
      block.last = max(block.last, node)
      blocks[owner] = block
    }
    for value in graph.inputs { extend(value, to: -1) }
    for (index, node) in graph.nodes.enumerated() {
      for case let input? in node.inputs { extend(input, to: index) }
      for output in node.outputs { extend(output, to: index) }
    }
    for value in graph.outputs { extend(value, to: graph.nodes.count) }

    var requests = blocks.map { (owner: $0.key, block: $0.value) }
    for (index, lowering) in lowerings.enumerated() where lowering.scratchByteCount > 0 {
      let size = Self.padded(lowering.scratchByteCount)
      requests.append((owner: graph.values.count + index, Block(byteCount: size, first: index, last: index)))
    }
    requests.sort { ($0.block.byteCount, $1.owner) > ($1.block.byteCount, $0.owner) }
    let placed = Self.place(requests)
    offsets = owners.map { placed.offsets[$0] }
    self.owners = owners.map(Value.init)
    scratchOffsets = lowerings.indices.map { placed.offsets[graph.values.count + $0] ?? 0 }
    byteCount = placed.end
  }

  private static func place(_ requests: [(owner: Int, block: Block)]) -> (offsets: [Int: Int], end: Int) {
    var placed: [Block] = []
    var offsets: [Int: Int] = [:]
    var end = 0
    for case (let owner, var block) in requests {
      // `placed` stays sorted by offset, so the first gap that fits is the lowest.
      for other in placed where other.first <= block.last && block.first <= other.last {
        if block.offset + block.byteCount <= other.offset { break }
        block.offset = max(block.offset, other.offset + other.byteCount)
      }
      placed.insert(block, at: placed.firstIndex { $0.offset > block.offset } ?? placed.endIndex)
      offsets[owner] = block.offset
      end = max(end, block.offset + block.byteCount)
    }
    return (offsets, end)
  }

  private static func owners(_ graph: Graph, _ lowerings: [Lowering]) -> [Int] {
    var owners = Array(graph.values.indices)
    for (node, lowering) in zip(graph.nodes, lowerings) {
      guard let alias = lowering.aliasedInput, let input = node.inputs[alias], let output = node.outputs.first
      else { continue }
      owners[output.index] = owners[input.index]
    }
    return owners
  }

  /// Kernels may read a little past the end of a value.
  private static func padded(_ byteCount: Int) -> Int {
    (byteCount + TensorStorage.slack + TensorStorage.alignment - 1) & ~(TensorStorage.alignment - 1)
  }
}
