import Graph
import Kernels
import TensorCore
import TestSupport
import Testing

/// RMS normalization against its definition in double precision, on every instruction set.
@Suite struct RMSNormalizationTests {
  @Test func widthsUpToSeventy() throws {
    var random = SeededRandom()
    for width in 1...70 {
      let (x, scale) = (random.floats(3 * width, -3...3), random.floats(width))
      var wanted: [Double] = []
      for row in 0..<3 {
        let numbers = x[row * width..<(row + 1) * width].map(Double.init)
        let root = (numbers.reduce(0) { $0 + $1 * $1 } / Double(width) + 1e-3).squareRoot()
        wanted += zip(numbers, scale).map { $0 / root * Double($1) }
      }
      for kernels in KernelSet.available {
        let found = try run(x, scale, rows: 3, kernels)
        #expect(
          zip(found, wanted).allSatisfy { abs(Double($0) - $1) <= 1e-6 * max(1, abs($1)) }, "\(kernels.name)")
      }
    }
  }

  private func run(_ x: [Float], _ scale: [Float], rows: Int, _ kernels: KernelSet) throws -> [Float] {
    var builder = GraphBuilder(kernels: kernels)
    let tensor = try floats(x, [rows, scale.count])
    let operands = [builder.input("x", tensor.type), builder.constant("scale", try floats(scale))]
    let operation = RMSNormalization(epsilon: 1e-3)
    builder.output(try builder.add(operation, operands, results: [.init("y")], label: "y")[0])
    var options = CompileOptions()
    options.kernels = kernels
    return try Compiler.compile(builder.graph, options).run([tensor])[0].elements(of: Float.self)
  }

  @Test func refusalsSayWhatIsWrong() throws {
    let x = try floats([1, 2, 3, 4], [2, 2])
    let operation = RMSNormalization(epsilon: 1e-5)
    #expect(
      try refusal(operation, [x, floats([1, 1, 1])]).expected == "[2], the last dimension of [2, 2]")
    #expect(try refusal(operation, [x]).expected == "2")
    #expect(try refusal(RMSNormalization(epsilon: .nan), [x, floats([1, 1])]).problem.contains("epsilon"))
  }
}
