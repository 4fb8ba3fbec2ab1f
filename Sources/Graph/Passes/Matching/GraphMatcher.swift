import TensorCore

/// A graph that is searched for what a converter spelled out: who writes each value, and who reads it.
struct GraphMatcher {
  let graph: Graph
  private let writers: [Int?]
  /// The places of the nodes that read each value, one value's after another's: the graph is read anew after each rewriting.
  private let readers: [Int]
  private let firstReaders: [Int]

  /// Values that a search looks at, at most: the longest spelling has half as many.
  private static let reach = 48
  /// Nodes one behind the other that are followed, at most.
  static let depth = 24

  init(_ graph: Graph) {
    self.graph = graph
    var writers = [Int?](repeating: nil, count: graph.values.count)
    for (index, node) in graph.nodes.enumerated() {
      for output in node.outputs { writers[output.index] = index }
    }
    self.writers = writers
    (readers, firstReaders) = Self.readers(graph)
  }

  /// The places of the readers of all values, and where those of each value begin, and end for the last.
  private static func readers(_ graph: Graph) -> (places: [Int], starts: [Int]) {
    var starts = [Int](repeating: 0, count: graph.values.count + 1)
    for node in graph.nodes { for case let input? in node.inputs { starts[input.index + 1] += 1 } }
    for index in graph.values.indices { starts[index + 1] += starts[index] }
    var next = starts
    var places = [Int](repeating: 0, count: starts[graph.values.count])
    for (place, node) in graph.nodes.enumerated() {
      for case let input? in node.inputs {
        places[next[input.index]] = place
        next[input.index] += 1
      }
    }
    return (places, starts)
  }

  private func readerPlaces(of value: Value) -> ArraySlice<Int> {
    readers[firstReaders[value.index]..<firstReaders[value.index + 1]]
  }

  /// The place of the node that computes a value; nil for inputs and constants.
  func writerIndex(of value: Value) -> Int? { writers[value.index] }

  func writer(of value: Value) -> Node? { writerIndex(of: value).map { graph.nodes[$0] } }

  func readers(of value: Value) -> [Node] { readerPlaces(of: value).map { graph.nodes[$0] } }

  func isOutput(_ value: Value) -> Bool { graph.outputs.contains(value) }

  func shape(of value: Value) -> Shape { graph[value].type.shape }

  /// Whether a value is computed in float32 while the model runs.
  func isVariable(_ value: Value) -> Bool {
    graph[value].constant == nil && graph[value].type.dataType == .float32
  }

  /// The elements of a float32 constant.
  func constant(_ value: Value) -> [Float]? {
    guard let tensor = graph[value].constant, tensor.dataType == .float32 else { return nil }
    return try? tensor.elements(of: Float.self)
  }

  /// The one number that a constant has.
  func scalar(_ value: Value) -> Float? {
    guard shape(of: value).elementCount == 1 else { return nil }
    return constant(value)?.first
  }

  /// Operand 0 of the node that writes `value`, when that is the same numbers in the same order.
  func unshaped(_ value: Value) -> Value? {
    guard let node = writer(of: value), case .sameNumbers = node.operation.resultMeaning,
      case let operand?? = node.inputs.first, graph[operand].type.dataType == graph[value].type.dataType,
      graph[operand].type.quantization == graph[value].type.quantization
    else { return nil }
    return operand
  }

  /// A value and those that it is computed from, the nearest first.
  func sources(of value: Value) -> [Value] {
    search(from: value) { value in writer(of: value)?.inputs.compactMap(\.self) ?? [] }
  }

  /// A value and those that are computed from it, the nearest first.
  func results(of value: Value) -> [Value] {
    search(from: value) { value in readers(of: value).flatMap(\.outputs) }
  }

  private func search(from value: Value, _ next: (Value) -> [Value]) -> [Value] {
    var found = [value]
    var known: Set = [value]
    var index = 0
    while index < found.count, found.count < Self.reach {
      for neighbour in next(found[index]) where isVariable(neighbour) && known.insert(neighbour).inserted {
        found.append(neighbour)
      }
      index += 1
    }
    return found
  }

  /// Whether everything between `leaves` and `results` is there for these results alone: nothing else reads it, and
  /// it is no output of the graph. Constants are leaves too.
  func isPrivate(from leaves: Set<Value>, to results: Set<Value>) -> Bool {
    var nodes = Set<Int>()
    var open = Array(results)
    while let value = open.popLast() {
      guard let index = writerIndex(of: value), nodes.insert(index).inserted else { continue }
      open += graph.nodes[index].inputs.compactMap(\.self).filter { !leaves.contains($0) }
    }
    let inner = nodes.flatMap { graph.nodes[$0].outputs }.filter { !results.contains($0) }
    return inner.allSatisfy { value in
      !isOutput(value) && readerPlaces(of: value).allSatisfy(nodes.contains)
    }
  }
}
