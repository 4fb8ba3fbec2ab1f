/// A path by its bytes: texts that Swift takes for equal, such as é in one character and in two, are two files.
struct ExactPath: Sendable, Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (a: ExactPath, b: ExactPath) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }

  /// The path from a folder that it lies in, empty for the folder itself; nil where it lies elsewhere.
  func below(_ folder: String) -> String? {
    if text.utf8.elementsEqual(folder.utf8) { return "" }
    let prefix = folder.utf8.last == UInt8(ascii: "/") ? folder : folder + "/"
    guard text.utf8.starts(with: prefix.utf8) else { return nil }
    return String(text.utf8.dropFirst(prefix.utf8.count))
  }
}
