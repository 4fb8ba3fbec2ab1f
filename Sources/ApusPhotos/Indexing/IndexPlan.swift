import TensorCore

/// What there is to do about a folder: what is found in it, beside what the index has of it.
struct IndexPlan {
  /// A file to be read, by its path from the root.
  struct Item: Sendable {
    let path: String
    let stamp: FileStamp
    /// The number of the disk that it is on.
    let device: Int
  }

  /// Files that are new or changed, or have no vector by the model.
  private(set) var toRead: [Item] = []
  /// Files whose content is known without reading them: they were renamed or moved.
  private(set) var moved: [(item: Item, content: Int64)] = []
  /// Files that are there again, as they were.
  private(set) var found: [Int64] = []
  /// Files that are as the index has them.
  private(set) var unchanged = 0
  /// Files of the index that were not found yet.
  private var gone: [ExactPath: StoredFile]
  /// Of files that were read, by their disks: another disk may have the same inodes.
  private let contents: [Int: [FileStamp: Int64]]
  private let unfinished: Set<Int64>
  private var failures: [String] = []

  /// - Parameters:
  ///   - known: the files that the index has below the folder.
  ///   - unfinished: contents without an error and without a vector by the model.
  init(known: [ExactPath: StoredFile], unfinished: Set<Int64>) {
    gone = known
    self.unfinished = unfinished
    var contents: [Int: [FileStamp: Int64]] = [:]
    for file in known.values {
      if let content = file.content, !unfinished.contains(content) {
        contents[file.device, default: [:]][file.stamp] = content
      }
    }
    self.contents = contents
  }

  /// Takes note of what a walk found in one folder.
  /// - Parameters:
  ///   - below: the path from the root of where the walk began; empty for the root itself.
  ///   - shard: the part of the files that counts.
  mutating func add(_ folder: WalkedFolder, below: String, of shard: Shard?) {
    let path = { (part: String) in below.isEmpty ? part : part.isEmpty ? below : "\(below)/\(part)" }
    for file in folder.files where shard?.contains(path(file.path)) ?? true {
      add(Item(path: path(file.path), stamp: FileStamp(file.version), device: file.version.device))
    }
    failures += folder.failures.map { path($0.path) }
  }

  private mutating func add(_ item: Item) {
    let file = gone.removeValue(forKey: ExactPath(item.path))
    if let file, file.stamp == item.stamp, let content = file.content, !unfinished.contains(content) {
      unchanged += 1
      if file.isMissing { found.append(file.id) }
    } else if let content = contents[item.device]?[item.stamp] {
      moved.append((item, content))
    } else {
      toRead.append(item)
    }
  }

  /// Files of the index that are gone: not those where nobody could look, and not those of a disk that is not there.
  /// - Parameters:
  ///   - devices: of all folders that were walked.
  ///   - shard: the part of the files that was looked for.
  func missing(on devices: Set<Int>, of shard: Shard?) -> [Int64] {
    gone.filter { path, file in
      !file.isMissing && devices.contains(file.device) && shard?.contains(path.text) ?? true
        && !failures.contains { path.below($0) != nil }
    }.map(\.value.id).sorted()
  }
}
