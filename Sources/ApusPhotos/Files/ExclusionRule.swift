import TensorCore

/// One pattern of ``Exclusions``.
struct ExclusionRule: Sendable, Equatable {
  let isTakenBack: Bool
  let isForFolders: Bool
  /// The pattern of the last name of a path.
  let name: NamePattern
  /// The names before it, from the root on; nil when it may stand anywhere.
  private let folders: [Part]?

  private enum Part: Sendable, Equatable {
    case name(NamePattern)
    /// Any number of folders.
    case folders
  }

  /// - Returns: nil for a pattern that no path can match, or that is not one.
  init?(_ pattern: String) {
    let slash = UInt8(ascii: "/")
    var bytes = FileName.bytes(pattern)[...]
    isTakenBack = bytes.first == UInt8(ascii: "!")
    if isTakenBack { bytes.removeFirst() }
    isForFolders = bytes.last == slash
    if isForFolders { bytes.removeLast() }
    let isAnywhere = !bytes.contains(slash)
    if bytes.first == slash { bytes.removeFirst() }
    var parts: [Part] = []
    for name in bytes.split(separator: slash, omittingEmptySubsequences: false) {
      if !isAnywhere, name.elementsEqual("**".utf8) {
        parts.append(.folders)
        continue
      }
      guard !name.isEmpty, !name.elementsEqual(".".utf8), !name.elementsEqual("..".utf8), !name.contains(0),
        let pattern = NamePattern(name)
      else { return nil }
      parts.append(.name(pattern))
    }
    // At the end it stands for all that is inside.
    if parts.last == .folders, let any = NamePattern("*".utf8) { parts.append(.name(any)) }
    guard case .name(let last)? = parts.popLast() else { return nil }
    name = last
    folders = isAnywhere ? nil : parts
  }

  /// Whether a folder, by its path from the root, is one in which the name counts. Only the last `**` is ever tried
  /// anew.
  func matches(folder: @autoclosure () -> some Sequence<UInt8>) -> Bool {
    guard let parts = folders else { return true }
    let names = Array(folder()).split(separator: UInt8(ascii: "/"))
    var (part, name) = (0, 0)
    var run: (part: Int, name: Int)?
    while true {
      if part < parts.count, parts[part] == .folders {
        part += 1
        run = (part, name)
      } else if part < parts.count, name < names.count, case .name(let pattern) = parts[part],
        pattern.matches(names[name])
      {
        part += 1
        name += 1
      } else if part == parts.count, name == names.count {
        return true
      } else {
        guard let (after, start) = run, start < names.count else { return false }
        (part, name) = (after, start + 1)
        run = (part, name)
      }
    }
  }
}
