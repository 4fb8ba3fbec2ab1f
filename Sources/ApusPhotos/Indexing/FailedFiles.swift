import GRDB

/// Files that could not be read when that was last tried, under whatever names: what the index has of them under another
/// name, or of a link to them, is not taken for what they hold now.
struct FailedFiles: Sendable {
  /// On any disk: it may have another number now, which not every row of it has.
  private var stamps: Set<FileStamp> = []
  /// The numbers of failed files, which may have been written since the stamp of their row.
  private var numbers: Set<FileNumber> = []

  init(_ files: some Sequence<StoredFile>) {
    for file in files where file.isFailed { add(file.stamp, on: file.device) }
  }

  /// Failed files of the index that may be, by their numbers, files of a root: of any root, as files are moved and linked
  /// between them.
  /// - Parameter below: a folder, or a file, of the root; empty for all, which leaves out none.
  init(of root: Int64, below: String, in database: Database) throws {
    let paths = PathsBelow(below)
    let (condition, arguments): (String, StatementArguments) =
      below.isEmpty
      ? ("TRUE", StatementArguments())
      : (
        "inode IN (SELECT inode FROM file WHERE root_id = ? AND \(paths.condition))",
        paths.arguments(behind: [root])
      )
    let rows = try Row.fetchCursor(
      database,
      sql: "SELECT size, modified, inode, device FROM file WHERE \(condition) AND error IS NOT NULL",
      arguments: arguments)
    while let row = try rows.next() {
      let stamp = try FileStamp(size: row.at(0), modified: row.at(1), inode: row.at(2))
      try add(stamp, on: row.at(3))
    }
  }

  private mutating func add(_ stamp: FileStamp, on device: Int) {
    stamps.insert(stamp)
    numbers.insert(FileNumber(device: device, inode: stamp.inode))
  }

  /// Whether a file may be one of them.
  /// - Parameter devices: the numbers that its disk has and had.
  func mayHold(_ stamp: FileStamp, on devices: [Int]) -> Bool {
    stamps.contains(stamp)
      || devices.contains { numbers.contains(FileNumber(device: $0, inode: stamp.inode)) }
  }
}
