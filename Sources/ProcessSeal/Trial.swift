import CLibrary
import CSeccomp

/// A way to the network, tried so that it does no harm where it is open.
struct Trial {
  let name: String
  private let call: SystemCall
  private let arguments: [Int]
  /// Whether what succeeds has opened descriptors.
  private let opens: Bool
  /// The offset of the call's number.
  private let convention: Int

  private init(
    _ name: String, _ call: SystemCall, _ arguments: [Int], opens: Bool = false, convention: Int = 0
  ) {
    (self.name, self.call, self.arguments) = (name, call, arguments)
    (self.opens, self.convention) = (opens, convention)
  }

  private static func socket(_ name: String, _ family: Int32, _ type: Int) -> Trial {
    Trial(name, .socket, [Int(family), type], opens: true)
  }

  static var all: [Trial] {
    // SOCK_STREAM, SOCK_DGRAM and PTRACE_PEEKDATA, as the kernel has them.
    let (stream, datagram, peek) = (1, 2, 2)
    let sockets: [Trial] = [
      socket("TCP", AF_INET, stream), socket("UDP", AF_INET, datagram),
      socket("TCP over IPv6", AF_INET6, stream),
      socket("UDP over IPv6", AF_INET6, datagram), socket("another program's socket", AF_UNIX, stream),
      socket("the kernel's own socket (netlink)", AF_NETLINK, datagram),
      socket("the host of a virtual machine (vsock)", AF_VSOCK, stream),
      // Nothing is written where there is no place for the pair.
      Trial("a pair of sockets", .socketPair, [Int(AF_UNIX), stream, 0, 0]),
    ]
    let detours: [Trial] = [
      Trial("io_uring", .ringSetup, [0, 0]),
      // A key without a name.
      Trial("a name that the kernel has looked up (request_key)", .requestKey, [0, 0, 0, 0]),
      // No process has the number 0, and no descriptor -1.
      Trial("another process's calls (ptrace)", .trace, [peek, 0, 0, 0]),
      Trial("another process's memory", .readMemory, [0, 0, 0, 0, 0]),
      Trial("another process's sockets (pidfd_getfd)", .takeDescriptor, [-1, -1, 0]),
      Trial("typing into the terminal", .control, [-1, Int(SystemCall.refusedControls[0]), 0]),
    ]
    let second = ProcessorArchitecture.host?.secondConvention.map {
      Trial("TCP by calls of x32", .socket, [Int(AF_INET), stream], opens: true, convention: Int($0))
    }
    return sockets + detours + [second].compactMap(\.self)
  }

  func attempt() -> Privacy.Attempt { Privacy.Attempt(name: name, answer: answer) }

  private var answer: Privacy.Answer {
    guard let architecture = ProcessorArchitecture.host else { return .unknown }
    let padded = arguments + [Int](repeating: 0, count: 5 - arguments.count)
    let result = apus_system_call(
      Int(call.number(on: architecture)) + convention, padded[0], padded[1], padded[2], padded[3], padded[4])
    guard result < 0 else {
      if opens { close(Int32(clamping: result)) }
      return .allowed
    }
    return switch errno {
    case EPERM, EACCES: .refused
    case ENOSYS: .unknown
    case let error: .failed(error)
    }
  }
}
