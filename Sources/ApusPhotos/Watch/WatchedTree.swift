/// The folders that are watched below a root, by the numbers of their watches. A folder knows its name and the one it
/// is in, so that renaming one that has thousands below changes one entry.
struct WatchedTree {
  private struct Folder {
    var name: [UInt8]
    /// nil for the root, and for what was taken out.
    var parent: Int32?
    var children: [[UInt8]: Int32] = [:]
  }

  private var folders: [Int32: Folder] = [:]
  private(set) var root: Int32?

  var count: Int { folders.count }

  func contains(_ watch: Int32) -> Bool { folders[watch] != nil }

  /// The path from the root; nil for a watch that is none of the tree's, or was taken out.
  func path(of watch: Int32) -> [UInt8]? {
    var names: [[UInt8]] = []
    var current = watch
    while current != root {
      guard let folder = folders[current], let parent = folder.parent else { return nil }
      names.append(folder.name)
      current = parent
    }
    return Array(names.reversed().joined(separator: "/".utf8))
  }

  /// The watch of a folder in another.
  func child(_ name: [UInt8], of watch: Int32) -> Int32? { folders[watch]?.children[name] }

  mutating func putRoot(_ watch: Int32) {
    root = watch
    folders[watch] = Folder(name: [], parent: nil)
  }

  /// Puts a folder where it is now, with what is known below it.
  /// - Returns: the watches of what had its name there, and all below that, which are removed.
  mutating func put(_ watch: Int32, _ name: [UInt8], in parent: Int32) -> [Int32] {
    // A folder is not below itself, whatever order changes are told in.
    guard folders[parent] != nil, !isBelow(parent, watch) else { return [] }
    takeOut(watch)
    let removed = child(name, of: parent).map { remove($0) } ?? []
    folders[watch, default: Folder(name: name)].name = name
    folders[watch]?.parent = parent
    folders[parent]?.children[name] = watch
    return removed
  }

  private func isBelow(_ watch: Int32, _ other: Int32) -> Bool {
    var current: Int32? = watch
    while let place = current {
      if place == other { return true }
      current = folders[place]?.parent
    }
    return false
  }

  /// Takes a folder out of the one it is in, with what is below it, until it is put somewhere or removed.
  mutating func takeOut(_ watch: Int32) {
    guard let folder = folders[watch], let parent = folder.parent else { return }
    folders[parent]?.children[folder.name] = nil
    folders[watch]?.parent = nil
  }

  func isTakenOut(_ watch: Int32) -> Bool {
    guard let folder = folders[watch] else { return false }
    return folder.parent == nil && watch != root
  }

  /// Removes a folder and all below it.
  /// - Returns: their watches.
  mutating func remove(_ watch: Int32) -> [Int32] {
    takeOut(watch)
    var removed: [Int32] = []
    var pending = [watch]
    while let next = pending.popLast() {
      guard let folder = folders.removeValue(forKey: next) else { continue }
      removed.append(next)
      pending += folder.children.values
    }
    if root == watch { root = nil }
    return removed
  }
}
