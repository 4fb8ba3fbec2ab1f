import Kernels
import TensorCore

/// What was measured of a case.
package struct KernelResult: Sendable {
  package struct Variant: Sendable {
    package let name: String
    package let isPicked: Bool
    package let samples: Samples
    /// The rate that its instructions could reach, in the work's unit.
    package let ceiling: Double

    package init(name: String, isPicked: Bool, samples: Samples, ceiling: Double) {
      self.name = name
      self.isPicked = isPicked
      self.samples = samples
      self.ceiling = ceiling
    }
  }

  package let name: String
  package let family: KernelFamily
  package let shape: String
  package let detail: String
  package let work: KernelWork
  /// At least one.
  package let variants: [Variant]

  package init(
    name: String, family: KernelFamily, shape: String, detail: String, work: KernelWork, variants: [Variant]
  ) {
    self.name = name
    self.family = family
    self.shape = shape
    self.detail = detail
    self.work = work
    self.variants = variants
  }

  /// How often operands are placed anew: caches are kinder to some places in memory than to others, by a tenth and more.
  private static let placements = 4
  /// Operands beyond get pages of their own, which lie elsewhere each time.
  private static let mostBytesKept = 32 << 20

  /// Measures all variants of `kernel` in turns, with loops that only move its bytes where that may be what takes the
  /// time. The samples of each are those of the place where it was fastest.
  package init(_ kernel: KernelCase, sampler: Sampler, ceilings: Ceilings) throws(ApusError) {
    let threads = min(kernel.threads, ThreadPool.shared.size)
    var sampler = sampler
    sampler.secondsEach /= Double(Self.placements)
    sampler.fewestSamples = max(2, sampler.fewestSamples / Self.placements)
    var best: [(variant: KernelVariant, samples: Samples)] = []
    var movement: Double?
    // Those of before are there while others are made, which must lie elsewhere.
    var kept: [[KernelVariant]] = []
    for _ in 0..<Self.placements {
      let variants = try kernel.variants()
      let loops =
        ceilings.mayBeBoundByMovement(kernel.work) ? try MovementLoops(kernel.work, threads: threads) : nil
      let samples = try sampler.measure(variants.map(\.run) + (loops?.bodies ?? []))
      let least = loops?.leastNanoseconds(samples.dropFirst(variants.count))
      movement = [movement, least].compactMap(\.self).min()
      let measured = zip(variants, samples).compactMap { variant, samples in samples.map { (variant, $0) } }
      best = best.isEmpty ? measured : zip(best, measured).map { $0.1.median < $1.1.median ? $0 : $1 }
      if kernel.work.byteCount > Self.mostBytesKept { kept.removeAll() }
      kept.append(variants)
    }
    self.init(
      name: kernel.name, family: kernel.family, shape: kernel.shape, detail: kernel.detail, work: kernel.work,
      variants: best.map { variant, samples in
        Variant(
          name: variant.name, isPicked: variant.isPicked, samples: samples,
          ceiling: ceilings.rate(of: kernel.work, with: variant.set, threads: threads, movement: movement))
      })
  }

  /// A variant's rate by its shortest time, as a share of its ceiling.
  package func share(_ variant: Variant) -> Double {
    work.rate(nanoseconds: variant.samples.minimum) / variant.ceiling
  }

  /// The least difference that counts, as a share of the time: machines are not steadier than that.
  package static let tolerance = 0.05

  /// The variant that is faster than the picked one beyond noise, by the shortest and by the median time.
  package var betterThanPicked: Variant? {
    guard let picked = variants.first(where: \.isPicked) else { return nil }
    return variants.filter { variant in
      let noise = max(Self.tolerance, max(picked.samples.spread, variant.samples.spread))
      return variant.samples.minimum * (1 + noise) < picked.samples.minimum
        && variant.samples.median * (1 + noise) < picked.samples.median
    }.min { $0.samples.minimum < $1.samples.minimum }
  }
}
