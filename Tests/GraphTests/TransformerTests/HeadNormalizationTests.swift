import Graph
import Kernels
import TensorCore
import TestSupport
import Testing

/// Heads normalised inside wider rows, against the definition in double precision, on every instruction set.
@Suite struct HeadNormalizationTests {
  private static let epsilon: Float = 1e-3

  /// Columns before the heads and behind them, whole vectors and their rests.
  @Test(arguments: [
    (1, 1, 0, 0), (1, 16, 0, 0), (3, 8, 5, 2), (2, 12, 24, 0), (4, 33, 1, 7), (5, 64, 64, 128),
  ])
  func headsAreNormalised(_ heads: Int, _ width: Int, _ before: Int, _ behind: Int) throws {
    var random = SeededRandom()
    let (rows, columns) = (19, before + heads * width + behind)
    let (x, scale, offset) = (
      random.floats(rows * columns, -3...3), random.floats(width), random.floats(width)
    )
    for kind in [HeadNormalization.Kind.layer, .rootMeanSquare] {
      var wanted: [Double] = []
      for row in 0..<rows {
        for head in 0..<heads {
          let first = row * columns + before + head * width
          wanted += Self.normalised(x[first..<first + width].map(Double.init), kind, scale, offset)
        }
      }
      let operation = HeadNormalization(kind, heads: heads, epsilon: Self.epsilon, offset: before)
      let factors = kind == .layer ? [scale, offset] : [scale]
      for kernels in KernelSet.available {
        let found = try run(operation, x, columns: columns, factors, kernels)
        #expect(found.count == wanted.count)
        #expect(
          zip(found, wanted).allSatisfy { abs(Double($0) - $1) <= 2e-6 * max(1, abs($1)) },
          "\(kernels.name), \(kind), seed \(random.seed)")
        #expect(try found == run(operation, x, columns: columns, factors, kernels, threads: 3))
      }
    }
  }

  private static func normalised(
    _ head: [Double], _ kind: HeadNormalization.Kind, _ scale: [Float], _ offset: [Float]
  ) -> [Double] {
    let count = Double(head.count)
    let mean = kind == .layer ? head.reduce(0, +) / count : 0
    let variance = head.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count
    let root = (variance + Double(epsilon)).squareRoot()
    return head.indices.map { index in
      (head[index] - mean) / root * Double(scale[index]) + (kind == .layer ? Double(offset[index]) : 0)
    }
  }

  private func run(
    _ operation: HeadNormalization, _ x: [Float], columns: Int, _ factors: [[Float]], _ kernels: KernelSet,
    threads: Int = 1
  ) throws -> [Float] {
    var builder = GraphBuilder(kernels: kernels)
    let tensor = try floats(x, [x.count / columns, columns])
    var operands = [builder.input("x", tensor.type)]
    for (index, factor) in factors.enumerated() {
      operands.append(builder.constant("factor \(index)", try floats(factor)))
    }
    builder.output(try builder.add(operation, operands, results: [.init("y")], label: "y")[0])
    var options = CompileOptions()
    options.kernels = kernels
    options.threads = threads
    return try Compiler.compile(builder.graph, options).run([tensor])[0].elements(of: Float.self)
  }

  @Test func refusalsSayWhatIsWrong() throws {
    let (x, scale) = (try floats([Float](repeating: 1, count: 14), [2, 7]), try floats([1, 1, 1]))
    for (heads, offset) in [(3, 0), (2, 2), (2, -1), (0, 0), (-1, 0), (.max, 0), (1, .max)] {
      let error = try refusal(
        HeadNormalization(.rootMeanSquare, heads: heads, epsilon: 1e-5, offset: offset), [x, scale])
      #expect(error.problem.contains("of shape [2, 7] read from column \(offset)"), "\(error)")
    }
    let layer = HeadNormalization(.layer, heads: 2, epsilon: 1e-5)
    #expect(try refusal(layer, [x, scale]).expected == "3")
    #expect(try refusal(layer, [x, scale, floats([1, 1])]).expected == "[3]")
    #expect(
      try refusal(HeadNormalization(.layer, heads: 2, epsilon: -1), [x, scale, scale]).problem.contains(
        "epsilon"))
  }
}
