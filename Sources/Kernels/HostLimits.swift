import Foundation
import TensorCore

/// What this process may use of the machine.
package enum HostLimits {
  /// Threads worth having: the processors of the affinity mask, at most the control group's quota rounded
  /// up. `APUS_POOL_SIZE` (1…256) sets another number, for tests.
  package static let threads: Int = {
    if let text = EnvironmentVariable.poolSize.value(), let size = Int(text),
      (1...256).contains(size)
    {
      return size
    }
    return max(1, min(affinity, quota ?? .max))
  }()

  /// Processors that the scheduler may put this process on.
  package static let affinity: Int = {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("Cpus_allowed:") })
    else { return ProcessInfo.processInfo.activeProcessorCount }
    let digits = line.dropFirst("Cpus_allowed:".count).compactMap(\.hexDigitValue)
    return max(1, digits.reduce(0) { $0 + $1.nonzeroBitCount })
  }()

  /// Processors' worth of time that the control group grants, rounded up; nil when it sets no limit.
  package static let quota: Int? = {
    if let text = try? String(contentsOfFile: "/sys/fs/cgroup/cpu.max", encoding: .utf8) {
      return quota(fields: text.split(whereSeparator: \.isWhitespace).map(String.init))
    }
    let folder = "/sys/fs/cgroup/cpu/cpu.cfs_"
    let fields = ["quota_us", "period_us"].compactMap {
      try? String(contentsOfFile: folder + $0, encoding: .utf8).trimmingCharacters(
        in: .whitespacesAndNewlines)
    }
    return quota(fields: fields)
  }()

  /// Bytes of memory that this process may use: the machine's, or the control group's limit when it is less.
  package static let memory: Int = {
    let physical = Int(clamping: ProcessInfo.processInfo.physicalMemory)
    let limits = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"].compactMap {
      (try? String(contentsOfFile: $0, encoding: .utf8)).flatMap {
        Int($0.trimmingCharacters(in: .whitespacesAndNewlines))
      }
    }
    return ([physical] + limits.filter { $0 > 0 }).min() ?? physical
  }()

  static func quota(fields: [String]) -> Int? {
    guard fields.count == 2, let quota = Double(fields[0]), let period = Double(fields[1]), quota > 0,
      period > 0
    else { return nil }
    return Int(clamping: Int64(min((quota / period).rounded(.up), 4096)))
  }
}
