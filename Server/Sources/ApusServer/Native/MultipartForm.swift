/// A form with files as browsers send it (RFC 7578).
struct MultipartForm {
  struct Part {
    let name: String
    let content: [UInt8]
  }

  let parts: [Part]

  /// Parts of a form, at most.
  private static let maximumParts = 1024

  /// - Parameter contentType: the header of the request, which names what stands between the parts.
  init(_ body: [UInt8], contentType: String) throws(RequestFault) {
    let boundary = try Self.boundary(of: contentType)
    let separator = Array("\r\n--\(boundary)".utf8)
    var parts: [Part] = []
    // The first separator may begin the body, without the line break that belongs to the others.
    var rest = (Array("\r\n".utf8) + body)[...]
    guard let preamble = rest.firstRange(of: separator) else { throw Self.cut }
    rest = rest[preamble.upperBound...]
    while !rest.starts(with: "--".utf8) {
      guard parts.count < Self.maximumParts else {
        throw RequestFault(.tooLarge, "The form has more than \(Self.maximumParts) parts.")
      }
      guard let end = rest.firstRange(of: separator) else { throw Self.cut }
      parts.append(try Self.part(rest[..<end.lowerBound]))
      rest = rest[end.upperBound...]
    }
    self.parts = parts
  }

  /// What stands between the parts of a form, as its type says it.
  static func boundary(of contentType: String) throws(RequestFault) -> String {
    guard let boundary = HeaderParameters.value("boundary", of: contentType), 1...70 ~= boundary.utf8.count
    else { throw RequestFault(.syntax, "The form's type names no boundary.") }
    return boundary
  }

  private static let cut = RequestFault(.syntax, "The form ends before its last boundary.")

  /// - Parameter bytes: what stands between two separators: headers, an empty line, and the content.
  private static func part(_ bytes: ArraySlice<UInt8>) throws(RequestFault) -> Part {
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else {
      throw RequestFault(.syntax, "A part of the form has no end of its headers.")
    }
    let headers = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
    for line in headers.split(whereSeparator: \.isNewline) {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...]
      if line[..<colon].lowercased() == "content-disposition",
        let name = HeaderParameters.value("name", of: String(value))
      {
        return Part(name: name, content: Array(bytes[end.upperBound...]))
      }
    }
    throw RequestFault(.syntax, "A part of the form has no name.")
  }
}
