import KernelBenchmarks
import Kernels
import TensorCore
import Testing

@Suite struct KernelCaseTests {
  @Test(arguments: [
    "gemm:3x8x5", "batch-matmul:2x3x8x5", "convolution:6x6x4x8-k3-s2", "depthwise:6x6x8", "attention:5x2x8",
    "layer-norm:3x16",
    "softmax:3x10", "gelu:3x16", "quantize:3x16", "dequantize:3x16", "widen:3x16", "resize:16x12x8x8",
    "scan:20x16",
  ])
  func everyFamilyRunsInEveryWay(_ text: String) throws {
    for kernel in try KernelCases.cases(of: try KernelShape(parsing: text), threads: 1) {
      let variants = try kernel.variants()
      #expect(variants.filter(\.isPicked).count == 1, "\(kernel.name)")
      #expect(Set(variants.map(\.name)).count == variants.count)
      for variant in variants { try variant.run(2) }
      #expect(kernel.work.byteCount > 0)
    }
  }

  /// Each row that the processor can run is measured once, beside the kernels in use.
  @Test(arguments: NumericFamily.allCases)
  func variantsAreTheRowsOfAFamily(_ family: NumericFamily) throws {
    let cases = try KernelCases.cases(of: KernelShape(parsing: "gemm:3x8x5"), threads: 2)
    let detail = [NumericFamily.float: "f32", .integer: "int8", .bfloat16: "bf16"][family]
    let usable = try family.sets.filter { set in
      guard set.requires.isSubset(of: ProcessorFeatures.host.instructions) else { return false }
      return try family != .bfloat16 || KernelSet.named("bfloat16=\(set)").bfloat16.hasProducts
    }
    guard let kernel = cases.first(where: { $0.detail == detail }) else {
      #expect(family == .bfloat16 && !KernelSet.best.bfloat16.hasProducts)
      return
    }
    let variants = try kernel.variants()
    #expect(variants.map(\.name) == usable.map(\.rawValue))
    #expect(variants.first(where: \.isPicked)?.name == KernelSet.best.choice[family].rawValue)
  }

  @Test func workOfAProduct() throws {
    let kernel = try #require(
      try KernelCases.cases(of: KernelShape(parsing: "gemm:10x20x30"), threads: 1).first)
    #expect(kernel.name == "gemm 10x20x30 f32")
    #expect(kernel.work.kind == .operations(12_000, .float32))
    // Rows, weights, biases and results.
    #expect(kernel.work.byteCount == 4 * (10 * 20 + 20 * 30 + 30 + 10 * 30))
    #expect(kernel.work.rate(nanoseconds: 100) == 120)
  }
}
