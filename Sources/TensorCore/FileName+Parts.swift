extension FileName {
  /// The folder that a path names its last part in: `a/b` of `a/b/c`, `/` of `/a`, empty of `a`.
  package static func folder(of path: String) -> String {
    let path = withoutFinalSlashes(path)
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return String(withoutFinalSlashes(path[...slash]))
  }

  /// The last part of a path: `c` of `a/b/c` and of `a/b/c/`.
  package static func last(of path: String) -> String {
    let path = withoutFinalSlashes(path)
    return String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
  }

  /// What follows the last full stop of a file's name, in small letters: `jpg` of `a/b.JPG`. Empty where there is
  /// none, or nothing before it.
  package static func ending(of path: String) -> String {
    let name = last(of: path)
    guard let stop = name.lastIndex(of: "."), stop > name.startIndex else { return "" }
    return name[name.index(after: stop)...].lowercased()
  }

  /// A path beside another that nothing else has.
  static func temporary(_ path: String, ending: String) -> String {
    "\(path).\(String(UInt64.random(in: 0...UInt64.max), radix: 16))\(ending)"
  }

  private static func withoutFinalSlashes(_ path: some StringProtocol) -> Substring {
    var path = Substring(path)
    while path.count > 1, path.last == "/" { path.removeLast() }
    return path
  }
}
