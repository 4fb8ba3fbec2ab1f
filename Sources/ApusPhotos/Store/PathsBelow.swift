import GRDB

/// A folder of a root and all below it, or a file, as a condition on the table `file` beside one on `root_id`, so
/// that SQLite's index of both finds them without looking at others.
struct PathsBelow {
  let condition: String
  private let paths: StatementArguments

  /// - Parameter folder: its path from the root; empty for all of the root.
  init(_ folder: String) {
    guard !folder.isEmpty else {
      (condition, paths) = ("TRUE", StatementArguments())
      return
    }
    // In the order of bytes, "0" is what follows "/"; between the folder's name and that lie others, as "a-b".
    condition = "path >= ? AND path < ? AND (path = ? OR path >= ?)"
    paths = [folder, folder + "0", folder, folder + "/"]
  }

  /// The arguments of a statement that has the condition.
  func arguments(
    behind first: StatementArguments, before last: StatementArguments = StatementArguments()
  ) -> StatementArguments {
    first + paths + last
  }
}
