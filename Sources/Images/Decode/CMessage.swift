/// Text that a C library left in a fixed array.
enum CMessage {
  /// The text up to the first zero byte, repaired where it is not UTF-8.
  static func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
