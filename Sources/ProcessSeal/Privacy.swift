import CLibrary
import CSeccomp
import TensorCore

/// That what a process works on stays on this computer: asked of the kernel, not promised.
///
///     try Privacy.seal()
///     print(Privacy.report().badge)
///
/// A sealed process, all its threads and all processes that it starts can open no socket and use none, of whatever
/// kind; nor go around that by what the kernel does for others (io_uring, keys), through the memory or the sockets of
/// another process, by another calling convention of the kernel, or by typing into the terminal. What is forbidden fails
/// with `EPERM`; nothing is ended by it.
///
/// The limits of the seal: files may be written, and another program may send them; files of `/proc` too, so
/// that other processes of the user can be reached where `kernel.yama.ptrace_scope` is 0. The superuser can undo
/// nothing, but has other ways to the network than sockets. Pipes and files that the process was given stay open, as do
/// connections whose bytes `write` sends: ``report()`` names the sockets among them.
public enum Privacy {
  private static let sealed = Lock<Scope?>(nil)

  /// Seals the process, all of its threads, and those that it starts later. That cannot be undone, and holds for
  /// everything else in the process: servers no longer accept (unless they are left that), databases behind sockets are gone. So the library never
  /// does it by itself. A process that is sealed already stays so. Takes less than a millisecond.
  ///
  /// The process and those that it starts also gain no more rights from then on: `sudo` and the like do not work. Users and
  /// groups are looked up in `/etc/passwd` and `/etc/group` only.
  /// - Parameter scope: what it is left; a process that is sealed already keeps what it was left then.
  /// - Throws: ``ApusError`` of kind `resources` where the kernel refuses: it is older than 3.17 or made without seccomp
  ///   filters, a container forbids them, or a thread is under another filter.
  public static func seal(_ scope: Scope = .alone) throws(ApusError) {
    try sealed.withLock { (sealed) throws(ApusError) in
      guard sealed == nil else { return }
      guard let architecture = ProcessorArchitecture.host else {
        throw failure("there is no filter of the kernel's calls for this kind of processor")
      }
      guard apus_process_control(PR_SET_NO_NEW_PRIVS, 1) == 0 else {
        throw failure("the kernel does not give up rights: \(String(cString: strerror(errno)))")
      }
      try install(SealFilter(for: architecture, scope), on: architecture)
      sealed = scope
      // Services that know users are behind sockets: the C library would try them again and again.
      for list in ["passwd", "group"] { _ = __nss_configure_lookup(list, "files") }
    }
  }

  /// The scope of the seal; nil if ``seal(_:)`` has not succeeded.
  static var scope: Scope? { sealed.withLock(\.self) }

  private static func install(
    _ filter: SealFilter, on architecture: ProcessorArchitecture
  ) throws(ApusError) {
    let all = 1 << 0
    // Without it, kernels before 5.16 turn off the processor's speculation for sealed processes. What isolates programs
    // from the kernel by another kernel may not know it.
    let keepsSpeed = 1 << 2
    var instructions = filter.instructions
    let count = UInt16(clamping: instructions.count)
    let number = Int(SystemCall.filter.number(on: architecture))
    let result = instructions.withUnsafeMutableBufferPointer { instructions in
      var program = sock_fprog(len: count, filter: instructions.baseAddress)
      return withUnsafeMutablePointer(to: &program) { program in
        let install = { (flags: Int) in
          apus_system_call(number, Int(SECCOMP_SET_MODE_FILTER), flags, Int(bitPattern: program), 0, 0)
        }
        let result = install(all | keepsSpeed)
        return result < 0 && errno == EINVAL ? install(all) : result
      }
    }
    guard result >= 0 else {
      throw failure("the kernel takes no filter of its calls: \(String(cString: strerror(errno)))")
    }
    guard result == 0 else { throw failure("the thread \(result) is under another filter of calls") }
  }

  private static func failure(_ problem: String) -> ApusError {
    ApusError(
      .resources, problem, expected: "seccomp filters, which Linux has since 3.17 where they are compiled in",
      advice: "In a container, allow seccomp and prctl.")
  }
}
