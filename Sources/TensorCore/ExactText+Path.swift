extension ExactText {
  /// The path from a folder that it lies in, empty for the folder itself; nil where it lies elsewhere.
  package func below(_ folder: String) -> String? {
    if self == ExactText(folder) { return "" }
    let prefix = folder.utf8.last == UInt8(ascii: "/") ? folder : folder + "/"
    guard text.utf8.starts(with: prefix.utf8) else { return nil }
    return String(Substring(text.utf8.dropFirst(prefix.utf8.count)))
  }
}
