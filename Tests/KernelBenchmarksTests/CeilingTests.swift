import KernelBenchmarks
import Kernels
import TensorCore
import Testing

@Suite struct CeilingTests {
  /// Takes two seconds.
  private static let measured = Result { () throws(ApusError) in try Ceilings.measure() }

  private let ceilings = Ceilings(
    operations: [.float32: [.avx2: 100, .avx512: 200], .int8: [.avx2: 400]], bandwidth: [(1000, 50)])

  @Test func theLesserOfArithmeticAndMovement() {
    let work = KernelWork(.operations(50_000, .float32), byteCount: 500)
    #expect(ceilings.rate(of: work, with: .avx2, movement: nil) == 100)
    #expect(ceilings.rate(of: work, with: .avx512, movement: 100) == 200)
    #expect(ceilings.rate(of: work, with: .avx512, movement: 1000) == 50)
    // What has no row of its own may use any instructions, and threads those of as many cores.
    #expect(ceilings.rate(of: work, with: nil, movement: nil) == 200)
    #expect(ceilings.rate(of: work, with: .avx2, threads: 2, movement: nil) == 200)
    #expect(ceilings.rate(of: KernelWork(.movement, byteCount: 5000), with: .avx2, movement: 100) == 50)
  }

  /// Each row has a ceiling, and none multiplies faster than rows with all its instructions and more.
  @Test func measuredCeilingsAreThoseOfTheRows() throws {
    let measured = try Self.measured.get()
    for arithmetic in [Arithmetic.float32, .int8] {
      let family = arithmetic == .int8 ? NumericFamily.integer : .float
      let usable = family.sets.filter { $0.requires.isSubset(of: ProcessorFeatures.host.instructions) }
      let rows = measured.rows(of: arithmetic)
      #expect(rows.map(\.set) == usable)
      #expect(rows.allSatisfy { $0.rate > 0 })
      #expect(try #require(measured.picked(arithmetic)) > 0)
      let last = try #require(rows.last)
      #expect(rows.allSatisfy { $0.rate <= 1.2 * last.rate }, "\(arithmetic) \(rows)")
    }
    #expect((measured.picked(.bfloat16) ?? 0 > 0) == KernelSet.best.bfloat16.hasProducts)
    #expect(measured.bandwidth.allSatisfy { $0.gigabytes > 0 })
  }

  /// A kernel that does nothing but move bytes stays below what loops move that lie beside it.
  @Test(arguments: ["dequantize:64x64", "widen:64x64", "scan:64x64"])
  func noShareIsAboveAll(_ text: String) throws {
    var sampler = Sampler()
    sampler.secondsEach = 0.02
    let ceilings = try Self.measured.get()
    for kernel in try KernelCases.cases(of: try KernelShape(parsing: text), threads: 1) {
      let result = try KernelResult(kernel, sampler: sampler, ceilings: ceilings)
      for variant in result.variants {
        #expect(result.share(variant) < 1.02, "\(result.name) \(variant.name)")
      }
    }
  }
}
