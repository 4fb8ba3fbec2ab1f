import KernelBenchmarks
import Testing

@Suite struct KernelResultTests {
  /// A result of a picked variant and another, with these times in nanoseconds.
  private func result(picked: [Double], other: [Double]) throws -> KernelResult {
    KernelResult(
      name: "gemm", family: .gemm, shape: "1x1x1", detail: "f32",
      work: KernelWork(.operations(1000, .float32), byteCount: 10),
      variants: [
        .init(name: "a", isPicked: true, samples: try #require(Samples(picked)), ceiling: 200),
        .init(name: "b", isPicked: false, samples: try #require(Samples(other)), ceiling: 50),
      ])
  }

  @Test func aFasterWayIsFound() throws {
    #expect(try result(picked: [10, 10, 10], other: [8, 8, 8]).betterThanPicked?.name == "b")
  }

  @Test func noiseIsNoFasterWay() throws {
    #expect(try result(picked: [10, 10, 10], other: [9.8, 9.8, 9.8]).betterThanPicked == nil)
    // Both vary by a third, and the median is no better.
    #expect(try result(picked: [10, 13, 14], other: [8, 13, 15]).betterThanPicked == nil)
    #expect(try result(picked: [8, 8, 8], other: [10, 10, 10]).betterThanPicked == nil)
  }

  @Test func shareOfTheCeiling() throws {
    let result = try result(picked: [10, 12, 12], other: [20, 20, 20])
    #expect(abs(result.share(result.variants[0]) - 0.5) < 1e-12)
    // Each beside what its own instructions can do.
    #expect(abs(result.share(result.variants[1]) - 1) < 1e-12)
  }
}
