import Hummingbird

extension Request {
  /// An answer that a browser may keep, but asks about each time it wants it; nothing but that it is still the same where
  /// the browser has this version.
  func response(
    version: String, _ answer: () async throws -> Response
  ) async rethrows -> Response {
    let tag = "\"\(version)\""
    let known = headers[.ifNoneMatch]?.split(separator: ",").contains { part in
      let part = part.drop { $0 == " " }
      return part == tag || part == "W/\(tag)"
    }
    var response = known == true ? Response(status: .notModified) : try await answer()
    response.headers[.eTag] = tag
    response.headers[.cacheControl] = "private, no-cache"
    return response
  }
}
