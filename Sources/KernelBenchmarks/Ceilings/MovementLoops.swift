import Kernels
import TensorCore

/// Loops that only read, or only write, as many bytes as a work has: they come from the level of the caches where its
/// operands lie. Measured in turns with the kernels, because others share the large caches and memory.
struct MovementLoops {
  /// The readers first.
  let bodies: [(_ count: Int) throws(ApusError) -> Void]
  private let readerCount: Int
  /// What of a reader's and of a writer's bytes the work has.
  private let readShare: Double
  private let writtenShare: Double

  /// - Parameter threads: each moves a share of the bytes, in its own caches.
  /// - Throws: ``ApusError`` of kind `resources`.
  init(_ work: KernelWork, threads: Int) throws(ApusError) {
    // Less is moved so soon that calling takes as long; a multiple of what the loops ask for.
    let byteCount = max(16 << 10, (work.byteCount / threads + 1023) / 1024 * 1024)
    let memory = try TensorStorage(byteCount: byteCount)
    // Pages that were never written are all one page.
    memory.base.initializeMemory(as: UInt8.self, repeating: 1, count: byteCount)
    let shareOfThread = 1 / (Double(threads) * Double(byteCount))
    readShare = Double(work.byteCount - work.writtenByteCount) * shareOfThread
    writtenShare = Double(work.writtenByteCount) * shareOfThread
    // Wider vectors are faster in the first-level cache, narrower ones often beyond.
    let kernels = try FamilyRow.rows(of: .float).suffix(2).map(\.kernels)
    let readers = kernels.flatMap {
      [Self.reader(memory, $0, streams: 1), Self.reader(memory, $0, streams: 2)]
    }
    readerCount = readers.count
    bodies = readers + (work.writtenByteCount > 0 ? kernels.map { Self.writer(memory, $0) } : [])
  }

  private static func reader(
    _ memory: TensorStorage, _ kernels: KernelSet, streams: Int
  ) -> (Int) throws(ApusError) -> Void {
    { count in
      for _ in 0..<count { _ = kernels.float.readBytes(memory.base, memory.byteCount, streams) }
    }
  }

  private static func writer(
    _ memory: TensorStorage, _ kernels: KernelSet
  ) -> (Int) throws(ApusError) -> Void {
    { count in
      for _ in 0..<count { kernels.float.writeBytes(memory.base, memory.byteCount) }
    }
  }

  /// The least nanoseconds in which the bytes of the work can be moved: what is read and what is written may pass each
  /// other.
  /// - Parameter samples: of the bodies.
  func leastNanoseconds(_ samples: some Sequence<Samples?>) -> Double {
    let times = samples.map { $0?.minimum ?? 0 }
    return max(
      readShare * (times.prefix(readerCount).min() ?? 0),
      writtenShare * (times.dropFirst(readerCount).min() ?? 0))
  }
}
