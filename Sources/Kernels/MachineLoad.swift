import CLibrary
import TensorCore

/// What other programs do with this machine's processors.
package struct MachineLoad: Sendable {
  /// Ticks since the machine started in which processors worked, and all ticks.
  private let busy: Int
  private let total: Int
  /// Ticks of this process.
  private let own: Double

  /// A share of the processors above which times are in doubt.
  package static let doubtful = 0.05

  /// As of now; nil where the system does not tell.
  package init?() {
    guard let text = KernelFile.text("/proc/stat"),
      let line = text.split(separator: "\n").first, line.hasPrefix("cpu ")
    else { return nil }
    // user, nice, system, idle, waiting, …
    let ticks = line.split(separator: " ").dropFirst().prefix(8).compactMap { Int($0) }
    guard ticks.count == 8 else { return nil }
    total = ticks.reduce(0, &+)
    busy = total &- ticks[3] &- ticks[4]
    own = Double(clock()) / Double(CLOCKS_PER_SEC) * Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// The share of all processors' time that others used since then; nil where it cannot be told.
  package func share(since before: MachineLoad) -> Double? {
    guard total > before.total else { return nil }
    return max(0, (Double(busy - before.busy) - (own - before.own)) / Double(total - before.total))
  }
}
