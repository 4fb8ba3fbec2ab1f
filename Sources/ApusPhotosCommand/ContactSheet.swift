import Apus
import ApusPhotos
import CommandSupport
import HTMLReport
import TensorCore

/// Photographs that were found as one self-contained page: small copies, each leading to its file.
struct ContactSheet {
  private let matches: [PhotoMatch]
  private let query: String
  private let searcher: PhotoSearcher

  init(_ matches: [PhotoMatch], query: [String], _ searcher: PhotoSearcher) {
    (self.matches, self.searcher) = (matches, searcher)
    self.query = query.map(FileName.readable).joined(separator: ", ")
  }

  func html() -> String {
    let count = NumberText.count(matches.count, "photograph")
    let head: [Markup] = [
      .masthead(
        kicker: ["Apus · photographs"], headline: [.outside(query)],
        standfirst: [
          .text(
            matches.isEmpty ? "Nothing is like that." : "The \(count) most like it, the most alike first.")
        ])
    ]
    var facts: [(name: String, value: [Markup])] = [(name: "Model", value: [.outside(searcher.model)])]
    if let texts = searcher.textModel {
      facts.append((name: "Model for texts", value: [.outside(FileName.readable(texts))]))
    }
    facts.append((name: "Index", value: [.outside(FileName.readable(searcher.folder))]))
    facts.append((name: "Apus", value: [.text(ApusVersion.current)]))
    return Page(
      title: "\(query) – Apus",
      body: head + [.pictures(matches.map(item)), .section("How it was found", [.facts(facts)])]
    ).html
  }

  private func item(_ match: PhotoMatch) -> Markup {
    let path = match.pathsAtHand[0]
    let picture = Self.image(path).map { image in
      Markup.tag("a", ["href": Self.address(path)], [image])
    }
    var remarks = [Format.decimal(Double(match.score), 3)]
    if let taken = match.photo.taken { remarks.append(String(taken.prefix(16))) }
    if let camera = match.photo.camera { remarks.append(FileName.readable(camera)) }
    if match.paths.count > 1 { remarks.append("\(match.paths.count) files of the same bytes") }
    return .pictureItem(
      picture, name: FileName.readable(FileName.last(of: path)), remarks: remarks, bars: [],
      isUncertain: false)
  }

  private static func image(_ path: String) -> Markup? {
    guard let small = try? PhotoThumbnail(contentsOf: path) else { return nil }
    return PageImage(.jpeg, bytes: small.bytes, width: small.width, height: small.height).markup(
      alternative: FileName.readable(FileName.last(of: path)))
  }

  /// A `file:` address (RFC 8089), every byte but letters, digits and `/-._~` escaped.
  private static func address(_ path: String) -> String {
    "file://"
      + FileName.bytes(path).map { byte in
        let scalar = Unicode.Scalar(byte)
        let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || (48...57).contains(byte))
        return isPlain || "/-._~".utf8.contains(byte)
          ? String(Character(scalar)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }.joined()
  }
}
