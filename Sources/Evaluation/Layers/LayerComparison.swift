import Apus
import Graph
import TensorCore

/// Runs two graphs side by side and adds up, sample by sample, how far each value of one is from its counterpart in
/// the other.
///
/// Each layer's error is measured twice: as it is in the run, with all that it inherits, and as the layer makes it
/// when it is given the baseline's numbers. Memory is bounded: values of the baseline are kept from where they are
/// computed to where they are last compared or read.
package final class LayerComparison {
  private let baseline: LayerSource
  private let other: LayerSource
  private let alignment: LayerAlignment
  private let classOrder: ClassOrder?
  private let models: (baseline: CompiledModel, other: CompiledModel)
  private let workspaces: (baseline: Workspace, other: Workspace, segments: Workspace)
  private var layers: [MatchedLayer]
  /// Positions of layers by the baseline's node that writes them, −1 for inputs.
  private let layersOfNode: [Int: [Int]]
  /// The layer after which the baseline's value of each is no longer needed.
  private let lastUses: [Int]
  private var differences: [LayerSums]
  private var introduced: [LayerSums]
  /// How many of the baseline's numbers each layer of the other cannot hold.
  private var outOfRange: [Int]
  /// Samples compared so far.
  package private(set) var sampleCount = 0

  /// - Parameter fusesOperations: whether nodes are fused as they are in use; else each result of the graph is
  ///   there to be compared.
  /// - Throws: ``ApusError`` when the models take inputs of different shapes, or one cannot be compiled.
  package init(
    baseline: LayerSource, other: LayerSource, fusesOperations: Bool = false
  ) throws(ApusError) {
    self.baseline = baseline
    self.other = other
    alignment = try LayerAlignment(baseline.graph, other.graph)
    classOrder = ClassOrder(other.classNames, baseline: baseline.classNames)
    models = (try baseline.compiled(fusesOperations), try other.compiled(fusesOperations))
    workspaces = (
      try models.baseline.makeWorkspace(), try models.other.makeWorkspace(), try models.other.makeWorkspace()
    )
    let layers = MatchedLayer.layers(alignment, models.baseline, models.other)
    self.layers = layers
    layersOfNode = Dictionary(grouping: layers.indices) { layers[$0].baselineNode }
    var lastUses = Array(layers.indices)
    for (index, layer) in layers.enumerated() {
      for operand in layer.segment?.operands ?? [] { lastUses[operand.layer] = index }
    }
    self.lastUses = lastUses
    differences = Array(repeating: LayerSums(), count: layers.count)
    introduced = differences
    outOfRange = Array(repeating: 0, count: layers.count)
  }

  /// Runs both graphs on one sample and adds the differences up.
  /// - Parameters:
  ///   - inputs: elements for the baseline's inputs.
  ///   - otherInputs: elements for the other's inputs; nil takes the same numbers, quantized where they must be.
  /// - Throws: ``ApusError`` when inputs do not fit, or an operation refuses its data.
  package func add(_ inputs: [Tensor], other otherInputs: [Tensor]? = nil) throws(ApusError) {
    try workspaces.baseline.setInputs(inputs)
    if let otherInputs {
      try workspaces.other.setInputs(otherInputs)
    } else {
      try workspaces.other.setInputs(represented(inputs))
    }
    var held = HeldValues()
    var reached = (baseline: -1, other: -1)
    try hold(layersOf: -1, in: &held)
    for (index, layer) in layers.enumerated() {
      while reached.baseline < layer.baselineNode {
        reached.baseline += 1
        try workspaces.baseline.run(nodes: reached.baseline..<(reached.baseline + 1))
        try hold(layersOf: reached.baseline, in: &held)
      }
      if reached.other < layer.otherNode {
        try workspaces.other.run(nodes: (reached.other + 1)..<(layer.otherNode + 1))
        reached.other = layer.otherNode
      }
      try compare(index, held)
      held.release(through: index, lastUses)
    }
    sampleCount += 1
  }

  private func represented(_ inputs: [Tensor]) throws(ApusError) -> [Tensor] {
    var tensors: [Tensor] = []
    for (input, info) in zip(inputs, models.other.inputs) {
      if let known = info.constant {
        tensors.append(known)
      } else {
        tensors.append(try input.represented(as: info.type))
      }
    }
    return tensors
  }

  private func hold(layersOf node: Int, in held: inout HeldValues) throws(ApusError) {
    for index in layersOfNode[node] ?? [] {
      held[index] = try workspaces.baseline.tensor(layers[index].pair.baseline)
    }
  }

  private func compare(_ index: Int, _ held: HeldValues) throws(ApusError) {
    guard let wanted = held[index] else { return }
    let numbers = try wanted.realNumbers()
    let result = try workspaces.other.tensor(layers[index].pair.other)
    // A shape that depends on the data may come out differently; such results have no common numbers.
    if result.shape == wanted.shape {
      differences[index].add(numbers, try result.realNumbers(), wanted.shape, order: classOrder)
    }
    if let range = result.type.realRange { outOfRange[index] += numbers.count { !range.contains($0) } }
    guard let segment = layers[index].segment else { return }
    do {
      try segment.run(in: workspaces.segments) { (operand) throws(ApusError) in
        guard let tensor = held[operand.layer] else {
          throw ApusError(.argument, "an operand that the baseline does not have")
        }
        return try tensor.represented(as: models.other.graph[operand.value].type)
      }
      let result = try workspaces.segments.tensor(layers[index].pair.other)
      if result.shape == wanted.shape {
        introduced[index].add(numbers, try result.realNumbers(), wanted.shape, order: classOrder)
      }
    } catch {
      // The layer's own arithmetic may refuse numbers of the baseline, as an index out of range.
      layers[index].segment = nil
      introduced[index] = LayerSums()
    }
  }

  /// Adds what a comparison of the same two models found on other samples: where a network is made for texts of one
  /// length, those of another have one of their own. Of networks with other layers nothing is added.
  package func add(_ comparison: LayerComparison) {
    let isSame =
      baseline.graph.nodes.count == comparison.baseline.graph.nodes.count
      && other.graph.nodes.count == comparison.other.graph.nodes.count
      && layers.count == comparison.layers.count
      && zip(layers, comparison.layers).allSatisfy {
        $0.pair.baseline == $1.pair.baseline && $0.pair.other == $1.pair.other
      }
    guard isSame else { return }
    for index in layers.indices {
      differences[index].add(comparison.differences[index])
      outOfRange[index] += comparison.outOfRange[index]
      if layers[index].segment != nil, comparison.layers[index].segment != nil {
        introduced[index].add(comparison.introduced[index])
      } else {
        layers[index].segment = nil
        introduced[index] = LayerSums()
      }
    }
    sampleCount += comparison.sampleCount
  }

  /// What was found so far.
  /// - Parameters:
  ///   - baselineModel: the baseline's position in ``ComparisonReport/models``.
  ///   - otherModel: the other's.
  ///   - bound: what ``LayerReport/firstDivergence`` shall leave; nil looks for none.
  package func report(
    baseline baselineModel: Int = 0, other otherModel: Int = 1, bound: DivergenceBound? = nil
  ) throws(ApusError) -> LayerReport {
    var rows: [LayerRow] = []
    for (index, layer) in layers.enumerated() {
      guard let difference = differences[index].difference else { continue }
      let description = LayerDescription(layer.pair, baseline.graph, models.baseline.graph)
      let otherDescription = LayerDescription(layer.pair, other: other.graph, models.other.graph)
      rows.append(
        LayerRow(
          position: layer.baselineNode, kind: description.kind, baselineLabel: description.label,
          otherLabel: otherDescription.label, baselineType: description.type,
          otherType: otherDescription.type,
          shape: description.shape, difference: difference, introduced: introduced[index].difference,
          outOfRange: Double(outOfRange[index]) / Double(difference.count),
          weights: try WeightComparison.difference(
            layer.pair, baseline.graph, other.graph, order: classOrder)))
    }
    rows.sort { $0.position < $1.position }
    return LayerReport(
      baseline: baselineModel, other: otherModel, sampleCount: sampleCount, rowsInRunOrder: rows,
      unmatchedInBaseline: alignment.unmatchedInBaseline.map { baseline.graph.nodes[$0].label },
      unmatchedInOther: alignment.unmatchedInOther.map { other.graph.nodes[$0].label }, bound: bound)
  }
}

extension LayerSource {
  fileprivate func compiled(_ fusesOperations: Bool) throws(ApusError) -> CompiledModel {
    var options = options
    options.fusesOperations = fusesOperations
    return try Compiler.compile(graph, options)
  }
}

/// Values of the baseline, each kept for as long as it is needed.
private struct HeldValues {
  private var tensors: [Int: Tensor] = [:]

  subscript(layer: Int) -> Tensor? {
    get { tensors[layer] }
    set { tensors[layer] = newValue }
  }

  /// Drops what no layer after `layer` needs.
  mutating func release(through layer: Int, _ lastUses: [Int]) {
    tensors = tensors.filter { lastUses[$0.key] > layer }
  }
}
