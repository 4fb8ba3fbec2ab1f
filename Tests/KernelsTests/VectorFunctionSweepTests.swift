import Foundation
import Kernels
import Testing

/// The error bounds of the vector functions, over the patterns of all float32 or evenly chosen ones.
///
/// One pattern in 40_009 is taken, or one in `APUS_SWEEP_STEP`, and then the greatest errors are printed: 1 takes
/// all, which is for release builds.
@Suite struct VectorFunctionSweepTests {
  private static let givenStep = ProcessInfo.processInfo.environment["APUS_SWEEP_STEP"].flatMap(UInt64.init)
  private static let step = max(1, givenStep ?? 40_009)
  private static let blockLength = 1 << 14

  /// The greatest error under a bound, and where it is.
  private struct Worst: Sendable {
    var error = 0.0
    var argument: Float = 0
  }

  @Test(arguments: VectorFunctionCase.all)
  func errorsAreWithinTheBounds(_ test: VectorFunctionCase) {
    let sets = KernelSet.available
    let count = Int((UInt64(1) << 32) / Self.step)
    let blocks = (count + Self.blockLength - 1) / Self.blockLength
    let width = sets.count * test.bounds.count
    let pool = ThreadPool.shared
    var worst = [Worst](repeating: Worst(), count: width * pool.size)
    worst.withUnsafeMutableBufferPointer { worst in
      pool.parallel(count: blocks, grain: 1, threads: pool.size) { range, worker in
        let own = UnsafeMutableBufferPointer(rebasing: worst[worker * width..<(worker + 1) * width])
        for block in range {
          let first = block * Self.blockLength
          Self.sweep(test, first..<min(first + Self.blockLength, count), sets, own)
        }
      }
    }
    for (set, kernels) in sets.enumerated() {
      for (index, bound) in test.bounds.enumerated() {
        let place = set * test.bounds.count + index
        let greatest =
          (0..<pool.size).map { worst[$0 * width + place] }.max { $0.error < $1.error } ?? Worst()
        if Self.givenStep != nil {
          print("\(test.name), \(kernels.name), \(bound.arguments):", greatest, bound.unit)
        }
        #expect(greatest.error <= bound.limit, "\(kernels.name): at \(greatest.argument) in \(bound)")
      }
    }
  }

  /// - Parameter worst: for each set of kernels, each bound.
  private static func sweep(
    _ test: VectorFunctionCase, _ indices: Range<Int>, _ sets: [KernelSet],
    _ worst: UnsafeMutableBufferPointer<Worst>
  ) {
    let x = indices.map { Float(bitPattern: UInt32(truncatingIfNeeded: UInt64($0) * step)) }
    let wanted = x.map(test.trueValue)
    for (set, kernels) in sets.enumerated() {
      let found = kernels.map(test.function, x)
      for index in x.indices {
        for (position, bound) in test.bounds.enumerated() where bound.covers(x[index]) {
          let error = bound.error(of: found[index], from: wanted[index])
          let place = set * test.bounds.count + position
          if error > worst[place].error { worst[place] = Worst(error: error, argument: x[index]) }
        }
      }
    }
  }
}

extension VectorFunctionCase: CustomTestStringConvertible {
  var testDescription: String { name }
}

extension VectorFunctionCase.Bound {
  /// NaN belongs to every bound.
  func covers(_ x: Float) -> Bool { x.isNaN || arguments.contains(x) }
}

extension KernelSet {
  /// The function of each element, by the kernels of this set.
  func map(_ function: Int32, _ x: [Float]) -> [Float] {
    [Float](unsafeUninitializedCapacity: x.count) { result, count in
      x.withUnsafeBytes { source in
        guard let source = source.baseAddress, let target = result.baseAddress else { return }
        float.map(function, source, target, x.count)
        count = x.count
      }
    }
  }
}
