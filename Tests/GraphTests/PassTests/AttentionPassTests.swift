import Graph
import TensorCore
import Testing

/// Attention that is spelled out, and what is nearly so.
@Suite struct AttentionPassTests {
  enum Mask { case none, keys, heads, queries, causal, nothing, hidden, hiddenByInfinity }

  struct Spelling {
    var batch = 2
    var length = 5
    var mask = Mask.none
    /// How rows and heads are exchanged.
    var order: [Int32] = [0, 2, 1, 3]
    var scaleAfterMask = false
    var bringsBack = true
    /// Whether weights that are no number become zero.
    var isSafe = false
    var reads: Read?
  }

  enum Read { case scores, weights, values }

  private let heads = 3
  private let width = 8

  private func mask(_ spelling: Spelling, _ scores: Value, _ graph: inout SpelledGraph) throws -> Value {
    let (batch, length) = (spelling.batch, spelling.length)
    switch spelling.mask {
    case .none: return scores
    case .keys: return try graph.add(Add(), scores, graph.input([batch, 1, 1, length]))
    case .heads: return try graph.add(Add(), graph.weights([heads, length, length]), scores)
    case .queries: return try graph.add(Add(), scores, graph.input([batch, 1, length, 1]))
    case .causal, .nothing:
      let elements: [Float] = (0..<length * length).map { $0 % length > $0 / length ? -.infinity : 0 }
      let numbers = spelling.mask == .causal ? elements : elements.map { _ in 0 }
      return try graph.add(Add(), scores, graph.constant(floats(numbers, [1, 1, length, length])))
    case .hidden, .hiddenByInfinity:
      let numbers = try graph.input([batch, 1, length, length])
      let condition = try graph.add(Compare(.less), numbers, graph.number(0.3))
      let hidden = try graph.number(spelling.mask == .hidden ? -2.37e38 : -.infinity)
      return try graph.add(Select(broadcasts: true), condition, scores, hidden)
    }
  }

  private func graph(_ spelling: Spelling) throws -> SpelledGraph {
    var graph = SpelledGraph()
    let (batch, length) = (spelling.batch, spelling.length)
    func projected() throws -> Value {
      let x = try graph.input([batch, length, heads * width])
      return try graph.transpose(graph.add(Reshape(shape: [batch, length, heads, width]), x), spelling.order)
    }
    let queries = try graph.multiply(projected(), 0.5)
    let keys = try projected()
    let values = try projected()
    var scores = try graph.add(BatchMatMul(transposeB: true), queries, keys)
    let product = scores
    if !spelling.scaleAfterMask { scores = try graph.multiply(scores, 0.7) }
    scores = try mask(spelling, scores, &graph)
    if spelling.scaleAfterMask { scores = try graph.multiply(scores, 0.7) }
    let weights = try graph.add(Softmax(), scores)
    var kept = weights
    if spelling.isSafe {
      let isNaN = try graph.add(Compare(.notEqual), weights, weights)
      kept = try graph.add(Select(broadcasts: true), isNaN, graph.number(0), weights)
    }
    var result = try graph.add(BatchMatMul(), kept, values)
    if spelling.bringsBack {
      let rows = try graph.transpose(result, [0, 2, 1, 3])
      result = try graph.add(Reshape(shape: [batch, length, heads * width]), rows)
    }
    graph.output(result)
    switch spelling.reads {
    case nil: break
    case .scores: graph.output(product)
    case .weights: graph.output(weights)
    case .values: graph.output(values)
    }
    return graph
  }

  /// Operations that compute something.
  private func operations(_ spelling: Spelling) throws -> [String] {
    try graph(spelling).fused().filter { $0 != "reshape" }
  }

  @Test(arguments: [1, 2], [Mask.none, .keys, .heads, .causal, .nothing])
  func attentions(batch: Int, mask: Mask) throws {
    #expect(try operations(Spelling(batch: batch, mask: mask)) == ["attention"])
  }

