import CLibrary
import CommandSupport
import Kernels
import TensorCore

/// Conditions that make measurements worthless or doubtful.
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
    if let share = busyShare(), share > MachineLoad.doubtful {
      warnings.append(
        "other programs use \(Format.decimal(100 * share, 0)) % of this machine's processors; times will vary."
      )
    }
    return warnings
  }

  /// The share of all processors' time that others use over a fifth of a second; nil where it cannot be told. What
  /// threads of this process still spin is not theirs.
  private static func busyShare() -> Double? {
    guard let before = MachineLoad() else { return nil }
    usleep(200_000)
    return MachineLoad()?.share(since: before)
  }
}
