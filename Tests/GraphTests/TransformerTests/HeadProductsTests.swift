import Graph
import Kernels
import TensorCore
import TestSupport
import Testing

/// Products of heads with matrices of their own, against their definition in double precision.
@Suite struct HeadProductsTests {
  private struct Sample {
    let rows = 300
    let heads = 3
    let buckets = 37
    let width = 9
    let offset = 5
    let x: [Float]
    let matrices: [Float]
    var columns: Int { offset + heads * width + 2 }

    init() {
      var random = SeededRandom()
      x = random.floats(rows * (offset + heads * width + 2))
      matrices = random.floats(heads * buckets * width)
    }

    var wanted: [Double] {
      var result: [Double] = []
      for head in 0..<heads {
        for row in 0..<rows {
          let first = row * columns + offset + head * width
          for bucket in 0..<buckets {
            let other = (head * buckets + bucket) * width
            var sum = 0.0
            for place in 0..<width { sum += Double(x[first + place]) * Double(matrices[other + place]) }
            result.append(sum)
          }
        }
      }
      return result
    }

    func run(
      _ kernels: KernelSet, _ precision: Precision = .float32, threads: Int = 1
    ) throws -> [Float] {
      var builder = GraphBuilder(kernels: kernels)
      let input = try floats(x, [rows, columns])
      let weights = builder.constant("matrices", try floats(matrices, [heads, buckets, width]))
      let values = [builder.input("x", input.type), weights]
      let results = try builder.add(
        HeadProducts(offset: offset), values, results: [.init("result")], label: "products")
      builder.output(results[0])
      var options = CompileOptions()
      (options.kernels, options.precision, options.threads) = (kernels, precision, threads)
      let result = try Compiler.compile(builder.graph, options).run([input])[0]
      #expect(result.shape.dimensions == [heads, rows, buckets])
      return try result.elements(of: Float.self)
    }
  }

  @Test func eachHeadHasItsColumnsAndItsMatrix() throws {
    let sample = Sample()
    let wanted = sample.wanted
    for kernels in KernelSet.available {
      for precision in [Precision.float32, .bfloat16] where precision.isAvailable(with: kernels) {
        let found = try sample.run(kernels, precision)
        let error = zip(found, wanted).map { abs(Double($0) - $1) }.max() ?? .infinity
        #expect(error <= (precision == .float32 ? 3e-6 : 0.05), "\(kernels.name) \(precision): \(error)")
      }
    }
  }

  @Test func threadsDoNotMatter() throws {
    let sample = Sample()
    let one = try sample.run(.best)
    #expect(try sample.run(.best, threads: 4) == one)
  }

  @Test func refusalsSayWhatIsWrong() throws {
    let rows = try floats([Float](repeating: 0, count: 12), [2, 6])
    let matrices = try floats([Float](repeating: 0, count: 12), [2, 2, 3])
    #expect(
      try refusal(HeadProducts(offset: 1), [rows, matrices]).expected?.contains("2 heads of 3") == true)
    #expect(
      try refusal(HeadProducts(offset: -1), [rows, matrices]).expected?.contains("2 heads of 3") == true)
    #expect(try refusal(HeadProducts(), [rows, rows]).expected == "rank 3")
    let none = try floats([], [2, 0, 3])
    #expect(try refusal(HeadProducts(), [rows, none]).expected?.contains("one element") == true)
    #expect(try refusal(HeadProducts(), [rows]).expected == "2")
  }
}