  /// Rows of the condition hide all keys too: they weigh the same then, or are no number.
  @Test(arguments: [Mask.hidden, .hiddenByInfinity]) func conditions(mask: Mask) throws {
    #expect(try operations(Spelling(mask: mask)) == ["less", "select", "attention"])
  }

  /// PyTorch's exporters write this: queries all of whose keys are hidden have no weights, and so zeros for a result.
  @Test(arguments: [5, 600], [Mask.none, .hidden, .hiddenByInfinity, .keys])
  func weightsThatAreNoNumberAreZero(length: Int, mask: Mask) throws {
    #expect(try operations(Spelling(batch: 1, length: length, mask: mask, isSafe: true)).last == "attention")
    let read = Spelling(batch: 1, mask: mask, isSafe: true, reads: .weights)
    #expect(try operations(read).contains("softmax"))
  }

  /// More keys than the kernel takes at a time, some blocks of them hidden.
  @Test(arguments: [Mask.hiddenByInfinity, .causal, .keys]) func longSequences(mask: Mask) throws {
    #expect(try operations(Spelling(batch: 1, length: 600, mask: mask)).last == "attention")
  }

  /// The values may be read too: they stand before the attention.
  @Test func whatIsReadStays() throws {
    for read in [Read.scores, .weights] {
      #expect(try !operations(Spelling(reads: read)).contains("attention"))
    }
    #expect(try operations(Spelling(reads: .values)).contains("softmax"))
  }

  @Test func whatIsNoMaskStays() throws {
    #expect(try operations(Spelling(mask: .queries)).contains("softmax"))
    #expect(try operations(Spelling(mask: .keys, scaleAfterMask: true)).contains("softmax"))
    #expect(try operations(Spelling(scaleAfterMask: true)) == ["attention"])
  }

  /// Heads that are never brought back, or whose columns lie apart, are no attention over rows.
  @Test func otherOrdersStay() throws {
    #expect(try operations(Spelling(bringsBack: false)).contains("softmax"))
    #expect(try operations(Spelling(length: 3, order: [0, 1, 2, 3])).contains("softmax"))
  }

  /// Attentions under one condition share the mask.
  @Test func masksAreShared() throws {
    var graph = SpelledGraph()
    var x = try graph.input([1, 6, 8])
    let condition = try graph.add(Compare(.less), graph.input([1, 6, 6]), graph.number(1))
    for _ in 0..<2 {
      let scores = try graph.multiply(graph.add(BatchMatMul(transposeB: true), x, x), 0.3)
      let seen = try graph.add(Select(broadcasts: true), condition, scores, graph.number(-1e38))
      x = try graph.add(BatchMatMul(), graph.add(Softmax(), seen), x)
    }
    graph.output(x)
    let operations = try graph.fused().filter { $0 != "reshape" }
    #expect(operations == ["less", "select", "attention", "attention"])
  }

  /// Windows of pictures, as torchvision's Swin adds a mask of heads and then one of the window's place.
  @Test(arguments: [1, 2]) func masksOfHeadsAndWindows(pictures: Int) throws {
    var graph = SpelledGraph()
    let (windows, length) = (3, 4)
    let batch = pictures * windows
    func projected() throws -> Value {
      let x = try graph.input([batch, length, heads * width])
      return try graph.transpose(graph.add(Reshape(shape: [batch, length, heads, width]), x), [0, 2, 1, 3])
    }
    let (queries, keys, values) = (try projected(), try projected(), try projected())
    let product = try graph.add(BatchMatMul(transposeB: true), queries, keys)
    let sum = try graph.add(Add(), product, graph.weights([1, heads, length, length]))
    let cut = try graph.add(Reshape(shape: [pictures, windows, heads, length, length]), sum)
    let masked = try graph.add(Add(), cut, graph.weights([1, windows, 1, length, length]))
    let scores = try graph.add(Reshape(shape: [batch, heads, length, length]), masked)
    let result = try graph.add(BatchMatMul(), graph.add(Softmax(), scores), values)
    graph.output(
      try graph.add(Reshape(shape: [batch, length, heads * width]), graph.transpose(result, [0, 2, 1, 3])))
    #expect(try graph.fused().filter { $0 != "reshape" } == ["attention"])
  }

