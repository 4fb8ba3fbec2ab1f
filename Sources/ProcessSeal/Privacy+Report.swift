import CLibrary
import CSeccomp
import TensorCore

extension Privacy {
  /// The state of the process now, as the kernel reports it.
  public struct Report: Sendable, Hashable, Codable {
    /// The scope of the seal; nil if the process is not sealed.
    public let scope: Scope?
    /// Whether ``Privacy/seal(_:)`` has succeeded in this process, and every thread is under a filter.
    public let isSealed: Bool
    /// How the kernel filters the calls of each thread: 0 not at all, 2 by filters; `Seccomp` in `/proc/self/status`.
    public let modes: [Int]
    /// The number of filters on the calling thread, a container's among them; nil if the kernel does not say.
    public let filters: Int?
    /// Whether the process can gain no more rights.
    public let hasNoNewPrivileges: Bool
    /// The sockets that are open: none were opened since the process was sealed.
    public let sockets: [OpenSocket]

    /// Whether nothing can be sent to anybody: the process is sealed, and has no socket but standard streams that another
    /// program of this computer is behind. One that answers sends to those only who ask it.
    public var isLocal: Bool {
      isSealed && (scope == .answering || sockets.allSatisfy(\.isLocalStream))
    }
    /// The badge for people.
    public var badge: PrivacyBadge { isLocal ? .processingLocally : .checkFailed }
  }

  /// The state now. Nothing is tried; ``verify()`` does that.
  public static func report() -> Report {
    let tasks = "/proc/self/task"
    let modes = (FileSystem.names(in: tasks) ?? []).compactMap {
      number("Seccomp", in: "\(tasks)/\($0)/status")
    }
    let scope = scope
    return Report(
      scope: scope, isSealed: scope != nil && modes.allSatisfy { $0 == filtering }, modes: modes,
      filters: number("Seccomp_filters", in: "/proc/thread-self/status"),
      hasNoNewPrivileges: apus_process_control(PR_GET_NO_NEW_PRIVS, 0) == 1, sockets: OpenSocket.all)
  }

  /// The number by which the kernel says that filters decide.
  private static let filtering = 2

  private static func number(_ name: String, in path: String) -> Int? {
    let line = KernelFile.text(path)?.split(separator: "\n").first { $0.hasPrefix("\(name):") }
    return line.flatMap { Int($0.dropFirst(name.utf8.count + 1).trimmed) }
  }
}
