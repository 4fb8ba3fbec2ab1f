/// A form with files as browsers send it (RFC 7578).
struct MultipartForm {
  struct Part {
    let name: String
    let content: [UInt8]
  }

  let parts: [Part]

  /// Parts of a form, at most.
  private static let maximumParts = 1024
  /// Bytes of a part's headers, at most.
  private static let headerBytes = 16 << 10

  /// - Parameter contentType: the header of the request, which names what stands between the parts.
  init(_ body: [UInt8], contentType: String) throws(RequestFault) {
    let boundary = try Self.boundary(of: contentType)
    let separator = Array("\r\n--\(boundary)".utf8)
    var parts: [Part] = [], start = 0
    // The first separator may begin the body, without the line break that belongs to the others.
    if body.starts(with: separator.dropFirst(2)) {
      start = separator.count - 2
    } else {
      start = try Self.place(of: separator, in: body, from: 0) + separator.count
    }
    while !body[start...].starts(with: "--".utf8) {
      guard parts.count < Self.maximumParts else {
        throw RequestFault(.tooLarge, "The form has more than \(Self.maximumParts) parts.")
      }
      let end = try Self.place(of: separator, in: body, from: start)
      parts.append(try Self.part(start..<end, of: body))
      start = end + separator.count
    }
    self.parts = parts
  }

  /// What stands between the parts of a form, as its type says it.
  static func boundary(of contentType: String) throws(RequestFault) -> String {
    guard let boundary = HeaderParameters.value("boundary", of: contentType), 1...70 ~= boundary.utf8.count
    else { throw RequestFault(.syntax, "The form's type names no boundary.") }
    return boundary
  }

  private static func place(
    of separator: [UInt8], in body: [UInt8], from start: Int
  ) throws(RequestFault) -> Int {
    guard let place = body.firstIndex(of: separator, in: start..<body.count) else {
      throw RequestFault(.syntax, "The form ends before its last boundary.")
    }
    return place
  }

  private static let emptyLine = Array("\r\n\r\n".utf8)

  /// - Parameter range: what stands between two separators: headers, an empty line, and the content.
  private static func part(_ range: Range<Int>, of body: [UInt8]) throws(RequestFault) -> Part {
    let beginning = range.prefix(headerBytes)
    guard let end = body.firstIndex(of: emptyLine, in: beginning.startIndex..<beginning.endIndex) else {
      throw RequestFault(
        .syntax, "A part of the form has no end of its headers within \(headerBytes) bytes.")
    }
    let headers = String(decoding: body[range.lowerBound..<end], as: UTF8.self)
    for line in headers.split(whereSeparator: \.isNewline) {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...]
      if line[..<colon].lowercased() == "content-disposition",
        let name = HeaderParameters.value("name", of: String(value))
      {
        return Part(name: name, content: Array(body[(end + emptyLine.count)..<range.upperBound]))
      }
    }
    throw RequestFault(.syntax, "A part of the form has no name.")
  }
}
