extension FileName {
  /// The folder that a path names its last part in: `a/b` of `a/b/c`, `/` of `/a`, empty of `a`.
  package static func folder(of path: String) -> String {
    let path = withoutFinalSlashes(path.utf8[...])
    guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return "" }
    return String(decoding: withoutFinalSlashes(path[...slash]), as: UTF8.self)
  }

  /// The last part of a path: `c` of `a/b/c` and of `a/b/c/`.
  package static func last(of path: String) -> String {
    let path = withoutFinalSlashes(path.utf8[...])
    let slash = path.lastIndex(of: UInt8(ascii: "/"))
    return String(decoding: path[(slash.map(path.index(after:)) ?? path.startIndex)...], as: UTF8.self)
  }

  /// The parts of a path between slashes, by bytes, because to Swift a slash and a combining accent are one character.
  package static func parts(of path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// The ending of a file's name in lower case: `jpg` of `a/b.JPG`. Empty if there is no full stop, or nothing before it.
  package static func ending(of path: String) -> String {
    let name = last(of: path).utf8
    guard let stop = name.lastIndex(of: UInt8(ascii: ".")), stop > name.startIndex else { return "" }
    return String(decoding: name[name.index(after: stop)...], as: UTF8.self).lowercased()
  }

  /// The bytes that a name has at most.
  private static let longest = 255

  /// A path beside another that nothing else has. Its name begins as the other's does, as far as there is room.
  static func temporary(_ path: String, ending: String) -> String {
    let suffix = ".\(String(UInt64.random(in: 0...UInt64.max), radix: 16))\(ending)"
    var name = last(of: path)
    let room = longest - suffix.utf8.count
    guard (room + 1...longest).contains(bytes(name).count) else { return path + suffix }
    while bytes(name).count > room { name.unicodeScalars.removeLast() }
    let folder = folder(of: path)
    return folder.isEmpty ? name + suffix : "\(folder == "/" ? "" : folder)/\(name)\(suffix)"
  }

  /// `a/b` of `a/b//`, `/` of `//`.
  package static func withoutFinalSlashes(_ path: String) -> String {
    String(decoding: withoutFinalSlashes(path.utf8[...]), as: UTF8.self)
  }

  /// By bytes: to Swift a slash and an accent behind it are one character.
  private static func withoutFinalSlashes(_ path: Substring.UTF8View) -> Substring.UTF8View {
    var path = path
    while path.count > 1, path.last == UInt8(ascii: "/") { path = path.dropLast() }
    return path
  }
}
