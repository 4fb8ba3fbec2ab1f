import CLibrary
import CSeccomp

/// The program that the kernel runs before each call of a sealed process: it lets the call through, or refuses it with
/// `EPERM`. It can be read as data, and run by an interpreter.
struct SealFilter: Sendable {
  let instructions: [sock_filter]

  init(for architecture: ProcessorArchitecture, _ scope: Privacy.Scope = .alone) {
    var steps: [Step] = [.load(.architecture), .refuseUnless(architecture.number), .load(.number)]
    if let start = architecture.secondConvention { steps.append(.refuseFrom(start)) }
    steps += SystemCall.refused(in: scope).map { .refuseIf($0.number(on: architecture)) }
    steps += [.allowUnless(SystemCall.control.number(on: architecture)), .load(.secondArgument)]
    steps += SystemCall.refusedControls.map { .refuseIf($0) }
    let (allow, refuse) = (steps.count, steps.count + 1)
    instructions =
      steps.enumerated().map { $1.instruction(at: $0, allow: allow, refuse: refuse) } + [
        sock_filter(code: Self.returnCode, jt: 0, jf: 0, k: Self.allowed),
        sock_filter(code: Self.returnCode, jt: 0, jf: 0, k: Self.refused),
      ]
  }

  /// The filter's answer for allowed calls.
  static let allowed = UInt32(SECCOMP_RET_ALLOW)
  static let refused = UInt32(SECCOMP_RET_ERRNO) | UInt32(EPERM)

  private static let returnCode = UInt16(BPF_RET | BPF_K)
}

/// A step on the way to one of the two answers.
private enum Step {
  case load(Field)
  case refuseIf(UInt32)
  case refuseUnless(UInt32)
  case refuseFrom(UInt32)
  case allowUnless(UInt32)

  /// Words of `struct seccomp_data` of linux/seccomp.h, by their offsets. The kernel takes an `ioctl`'s request for a
  /// number of 32 bits: the lower half of the argument, on processors that have it first.
  enum Field: UInt32 {
    case number = 0
    case architecture = 4
    case secondArgument = 24
  }

  /// - Parameters:
  ///   - place: of this instruction in the program.
  ///   - allow: the place of the instruction that lets a call through.
  ///   - refuse: the place of the one that refuses it.
  func instruction(at place: Int, allow: Int, refuse: Int) -> sock_filter {
    // Jumps count from the next instruction.
    let (allow, refuse) = (UInt8(clamping: allow - place - 1), UInt8(clamping: refuse - place - 1))
    let equals = UInt16(BPF_JMP | BPF_JEQ | BPF_K)
    return switch self {
    case .load(let field):
      sock_filter(code: UInt16(BPF_LD | BPF_W | BPF_ABS), jt: 0, jf: 0, k: field.rawValue)
    case .refuseIf(let value): sock_filter(code: equals, jt: refuse, jf: 0, k: value)
    case .refuseUnless(let value): sock_filter(code: equals, jt: 0, jf: refuse, k: value)
    case .refuseFrom(let value):
      sock_filter(code: UInt16(BPF_JMP | BPF_JGE | BPF_K), jt: refuse, jf: 0, k: value)
    case .allowUnless(let value): sock_filter(code: equals, jt: 0, jf: allow, k: value)
    }
  }
}
