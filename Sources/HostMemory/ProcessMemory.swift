import TensorCore

/// The memory of a process, as the kernel counts it.
public struct ProcessMemory: Sendable, Hashable, Codable {
  /// Bytes in memory, of files too: `VmRSS`.
  public let resident: Int
  /// Bytes in memory that are of no file: `RssAnon`. They can be had back only when the process gives them back.
  public let anonymous: Int
  /// Bytes of addresses: `VmSize`.
  public let addresses: Int
  /// Bytes of addresses that are of no file, and can be written: `VmData`.
  public let data: Int

  /// The memory of this process now; nil if the system does not tell.
  public static var current: ProcessMemory? { ProcessMemory(KernelFile.text("/proc/self/status") ?? "") }

  /// - Parameter text: as `/proc/self/status` has it, described in proc(5).
  package init?(_ text: String) {
    let numbers = KernelNumbers(text)
    guard let resident = numbers["VmRSS"], let addresses = numbers["VmSize"] else { return nil }
    (self.resident, self.addresses) = (resident, addresses)
    anonymous = numbers["RssAnon"] ?? resident
    data = numbers["VmData"] ?? 0
  }
}
