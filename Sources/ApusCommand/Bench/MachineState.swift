import CommandSupport
import Glibc
import TensorCore

/// What makes measurements worthless or doubtful.
enum MachineState {
  /// Says so on standard error.
  static func warn() {
    for warning in warnings() { StandardStreams.report("apus: WARNING: \(warning)") }
  }

  private static func warnings() -> [String] {
    var warnings: [String] = []
    if !ApusVersion.isOptimized {
      warnings.append("this is a debug build; kernels are many times slower than in a release build.")
    }
    if let share = busyShare(), share > 0.05 {
      warnings.append(
        "other programs use \(Format.decimal(100 * share, 0)) % of this machine's processors; times will vary."
      )
    }
    return warnings
  }

  /// The share of all processors' time that others use over a fifth of a second; nil where it cannot be told.
  private static func busyShare() -> Double? {
    guard let before = times() else { return nil }
    let ownBefore = clock()
    usleep(200_000)
    // Threads that a library started may still be spinning.
    let own = Double(clock() - ownBefore) / Double(CLOCKS_PER_SEC) * Double(sysconf(Int32(_SC_CLK_TCK)))
    guard let after = times(), after.total > before.total else { return nil }
    return (Double(after.busy - before.busy) - own) / Double(after.total - before.total)
  }

  /// Ticks since the machine started, from the first line of /proc/stat: user, nice, system, idle, waiting, …
  private static func times() -> (busy: Int, total: Int)? {
    guard let text = KernelFile.text("/proc/stat"),
      let line = text.split(separator: "\n").first, line.hasPrefix("cpu ")
    else { return nil }
    let ticks = line.split(separator: " ").dropFirst().prefix(8).compactMap { Int($0) }
    guard ticks.count == 8 else { return nil }
    let total = ticks.reduce(0, &+)
    return (total &- ticks[3] &- ticks[4], total)
  }
}
