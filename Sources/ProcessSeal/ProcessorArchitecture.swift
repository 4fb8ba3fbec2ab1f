/// A processor's calling convention of the kernel: by it the kernel's calls have their numbers.
enum ProcessorArchitecture: CaseIterable, Sendable {
  case x86_64, arm64

  /// That of this process; nil for others.
  static var host: ProcessorArchitecture? {
    #if arch(x86_64)
      .x86_64
    #elseif arch(arm64)
      .arm64
    #else
      nil
    #endif
  }

  /// The kernel's own number of it, `AUDIT_ARCH_…` of linux/audit.h.
  var number: UInt32 {
    switch self {
    case .x86_64: 0xC000_003E
    case .arm64: 0xC000_00B7
    }
  }

  /// From this number on calls are of a second convention that shares the first one's number: x32's, of pointers of 32
  /// bits on x86_64.
  var secondConvention: UInt32? { self == .x86_64 ? 0x4000_0000 : nil }
}
