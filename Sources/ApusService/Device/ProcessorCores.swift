import Kernels
import TensorCore

/// The cores behind the processors that the scheduler may put this process on: two processors of one core compute no more
/// than one.
enum ProcessorCores {
  /// How many there are; as many as processors where the system does not say.
  static let allowed = count(
    status: KernelFile.text("/proc/self/status") ?? "", processors: "/sys/devices/system/cpu")

  /// - Parameters:
  ///   - status: as `/proc/self/status` has it, described in proc(5).
  ///   - processors: the folder with a folder for each processor, `cpu0` and so on.
  static func count(status: String, processors: String) -> Int {
    let list = status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") }
    let numbers = numbers(in: list?.split(whereSeparator: \.isWhitespace).last ?? "")
    let cores = numbers.compactMap {
      KernelFile.text("\(processors)/cpu\($0)/topology/thread_siblings_list")?.trimmed
    }
    return cores.count == numbers.count && !cores.isEmpty ? Set(cores).count : HostLimits.affinity
  }

  /// The numbers of a list such as `0-3,8`.
  private static func numbers(in list: Substring) -> [Int] {
    list.split(separator: ",").flatMap { part in
      let ends = part.split(separator: "-").compactMap { Int($0) }
      // No kernel is built for more.
      guard let first = ends.first, let last = ends.last, first <= last, last < 1 << 13 else {
        return [Int]()
      }
      return Array(first...last)
    }
  }
}
