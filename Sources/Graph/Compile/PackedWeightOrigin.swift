import TensorCore

/// The model and the files that packed weights were made from, which is kept with these: when one of them is gone, or another
/// is in its place, nothing reads the packed weights any more.
package struct PackedWeightOrigin: Sendable, Equatable {
  /// A path from the root, and the folder at which its disk is mounted.
  struct Place: Sendable, Equatable {
    let path: String
    let mount: String

    init(_ path: String) {
      self.path = FileSystem.resolved(path) ?? path
      mount = Self.mount(of: self.path)
    }

    fileprivate init(path: String, mount: String) { (self.path, self.mount) = (path, mount) }

    /// By the folders on the way: some file systems give files devices of their own.
    private static func mount(of path: String) -> String {
      var folder = FileSystem.isFolder(path) ? path : FileName.folder(of: path)
      let device = FileSystem.version(of: folder)?.device
      while folder.count > 1 {
        let parent = FileName.folder(of: folder)
        guard FileSystem.version(of: parent)?.device == device else { return folder }
        folder = parent
      }
      return folder
    }

    /// Whether the disk is one that is not mounted now.
    var isAway: Bool {
      guard mount.count > 1, let device = FileSystem.version(of: mount)?.device else {
        return mount.count > 1
      }
      return FileSystem.version(of: FileName.folder(of: mount))?.device == device
    }
  }

  package enum State: Sendable {
    case present, gone
    /// On a disk that is not mounted.
    case away
  }

  private let model: Place
  private let files: [(place: Place, version: FileVersion)]

  /// - Parameter model: the path by which the model is known.
  init(model: String, files: [MappedFile]) {
    self.model = Place(model)
    self.files = files.map { (Place($0.path), $0.version) }.sorted { $0.place.path < $1.place.path }
  }

  /// The path of the model.
  package var path: String { model.path }

  /// Whether the model is there as it was.
  package var state: State {
    let places = [(model, FileVersion?.none)] + files.map { ($0, $1) }
    let missing = places.filter { place, version in
      let found = FileSystem.version(of: place.path)
      return found == nil || version.map { $0 != found } ?? false
    }
    guard let first = missing.first else { return .present }
    return first.0.isAway ? .away : .gone
  }

  package static func == (first: PackedWeightOrigin, second: PackedWeightOrigin) -> Bool {
    first.bytes == second.bytes
  }
}

extension PackedWeightOrigin {
  /// What is stored: texts that end in zeros, two of the model and three of each file.
  package var bytes: [UInt8] {
    let texts =
      [model.path, model.mount]
      + files.flatMap { place, version in
        [place.path, place.mount, version.numbers.map(String.init).joined(separator: " ")]
      }
    return texts.flatMap { FileName.bytes($0) + [0] }
  }

  /// - Returns: nil when the bytes are no origin.
  package init?(_ bytes: some Collection<UInt8>) {
    let texts = bytes.split(separator: 0, omittingEmptySubsequences: false).map { FileName.text($0) }
    guard texts.count >= 3, texts.count % 3 == 0, texts.last == "" else { return nil }
    model = Place(path: texts[0], mount: texts[1])
    var files: [(place: Place, version: FileVersion)] = []
    for start in stride(from: 2, to: texts.count - 1, by: 3) {
      let numbers = texts[start + 2].split(separator: " ").compactMap { Int($0) }
      guard let version = FileVersion(numbers: numbers) else { return nil }
      files.append((Place(path: texts[start], mount: texts[start + 1]), version))
    }
    self.files = files
  }
}

extension FileVersion {
  fileprivate var numbers: [Int] { [device, inode, byteCount, modified, changed] }

  fileprivate init?(numbers: [Int]) {
    guard numbers.count == 5 else { return nil }
    self.init(
      device: numbers[0], inode: numbers[1], byteCount: numbers[2], modified: numbers[3], changed: numbers[4])
  }
}
