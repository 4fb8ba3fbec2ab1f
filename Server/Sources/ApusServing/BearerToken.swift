/// The key that a client sends in `Authorization`.
package enum BearerToken {
  /// The key behind `Bearer` and any number of spaces (RFC 9110, 11.4); nil where there is none, and for other schemes.
  package static func key(in authorization: String) -> String? {
    let scheme = authorization.prefix { $0 != " " }
    let key = authorization[scheme.endIndex...].drop { $0 == " " }
    guard scheme.lowercased() == "bearer", !key.isEmpty else { return nil }
    return String(key)
  }
}
