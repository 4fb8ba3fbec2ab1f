import CAllocator
import Foundation

/// The most memory that this process takes from now on, beyond what it has now.
package struct PeakMemory {
  private let before: Int

  package init() {
    apus_release_freed_memory()
    // Sets the greatest size that was seen to that of now.
    try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
    before = Self.kibibytes("VmRSS")
  }

  /// In bytes of resident memory.
  package var byteCount: Int { (Self.kibibytes("VmHWM") - before) << 10 }

  private static func kibibytes(_ key: String) -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix(key) } ?? ""
    return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
  }
}
