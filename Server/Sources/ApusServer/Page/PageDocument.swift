import CPage
import FoundationEssentials

/// The page for people with a browser: one file, and a policy under which a browser runs nothing else and asks nobody
/// else.
struct PageDocument: Sendable {
  /// The one inside the program.
  static let inside = PageDocument(
    Array(UnsafeBufferPointer(start: apus_page_bytes(), count: Int(clamping: apus_page_length))))

  /// HTML.
  let bytes: [UInt8]
  /// What browsers hold it to (Content Security Policy 3). Its own script and styles are known by their digests; markup
  /// cannot be made from text at all.
  let policy: String
  /// What is another for another page.
  let version: String

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    version = SHA256.digest(bytes).prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    policy = [
      "default-src 'none'", "script-src \(Self.digests(of: "script", in: bytes))",
      "style-src \(Self.digests(of: "style", in: bytes))", "img-src blob: data:", "connect-src 'self'",
      "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
      "require-trusted-types-for 'script'", "trusted-types 'none'",
    ].joined(separator: "; ")
  }

  /// Sources that allow what stands in elements of a name, and nothing else.
  private static func digests(of element: String, in page: [UInt8]) -> String {
    let sources = contents(of: element, in: page).map { content in
      "'sha256-\(Data(SHA256.digest(content)).base64EncodedString())'"
    }
    return sources.isEmpty ? "'none'" : sources.joined(separator: " ")
  }

  private static func contents(of element: String, in page: [UInt8]) -> [ArraySlice<UInt8>] {
    var found: [ArraySlice<UInt8>] = []
    var rest = page[...]
    while let start = rest.firstRange(of: Array("<\(element)".utf8)),
      let begin = rest[start.upperBound...].firstIndex(of: UInt8(ascii: ">")),
      let end = rest[begin...].firstRange(of: Array("</\(element)>".utf8))
    {
      found.append(rest[(begin + 1)..<end.lowerBound])
      rest = rest[end.upperBound...]
    }
    return found
  }
}
