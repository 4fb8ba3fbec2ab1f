import TensorCore

extension Exclusions {
  /// Patterns of a folder as another one needs them in which it lies, to mean the same.
  /// - Parameter below: the path of the folder from the other.
  static func patterns(_ patterns: [String], of below: String) -> [String] {
    let slash = UInt8(ascii: "/")
    let folder = FileName.bytes(below).flatMap { literal($0) }
    return patterns.map { pattern in
      var rest = FileName.bytes(pattern)[...]
      var moved: [UInt8] = []
      if rest.first == UInt8(ascii: "!") { moved.append(rest.removeFirst()) }
      let isAnywhere = !rest.dropLast().contains(slash)
      if rest.first == slash { rest.removeFirst() }
      moved += folder
      moved += Array((isAnywhere ? "/**/" : "/").utf8)
      moved += rest
      return FileName.text(moved)
    }
  }

  /// The pattern of one byte of a path. An index keeps patterns in lines, so that the end of one is any control character.
  private static func literal(_ byte: UInt8) -> [UInt8] {
    if byte == UInt8(ascii: "\n") { return Array("[[:cntrl:]]".utf8) }
    return "*?[]!\\".utf8.contains(byte) ? [UInt8(ascii: "\\"), byte] : [byte]
  }
}
