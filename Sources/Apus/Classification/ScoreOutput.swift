import Formats
import Graph
import Networks
import TensorCore

/// Finds the output of a model that has the scores of its classes.
enum ScoreOutput {
  /// The only output. Of several, the output with labels in the file's metadata; else the only one left after keeping
  /// outputs with as many numbers as the named file, or the file beside the model, has labels, then outputs that hold
  /// probabilities, then outputs whose metadata name is usual for scores.
  /// - Parameters:
  ///   - graph: of the file's main network.
  ///   - labels: a file with a label for each class; nil if the caller named none.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` that lists the outputs when nothing tells which one it is.
  static func position(
    in graph: Graph, of opened: OpenedModel, labels: String?
  ) throws(ApusError) -> Int {
    guard graph.outputs.count > 1, case .unstated = opened.outputs else { return 0 }
    let labelled = try opened.form.labelledOutputs().filter { graph.outputs.indices.contains($0) }
    if labelled.count == 1 { return labelled[0] }
    var search = OutputSearch(graph, among: labelled)
    let named = try labels.map { (path) throws(ApusError) in try LabelFile(contentsOf: path) }
    var fitting: [Int: LabelFile] = [:]
    for position in search.left {
      let type = graph[graph.outputs[position]].type
      let count = type.shape.elementCount
      let beside = try opened.labels(ofOutput: position, classCount: count).content
      let given = named?.labels(forClasses: count) ?? beside
      if let given, given.labels.fit(type) { fitting[position] = given }
    }
    search.keep { fitting[$0] != nil }
    // A line with commas is rather the labels of several classes than the one of a single class.
    search.keep { fitting[$0]?.mayBeList == false }
    search.keep { graph.probabilities(in: graph.outputs[$0]) != nil }
    let names = try opened.form.outputNames().map { $0.lowercased() }
    for usual in usualNames {
      search.keep { names.indices.contains($0) && usual.contains(names[$0]) }
    }
    guard let found = search.found else { throw try refusal(opened) }
    return found
  }

  /// The names that converters write into metadata, for probabilities before logits. `score` is not one: a detector has it
  /// for each box.
  private static let usualNames: [Set<String>] = [["probability", "probabilities"], ["logit", "logits"]]

  private static func refusal(_ opened: OpenedModel) throws(ApusError) -> ApusError {
    let outputs = try opened.networks.first?.outputs() ?? []
    let list = outputs.prefix(20).map { "'\($0.name.clipped)' \($0.form)" }.joined(separator: ", ")
    return ApusError(
      .unsupportedModel, "the model has \(outputs.count) outputs, and none alone shows scores: \(list)",
      expected:
        "one with labels in the model's metadata, with probabilities, or with as many numbers as labels",
      file: opened.path,
      advice: """
        Give a file with a label for each class (\(Setting.labels), or labels.txt beside the model); \(Doing.runModel) runs any model.
        """)
  }
}

/// Outputs of which one has the scores of classes, and what is left of them.
private struct OutputSearch {
  private let graph: Graph
  /// The positions of those that may have them.
  private(set) var left: [Int]
  /// Whether anything speaks for them.
  private var isShown: Bool

  /// - Parameter labelled: the positions of those that have labels; where none has, any output may have the scores.
  init(_ graph: Graph, among labelled: [Int]) {
    self.graph = graph
    isShown = !labelled.isEmpty
    let sorted = graph.sortedNumbers
    left = (labelled.isEmpty ? Array(graph.outputs.indices) : labelled).filter { position in
      let value = graph.outputs[position]
      return graph[value].type.isListOfNumbers && !sorted.contains(value)
    }
  }

  /// The one that is left. A value may be an output twice.
  var found: Int? {
    isShown && Set(left.map { graph.outputs[$0] }).count == 1 ? left.first : nil
  }

  /// Keeps those that are so, unless none is.
  mutating func keep(where isSo: (Int) -> Bool) {
    let kept = left.filter(isSo)
    guard !kept.isEmpty else { return }
    left = kept
    isShown = true
  }
}

extension [String] {
  /// Whether they are labels for the elements of a type.
  fileprivate func fit(_ type: TensorType) -> Bool {
    (try? LabelAlignment(labels: self, classCount: type.shape.elementCount)) != nil
  }
}

extension Graph {
  /// The greatest of other numbers in their order, under whatever shape and type: their places name no class.
  fileprivate var sortedNumbers: Set<Value> {
    var sorted: Set<Value> = []
    for node in nodes {
      let operand = node.inputs.first ?? nil
      var isSorted = node.operation.name == "topK"
      if case .sameNumbers = node.operation.resultMeaning, let operand, sorted.contains(operand) {
        isSorted = true
      }
      if isSorted { sorted.formUnion(node.outputs) }
    }
    return sorted
  }
}

extension TensorType {
  /// Whether it lies along one axis and its elements stand for real numbers, as scores do.
  fileprivate var isListOfNumbers: Bool {
    guard shape.elementCount > 0, shape.dimensions.contains(shape.elementCount) else { return false }
    return switch dataType {
    case .float32: true
    case .int8, .uint8, .int16: quantization.map { !$0.isPerChannel } ?? false
    default: false
    }
  }
}
