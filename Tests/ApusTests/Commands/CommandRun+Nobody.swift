import CLibrary
import TestSupport

extension CommandRun {
  /// Stands before a command of a shell, which then runs as a user who may not do what root may.
  static let asNobody = geteuid() == 0 ? "setpriv --reuid=65534 --clear-groups" : ""
  static let canBeNobody = (try? CommandRun(shell: "\(asNobody) \"$@\"", ["--version"]).exitCode) == 0
}
