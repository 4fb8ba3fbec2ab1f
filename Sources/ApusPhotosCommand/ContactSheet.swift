import Apus
import ApusPhotos
import CommandSupport
import HTMLReport
import TensorCore

/// Photographs that were found as one self-contained page: small copies, each leading to its file.
struct ContactSheet {
  private let photos: [FoundPhoto]
  private let query: String
  private let facts: [(name: String, value: String)]

  /// - Parameters:
  ///   - query: what was looked for; nothing where the newest were.
  ///   - facts: how they were found.
  init(_ photos: [FoundPhoto], query: [String], _ facts: [(name: String, value: String)]) {
    (self.photos, self.facts) = (photos, facts)
    self.query = query.map(FileName.readable).joined(separator: ", ")
  }

  private var standfirst: String {
    let count = NumberText.count(photos.count, "photograph")
    if query.isEmpty {
      return photos.isEmpty ? "There is none." : "The \(count) taken last, the newest first."
    }
    return photos.isEmpty ? "Nothing is like that." : "The \(count) most like it, the most alike first."
  }

  func html() -> String {
    let title = query.isEmpty ? "Newest photographs" : query
    let head: [Markup] = [
      .masthead(
        kicker: ["Apus · photographs"], headline: [.outside(title)], standfirst: [.text(standfirst)])
    ]
    let facts = (facts + [("Apus", ApusVersion.current)]).map { (name: $0.0, value: [Markup.outside($0.1)]) }
    return Page(
      title: "\(title) – Apus",
      body: head + [.pictures(photos.map(item)), .section("How it was found", [.facts(facts)])]
    ).html
  }

  private func item(_ found: FoundPhoto) -> Markup {
    let path = found.paths[0]
    let picture = Self.image(path).map { image in
      Markup.tag("a", ["href": Self.address(path)], [image])
    }
    var remarks = found.score.map { [Format.decimal(Double($0), 3)] } ?? []
    if let taken = found.photo.taken { remarks.append(String(taken.prefix(16))) }
    if let camera = found.photo.camera { remarks.append(FileName.readable(camera)) }
    if found.paths.count > 1 { remarks.append("\(found.paths.count) files of the same bytes") }
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
