import KernelBenchmarks
import Testing

@Suite struct PickVerdictTests {
  private func result(picked: Double, other: Double) throws -> KernelResult {
    let variants = try [("a", picked), ("b", other)].map { name, nanoseconds in
      KernelResult.Variant(
        name: name, isPicked: name == "a", samples: try #require(Samples([nanoseconds, nanoseconds])),
        ceiling: 200)
    }
    return KernelResult(
      name: "gemm", family: .gemm, shape: "1x1x1", detail: "f32",
      work: KernelWork(.operations(1000, .float32), byteCount: 10), variants: variants)
  }

  private let idle = Conditions(waited: 0.002, others: 0.03, processors: 2, threads: 1)

  @Test func nobodyIsAccusedOnABusyMachine() throws {
    let busy = Conditions(waited: 0.4, others: 1.4, processors: 2, threads: 1)
    var verdict = PickVerdict()
    verdict.add(try result(picked: 10, other: 5), busy)
    #expect(verdict.outcome == .undecided)
    #expect(verdict.beaten.isEmpty && verdict.undecided == ["gemm"])
    // What was seen on an idle machine counts all the same.
    verdict.add(try result(picked: 10, other: 5), idle)
    #expect(verdict.outcome == .beaten)
    #expect(verdict.beaten == ["gemm: b is faster"])
  }

  @Test func anIdleMachineTells() throws {
    var verdict = PickVerdict()
    #expect(verdict.outcome == .fastest)
    verdict.add(try result(picked: 5, other: 10), idle)
    #expect(verdict.outcome == .fastest)
  }

  @Test(
    arguments: [
      // Two cores and a thread: the other core is free for one program, not for two.
      (0.0, 1.0, 2, 1, false), (0.0, 1.5, 2, 1, true), (0.2, 0.0, 2, 1, true), (0.04, nil, 2, 1, false),
      // Both cores are wanted; more threads than processors want no more than these.
      (0.0, 0.1, 2, 2, false), (0.0, 1.0, 2, 2, true), (0.0, 0.1, 1, 2, false), (0.0, 0.5, 1, 2, true),
    ] as [(Double, Double?, Int, Int, Bool)])
  func disturbances(
    _ waited: Double, _ others: Double?, _ processors: Int, _ threads: Int, _ isDisturbed: Bool
  ) {
    let conditions = Conditions(waited: waited, others: others, processors: processors, threads: threads)
    #expect(conditions.isDisturbed == isDisturbed)
  }
}
