import CLibrary
import CSeccomp
import Testing

@testable import ProcessSeal

/// The filter by what it answers, run as the kernel runs it.
struct SealFilterTests {
  /// A call as the kernel shows it to a filter: `struct seccomp_data` of linux/seccomp.h.
  private struct Call {
    var number: UInt32
    var architecture: UInt32
    var secondArgument: UInt64 = 0

    func word(at offset: UInt32) throws -> UInt32 {
      switch offset {
      case 0: number
      case 4: architecture
      case 24: UInt32(truncatingIfNeeded: secondArgument)
      case 28: UInt32(secondArgument >> 32)
      default: throw Malformed()
      }
    }
  }

  /// What the kernel refuses to install: other instructions than these, jumps behind the end, no return.
  private struct Malformed: Error {}

  /// What the program answers to a call. Instructions: Linux, Documentation/networking/filter.rst.
  private func run(_ filter: SealFilter, on call: Call) throws -> UInt32 {
    var accumulator: UInt32 = 0
    var place = 0
    while filter.instructions.indices.contains(place) {
      let instruction = filter.instructions[place]
      place += 1
      switch instruction.code {
      case 0x20: accumulator = try call.word(at: instruction.k)
      case 0x15: place += Int(accumulator == instruction.k ? instruction.jt : instruction.jf)
      case 0x35: place += Int(accumulator >= instruction.k ? instruction.jt : instruction.jf)
      case 0x06: return instruction.k
      default: throw Malformed()
      }
    }
    throw Malformed()
  }

  private static let answers = (allowed: UInt32(0x7FFF_0000), refused: UInt32(0x0005_0001))

  /// What `strace -e trace=%network` shows, and the ways around it.
  private static let names: Set<String> = [
    "accept", "accept4", "bind", "connect", "getpeername", "getsockname", "getsockopt", "listen", "recvfrom",
    "recvmmsg", "recvmsg", "sendmmsg", "sendmsg", "sendto", "setsockopt", "shutdown", "socket", "socketpair",
    "io_uring_setup", "io_uring_enter", "io_uring_register", "bpf", "add_key", "request_key", "keyctl",
    "ptrace", "process_vm_readv",
    "process_vm_writev", "pidfd_getfd",
  ]

  /// What a process may call besides that only answers.
  private static let answering: Set<String> = [
    "accept", "accept4", "getpeername", "getsockname", "getsockopt", "setsockopt", "shutdown",
  ]

  @Test(arguments: ProcessorArchitecture.allCases, [Privacy.Scope.alone, .answering])
  func exactlyTheCallsNamedAreRefused(architecture: ProcessorArchitecture, scope: Privacy.Scope) throws {
    let filter = SealFilter(for: architecture, scope)
    let refused = Dictionary(
      uniqueKeysWithValues: SystemCall.refused(in: scope).map { ($0.number(on: architecture), $0.name) })
    #expect(Set(refused.values) == (scope == .alone ? Self.names : Self.names.subtracting(Self.answering)))
    for number in UInt32(0)..<1024 {
      let answer = try run(filter, on: Call(number: number, architecture: architecture.number))
      #expect(answer == (refused[number] == nil ? Self.answers.allowed : Self.answers.refused), "\(number)")
    }
  }

  @Test(arguments: ProcessorArchitecture.allCases)
  func otherConventionsAreRefusedWhole(architecture: ProcessorArchitecture) throws {
    let filter = SealFilter(for: architecture)
    // 32-bit x86 and ARM, the other of these two, none.
    let others: [UInt32] =
      [0x4000_0003, 0x4000_0028, 0]
      + ProcessorArchitecture.allCases.filter { $0 != architecture }.map(\.number)
    for (other, number) in others.flatMap({ other in [UInt32(0), 1, 41, 102, 359].map { (other, $0) } }) {
      #expect(try run(filter, on: Call(number: number, architecture: other)) == Self.answers.refused)
    }
    guard let start = architecture.secondConvention else { return }
    for number in [start, start + 1, start + 41, start + 512, .max] {
      #expect(
        try run(filter, on: Call(number: number, architecture: architecture.number)) == Self.answers.refused)
    }
  }

  /// The kernel looks at 32 bits of a request, so that the others must not hide it.
  @Test(arguments: ProcessorArchitecture.allCases)
  func textCannotBeTypedIntoTheTerminal(architecture: ProcessorArchitecture) throws {
    let filter = SealFilter(for: architecture)
    let number = SystemCall.control.number(on: architecture)
    for request in [UInt64(0x5412), 0x541C, 0x1_0000_5412, 0xFFFF_FFFF_0000_541C] {
      let call = Call(number: number, architecture: architecture.number, secondArgument: request)
      #expect(try run(filter, on: call) == Self.answers.refused)
    }
    for request in [UInt64(0x5401), 0x5413, 0x5412_0000_0000, 0] {
      let call = Call(number: number, architecture: architecture.number, secondArgument: request)
      #expect(try run(filter, on: call) == Self.answers.allowed)
    }
  }

  /// A jump counts up to 255 instructions.
  @Test(arguments: ProcessorArchitecture.allCases)
  func jumpsReachBothAnswers(architecture: ProcessorArchitecture) {
    #expect(SealFilter(for: architecture).instructions.count < 255)
  }

  /// The C library's numbers are those of the architecture that the test runs on.
  @Test func numbersAreThoseOfTheCLibrary() throws {
    let architecture = try #require(ProcessorArchitecture.host)
    let numbers = [
      "accept": SYS_accept, "accept4": SYS_accept4, "bind": SYS_bind, "connect": SYS_connect,
      "getpeername": SYS_getpeername, "getsockname": SYS_getsockname, "getsockopt": SYS_getsockopt,
      "listen": SYS_listen, "recvfrom": SYS_recvfrom, "recvmmsg": SYS_recvmmsg, "recvmsg": SYS_recvmsg,
      "sendmmsg": SYS_sendmmsg, "sendmsg": SYS_sendmsg, "sendto": SYS_sendto, "setsockopt": SYS_setsockopt,
      "shutdown": SYS_shutdown, "socket": SYS_socket, "socketpair": SYS_socketpair,
      "io_uring_setup": SYS_io_uring_setup, "io_uring_enter": SYS_io_uring_enter,
      "io_uring_register": SYS_io_uring_register, "bpf": SYS_bpf, "add_key": SYS_add_key,
      "request_key": SYS_request_key, "keyctl": SYS_keyctl, "ptrace": SYS_ptrace,
      "process_vm_readv": SYS_process_vm_readv, "process_vm_writev": SYS_process_vm_writev,
      "pidfd_getfd": SYS_pidfd_getfd, "ioctl": SYS_ioctl, "seccomp": SYS_seccomp,
    ]
    for call in SystemCall.refused(in: .alone) + [.control, .filter] {
      #expect(numbers[call.name].map(UInt32.init) == call.number(on: architecture), "\(call.name)")
    }
  }
}
