import TensorCore

/// The work for a folder: its files beside the index's entries.
struct IndexPlan {
  /// A file to be read, by its path from the root.
  struct Item: Sendable {
    let path: String
    let stamp: FileStamp
    /// The number of the disk that it is on.
    let device: Int

    init(path: String, _ version: FileVersion) {
      (self.path, stamp, device) = (path, FileStamp(version), version.device)
    }
  }

  /// Files that are new or changed, could not be read, or have no vector by the model.
  private(set) var toRead: [Item] = []
  /// Files whose content is known without reading them: they were renamed or moved.
  private(set) var moved: [(item: Item, content: Int64)] = []
  /// Files that are there again, as they were.
  private(set) var found: [Int64] = []
  /// Files that are as the index has them.
  private(set) var unchanged = 0
  /// The parts whose disk has a number other than the index's.
  private(set) var renumbered: [(id: Int64, device: Int)] = []
  /// Of videos and raw photographs that are not indexed, their endings.
  private(set) var passedOver: [(ending: String, kind: MediaKind)] = []
  /// Files of the index that were not found yet.
  private var gone: [ExactText: StoredFile]
  /// Of files that were read, by their disks: another disk may have the same inodes.
  private let contents: [Int: [FileStamp: Int64]]
  private let unfinished: Set<Int64>
  private let failed: FailedFiles
  private var failures: [String] = []
  /// The disks of all folders that were walked, by their paths from the root.
  private var folders: [ExactText: Int] = [:]
  /// Disks that have another number now, by the one that they had.
  private var numbers: [Int: Set<Int>] = [:]

  /// - Parameters:
  ///   - known: the files that the index has below the folder.
  ///   - unfinished: contents without an error and without a vector by the model.
  ///   - failed: files that could not be read, those elsewhere in the index among them.
  init(known: [ExactText: StoredFile], unfinished: Set<Int64>, failed: FailedFiles) {
    gone = known
    (self.unfinished, self.failed) = (unfinished, failed)
    var contents: [Int: [FileStamp: Int64]] = [:]
    for file in known.values {
      // What could not be read may not have these bytes any more, under whatever name.
      if let content = file.content, !file.isFailed, !unfinished.contains(content) {
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
      add(Item(path: path(file.path), file.version))
    }
    for file in folder.passedOver where shard?.contains(path(file)) ?? true {
      if let kind = MediaKind(file) { passedOver.append((MediaKind.ending(of: file), kind)) }
    }
    if let device = folder.device { folders[ExactText(path(folder.path))] = device }
    failures += folder.failures.map { path($0.path) }
  }

  private mutating func add(_ item: Item) {
    let file = gone.removeValue(forKey: ExactText(item.path))
    guard !failed.mayHold(item.stamp, on: [item.device] + (file.map { [$0.device] } ?? [])) else {
      toRead.append(item)
      return
    }
    if let file, !file.isFailed, file.stamp == item.stamp, let content = file.content,
      !unfinished.contains(content)
    {
      unchanged += 1
      if file.isMissing { found.append(file.id) }
      if file.device != item.device {
        renumbered.append((file.id, item.device))
        renumber(file.device, as: item.device)
      }
    } else if file?.isFailed != true, let content = contents[item.device]?[item.stamp] {
      moved.append((item, content))
    } else {
      toRead.append(item)
    }
  }

  /// Takes note of a folder that was not looked at, by its path from the root.
  mutating func leave(_ folder: String) { failures.append(folder) }

  /// Takes note of a disk that has another number now.
  mutating func renumber(_ old: Int, as new: Int) { numbers[old, default: []].insert(new) }

  /// Files of the index that are gone, except where folders could not be read or a disk is absent.
  /// - Parameters:
  ///   - exclusions: what the root has always left out. Of what lies there, only what was asked for by name is known.
  ///   - shard: the part of the files that was looked for.
  func missing(leavingOut exclusions: Exclusions, of shard: Shard?) -> [StoredFile] {
    gone.filter { path, file in
      guard !file.isMissing, shard?.contains(path.text) ?? true, let folder = walkedFolder(above: path),
        folder.device == file.device || numbers[file.device, default: []].contains(folder.device),
        !exclusions.leaveOut(path.text, walkedIn: folder.path)
      else { return false }
      return !failures.contains { $0.isEmpty || path.below($0) != nil }
    }.map(\.value).sorted { $0.id < $1.id }
  }

  /// The deepest folder on the way to a file that was walked: the file is on its disk, or on one that is not mounted now.
  private func walkedFolder(above path: ExactText) -> (path: String, device: Int)? {
    var folder = path.text
    while !folder.isEmpty, folders[ExactText(folder)] == nil { folder = FileName.folder(of: folder) }
    return folders[ExactText(folder)].map { (path: folder, device: $0) }
  }
}

extension Exclusions {
  /// Whether a walk that was in a folder did not look for a file below one in it. A folder that is left out itself was
  /// walked for its own sake.
  fileprivate func leaveOut(_ path: String, walkedIn folder: String) -> Bool {
    ExactText(FileName.folder(of: path)) != ExactText(folder) && excludes(path)
      && !excludes(folder, isFolder: true)
  }
}
