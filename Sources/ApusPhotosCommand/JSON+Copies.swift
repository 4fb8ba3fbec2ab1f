import CommandSupport

extension JSON {
  /// The members that name further files of the same bytes, none where there is none: their names, and where one is no
  /// UTF-8 also a list of the bytes of such names in base64, with null in the places of others.
  static func copies(_ paths: some Collection<String>) -> [JSON.Member] {
    guard !paths.isEmpty else { return [] }
    let members = paths.map { Dictionary(uniqueKeysWithValues: JSON.file($0)) }
    let names: [JSON] = members.map { $0["file"] ?? .null }
    let bytes: [JSON?] = members.map { $0["file_base64"] }
    let copies = ("copies", JSON.array(names))
    guard bytes.contains(where: { $0 != nil }) else { return [copies] }
    return [copies, ("copies_base64", .array(bytes.map { $0 ?? .null }))]
  }
}
