import TensorCore

/// Decision trees whose leaves are joined: operand 0, float32 [N, F], becomes a number for each target [N, targets].
package struct TreeEnsemble: Operation {
  /// What is made of the leaves of a row.
  package enum Joining: Sendable { case sum, average, minimum, maximum }

  package let forest: Forest
  package let joining: Joining
  package let targets: Int
  /// A number for each target to begin with, or none.
  package let base: [Float]
  package var name: String { "treeEnsemble" }

  package init(_ forest: Forest, joining: Joining, targets: Int, base: [Float]) {
    self.forest = forest
    self.joining = joining
    self.targets = targets
    self.base = base
  }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(1...1)
    let rows = try operands.input(0, "the rows", of: [.float32], rank: 2).shape
    guard forest.features <= rows[1] else {
      throw ApusError(
        .malformedModel, "trees that ask for \(forest.features) features of rows \(rows)",
        expected: "no more than there are")
    }
    guard targets > 0, forest.targets <= targets, base.isEmpty || base.count == targets else {
      throw ApusError(
        .malformedModel, "leaves of \(forest.targets) targets, \(base.count) numbers to begin with",
        expected: "at most \(targets) targets")
    }
    return [try TensorType(.float32, Shape([rows[0], targets])).limited()]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let columns = try context.operands.input(0).shape[1]
    let rows = context.result.shape[0]
    let ensemble = self
    // Some 2 ns for each node on the way.
    let grain = max(1, 20_000 / max(1, 16 * forest.roots.count))
    return Lowering("tree ensemble") { arguments in
      guard let source = arguments.input(0, as: Float.self).baseAddress,
        let target = arguments.output(0, as: Float.self).baseAddress
      else { return }
      arguments.parallel(rows, grain: grain) { range in
        for row in range {
          ensemble.join(source + row * columns, target + row * ensemble.targets)
        }
      }
    }
  }

  /// Sums are of double precision, in the order of the trees.
  private func join(_ row: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>) {
    withUnsafeTemporaryAllocation(of: Double.self, capacity: targets) { sums in
      let first: Double =
        switch joining {
        case .sum, .average: 0
        case .minimum: .infinity
        case .maximum: -.infinity
        }
      sums.initialize(repeating: first)
      for root in forest.roots {
        for leaf in forest.leaves(of: row, root) {
          let weight = Double(leaf.weight)
          switch joining {
          case .sum, .average: sums[leaf.target] += weight
          case .minimum: sums[leaf.target] = min(sums[leaf.target], weight)
          case .maximum: sums[leaf.target] = max(sums[leaf.target], weight)
          }
        }
      }
      for index in 0..<targets {
        var sum = sums[index]
        // A target that no leaf speaks of.
        if sum.isInfinite, joining == .minimum || joining == .maximum { sum = 0 }
        if joining == .average { sum /= Double(max(forest.roots.count, 1)) }
        target[index] = Float(sum + (base.isEmpty ? 0 : Double(base[index])))
      }
    }
  }
}