  /// Heads that are turned by their positions, as transformers spells it.
  @Test(arguments: [true, false]) func rotations(halvesAgree: Bool) throws {
    var graph = SpelledGraph()
    let (batch, length) = (2, 5)
    let x = try graph.input([batch, length, 2 * heads * width])
    let cut = try graph.add(Reshape(shape: [batch, length, 2, heads, width]), x)
    var turned: [Value] = []
    for part in 0..<2 {
      let begin = try graph.integers([0, 0, Int32(part), 0, 0])
      let size = try graph.integers([-1, -1, 1, -1, -1])
      let rows = try graph.add(
        Reshape(shape: [batch, length, heads, width]), graph.add(Slice(), cut, begin, size))
      let y = try graph.transpose(rows, [0, 2, 1, 3])
      func half(_ start: Int) throws -> Value {
        try graph.add(
          Slice(), y, graph.integers([0, 0, 0, Int32(start)]), graph.integers([-1, -1, -1, Int32(width / 2)]))
      }
      let crossed = try graph.add(
        Concatenation(axis: 3), graph.add(UnaryMath(.negate), half(width / 2)), half(0))
      func table(_ function: (Float) -> Float) throws -> Value {
        let elements = (0..<length * width).map { index in
          let (row, column) = (index / width, index % width)
          return function(Float(row) / Float(1 + (halvesAgree ? column % (width / 2) : column)))
        }
        return try graph.constant(floats(elements, [1, 1, length, width]))
      }
      let straight = try graph.add(Multiply(), y, table { 1 - $0 * $0 / 2 })
      turned.append(try graph.add(Add(), straight, graph.add(Multiply(), crossed, table { $0 })))
    }
    let scores = try graph.add(BatchMatMul(transposeB: true), turned[0], turned[1])
    let result = try graph.add(BatchMatMul(), graph.add(Softmax(), scores), turned[1])
    graph.output(
      try graph.add(Reshape(shape: [batch, length, heads * width]), graph.transpose(result, [0, 2, 1, 3])))
    let operations = try graph.fused().filter { $0 != "reshape" }
    if halvesAgree {
      #expect(operations == ["rotaryEmbedding", "rotaryEmbedding", "attention"])
    } else {
      #expect(!operations.contains("rotaryEmbedding"))
    }
  }

  /// All of one matrix, as a layer for queries, keys and values gives it.
  @Test func slicesOfOneMatrix() throws {
    var graph = SpelledGraph()
    let x = try graph.input([6, 48])
    let cut = try graph.transpose(graph.add(Reshape(shape: [6, 1, 3, 16]), x), [2, 0, 1, 3])
    let size = try graph.integers([1, 6, 1, 16])
    var parts: [Value] = []
    for index in 0..<3 {
      let part = try graph.add(Slice(), cut, graph.integers([Int32(index), 0, 0, 0]), size)
      parts.append(try graph.transpose(graph.add(Reshape(shape: [6, 2, 8]), part), [1, 0, 2]))
    }
    let keys = try graph.transpose(parts[1], [0, 2, 1])
    let weights = try graph.add(Softmax(beta: 0.4), graph.add(BatchMatMul(), parts[0], keys))
    let result = try graph.add(BatchMatMul(), weights, parts[2])
    graph.output(try graph.add(Reshape(shape: [6, 16]), graph.transpose(result, [1, 0, 2])))
    #expect(try graph.fused().filter { $0 != "reshape" } == ["attention"])
  }
}
