/// A call of the kernel, and its number on each architecture.
struct SystemCall: Sendable {
  let name: String
  private let x86_64: UInt32
  private let arm64: UInt32

  func number(on architecture: ProcessorArchitecture) -> UInt32 {
    switch architecture {
    case .x86_64: x86_64
    case .arm64: arm64
    }
  }

  private init(_ name: String, _ x86_64: UInt32, _ arm64: UInt32) {
    (self.name, self.x86_64, self.arm64) = (name, x86_64, arm64)
  }

  /// The system calls refused to a sealed process. Numbers: asm/unistd_64.h of x86_64, asm-generic/unistd.h.
  static func refused(in scope: Privacy.Scope) -> [SystemCall] {
    switch scope {
    case .alone: calling + answering + kernel + processes
    case .answering: calling + kernel + processes
    }
  }

  /// Calls that open sockets or send to an address.
  private static let calling = [
    socket, socketPair, SystemCall("connect", 42, 203), SystemCall("bind", 49, 200),
    SystemCall("listen", 50, 201),
    SystemCall("sendto", 44, 206), SystemCall("sendmsg", 46, 211), SystemCall("sendmmsg", 307, 269),
    SystemCall("recvfrom", 45, 207), SystemCall("recvmsg", 47, 212), SystemCall("recvmmsg", 299, 243),
  ]

  /// Calls that use a socket which was open before, to answer a client.
  private static let answering = [
    SystemCall("accept", 43, 202), SystemCall("accept4", 288, 242),
    SystemCall("shutdown", 48, 210), SystemCall("getsockname", 51, 204), SystemCall("getpeername", 52, 205),
    SystemCall("setsockopt", 54, 208), SystemCall("getsockopt", 55, 209),
  ]

  /// Calls by which the kernel itself acts, past any filter: making other calls, running a program, looking up a name for a
  /// key of `dns_resolver`.
  private static let kernel = [
    ringSetup, SystemCall("io_uring_enter", 426, 426), SystemCall("io_uring_register", 427, 427),
    SystemCall("bpf", 321, 280), SystemCall("add_key", 248, 217), requestKey, SystemCall("keyctl", 250, 219),
  ]

  /// Calls that make another process act, or take its sockets.
  private static let processes = [
    trace, readMemory, SystemCall("process_vm_writev", 311, 271), takeDescriptor,
  ]

  static let socket = SystemCall("socket", 41, 198)
  static let socketPair = SystemCall("socketpair", 53, 199)
  static let ringSetup = SystemCall("io_uring_setup", 425, 425)
  static let requestKey = SystemCall("request_key", 249, 218)
  static let trace = SystemCall("ptrace", 101, 117)
  static let readMemory = SystemCall("process_vm_readv", 310, 270)
  static let takeDescriptor = SystemCall("pidfd_getfd", 438, 438)

  /// Refused with some requests only.
  static let control = SystemCall("ioctl", 16, 29)
  /// Requests that put text into a terminal as if it was typed there, which the shell would run once this process has
  /// ended: TIOCSTI, and TIOCLINUX, which pastes.
  static let refusedControls: [UInt32] = [0x5412, 0x541C]

  /// The call that installs a filter.
  static let filter = SystemCall("seccomp", 317, 277)
}
