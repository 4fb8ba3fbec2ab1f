import CLibrary
import TensorCore

/// The pictures in one folder, and the folders in it that a walk has to enter.
struct FolderReading {
  private(set) var files: [WalkedFile] = []
  private(set) var folders: [WalkPlace] = []
  private(set) var links: [WalkPlace] = []
  private(set) var failures: [WalkFailure] = []
  /// Paths of videos and raw photographs that are not indexed.
  private(set) var passedOver: [String] = []

  private let place: WalkPlace
  private let root: String
  private let options: WalkOptions

  /// A name that has to be looked at more closely.
  private struct Entry {
    let name: [UInt8]
    let kind: EntryKind
    /// The kind of the file by its name; nil if it is no photograph or video, or is excluded.
    let media: MediaKind?
  }

  private let wantsPictures: Bool

  /// - Throws: ``ApusError`` of kind `cancelled` when the task is.
  init(
    _ folder: borrowing OpenFolder, _ place: WalkPlace, of root: String, _ options: WalkOptions,
    wantsPictures: Bool = true
  ) throws(ApusError) {
    (self.place, self.root, self.options, self.wantsPictures) = (place, root, options, wantsPictures)
    let entries = try names(in: folder)
    var pictures: [(name: [UInt8], version: FileVersion)] = []
    for (index, entry) in entries.enumerated() {
      if index % 4096 == 0 { try Self.checkCancelled() }
      if let version = look(at: entry, in: folder) { pictures.append((entry.name, version)) }
    }
    passedOver.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    pictures.sort { $0.name.lexicographicallyPrecedes($1.name) }
    files = pictures.map { WalkedFile(path: FileName.text(place.path(of: $0.name)), version: $0.version) }
    folders.sort { $0.path.lexicographicallyPrecedes($1.path) }
    links.sort { $0.path.lexicographicallyPrecedes($1.path) }
    failures.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  /// Notes the folders, and gives the names that have to be looked at.
  private mutating func names(in folder: borrowing OpenFolder) throws(ApusError) -> [Entry] {
    var entries: [Entry] = []
    var count = 0
    let reason = folder.forEachName { name, kind in
      count += 1
      if count % 4096 == 0, Task.isCancelled { return false }
      switch kind {
      case .folder: note(folder: Array(name), isLink: false)
      case .file:
        if let media = media(name) { entries.append(Entry(name: Array(name), kind: kind, media: media)) }
      case .link:
        let media = media(name)
        if options.followsLinks || media != nil {
          entries.append(Entry(name: Array(name), kind: kind, media: media))
        }
      case .unknown: entries.append(Entry(name: Array(name), kind: kind, media: media(name)))
      case .other: break
      }
      return true
    }
    try Self.checkCancelled()
    if reason != 0, let failure = place.failure(reason, in: root) { failures.append(failure) }
    return entries
  }

  /// - Returns: the version of a picture; nil for what is none.
  private mutating func look(at entry: Entry, in folder: borrowing OpenFolder) -> FileVersion? {
    // The system is asked nothing of what is not read.
    if entry.kind == .file, entry.media != .photograph { return passOver(entry) }
    guard let status = folder.status(of: entry.name, followsLink: entry.kind == .link) else {
      if let failure = place.failure(errno, at: entry.name, in: root) { failures.append(failure) }
      return nil
    }
    switch EntryKind(status) {
    case .folder:
      if entry.kind != .link || options.followsLinks { note(folder: entry.name, isLink: entry.kind == .link) }
    case .file: return entry.media == .photograph ? FileVersion(status) : passOver(entry)
    // A file system that does not say what is a link.
    case .link:
      if entry.kind == .unknown {
        return look(at: Entry(name: entry.name, kind: .link, media: entry.media), in: folder)
      }
    case .unknown, .other: break
    }
    return nil
  }

  private mutating func note(folder name: [UInt8], isLink: Bool) {
    let isExcluded = name.withUnsafeBytes { options.excludes($0, in: place, isFolder: true) }
    guard !isExcluded else { return }
    let inner = WalkPlace(path: place.path(of: name), isLink: isLink)
    if isLink { links.append(inner) } else { folders.append(inner) }
  }

  private mutating func passOver(_ entry: Entry) -> FileVersion? {
    if entry.media != nil { passedOver.append(FileName.text(place.path(of: entry.name))) }
    return nil
  }

  private func media(_ name: UnsafeRawBufferPointer) -> MediaKind? {
    guard wantsPictures, let media = MediaKind(name), !options.excludes(name, in: place, isFolder: false)
    else { return nil }
    return media
  }

  private static func checkCancelled() throws(ApusError) {
    if Task.isCancelled { throw ApusError(.cancelled, "the walk was cancelled") }
  }
}
