/// Lists of token ids in requests.
enum TokenIDs {
  /// The ids of one text.
  static func list(_ value: JSONValue, _ name: String) throws(RequestFault) -> [Int32] {
    guard case .array(let values) = value else {
      throw .unexpected(value, name, expected: "a list of token ids")
    }
    guard !values.isEmpty else { throw .empty(name) }
    var ids: [Int32] = []
    ids.reserveCapacity(values.count)
    for (index, value) in values.enumerated() {
      guard let whole = value.whole, whole >= 0, let id = Int32(exactly: whole) else {
        throw .unexpected(value, "\(name)[\(index)]", expected: "a token id")
      }
      ids.append(id)
    }
    return ids
  }

  /// The ids of one text, or of several.
  static func lists(_ value: JSONValue, _ name: String) throws(RequestFault) -> [[Int32]] {
    guard case .array(let values) = value, case .array? = values.first else { return [try list(value, name)] }
    var lists: [[Int32]] = []
    for (index, value) in values.enumerated() { lists.append(try list(value, "\(name)[\(index)]")) }
    return lists
  }
}
