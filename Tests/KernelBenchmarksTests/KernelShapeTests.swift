import KernelBenchmarks
import TensorCore
import Testing

@Suite struct KernelShapeTests {
  @Test(arguments: [
    ("gemm:197x768x3072", "197x768x3072"), ("convolution:14x14x96x576", "14x14x96x576-k1"),
    ("convolution:224x224x3x32-k3-s2", "224x224x3x32-k3-s2"), ("depthwise:7x7x960", "7x7x960-k3"),
    ("layer-norm:197x768", "197x768"),
  ])
  func readsShapes(_ text: String, _ description: String) throws {
    #expect(try KernelShape(parsing: text).description == description)
  }

  @Test(arguments: [
    "", "gemm", "gemm:", "gemm:1x2", "gemm:1x2x0", "gemm:1x2x-3", "gemm:1x2x3x4", "gemm:axbxc",
    "gemm:1x2x3-k3", "matrix:1x2x3", "convolution:8x8x3x4-k0", "convolution:8x8x3x4-k65",
    "convolution:8x8x3x4-z1", "convolution:8x8x3x4-", "gemm:9223372036854775807x9223372036854775807x2",
    "softmax:100000000x100000000", "softmax:99999999999999999999x1",
  ])
  func refusesOthers(_ text: String) {
    #expect(throws: ApusError.self) { try KernelShape(parsing: text) }
  }

  @Test func standardShapesCoverAllFamilies() {
    #expect(Set(KernelCases.standardShapes.map(\.family)) == Set(KernelFamily.allCases))
    #expect(Set(KernelCases.standardShapes).count == KernelCases.standardShapes.count)
  }
}
