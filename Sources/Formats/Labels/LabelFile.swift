import TensorCore

/// The names of classes in the order of the model's outputs.
///
/// Three forms are read: text with a label on each line, a JSON list of texts, and a JSON object from index to
/// label or from label to index that names every index from 0 once.
package struct LabelFile: Sendable, Equatable {
  package let labels: [String]

  /// Files over this size, in bytes, are no label files.
  package static let maximumByteCount = 1 << 24

  package init(contentsOf path: String) throws(ApusError) {
    let bytes = try FileBytes.read(path, limit: Self.maximumByteCount)
    do {
      try self.init(bytes)
    } catch {
      throw error.inFile(path)
    }
  }

  /// - Parameter bytes: the file. It is JSON when it starts with `{` or `[` and ends with the bracket's twin.
  /// - Throws: ``ApusError`` of kind `configuration` when the file is empty, over the limit, not UTF-8, or not
  ///   one label for each index.
  package init(_ bytes: [UInt8]) throws(ApusError) {
    guard bytes.count <= Self.maximumByteCount else {
      throw ApusError(
        .configuration, "\(bytes.count) bytes of labels", expected: "at most \(Self.maximumByteCount)")
    }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw ApusError(
        .configuration, "the labels are in UTF-16", expected: "UTF-8", advice: "Save the file as UTF-8.")
    }
    let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    labels = Self.isJSON(body) ? try Self.json(try JSONParser.parse(body)) : try Self.lines(body)
    guard !labels.isEmpty else { throw ApusError(.configuration, "no label", expected: "at least one") }
  }

  private static func isJSON(_ bytes: ArraySlice<UInt8>) -> Bool {
    let ends = (bytes.first { !isSpace($0) }, bytes.last { !isSpace($0) })
    return ends == (UInt8(ascii: "{"), UInt8(ascii: "}")) || ends == (UInt8(ascii: "["), UInt8(ascii: "]"))
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }

  /// A label for each line; only empty lines at the end do not count.
  private static func lines(_ bytes: ArraySlice<UInt8>) throws(ApusError) -> [String] {
    var labels: [String] = []
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      guard let label = String(validating: line, as: UTF8.self), !label.utf8.contains(0) else {
        throw ApusError(
          .configuration, "bytes that are not UTF-8 text", at: "line \(labels.count + 1)",
          advice: "Save the file as UTF-8, one label on each line.")
      }
      labels.append(trimmed(label))
    }
    while labels.last == "" { labels.removeLast() }
    return labels
  }

  private static func trimmed(_ label: String) -> String {
    let bytes = Array(label.utf8)
    guard let first = bytes.firstIndex(where: { !isSpace($0) }),
      let last = bytes.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(decoding: bytes[first...last], as: UTF8.self)
  }
}

extension LabelFile {
  private static func json(_ value: JSONValue) throws(ApusError) -> [String] {
    switch value {
    case .array(let values):
      var labels: [String] = []
      for value in values {
        guard let label = value.string else {
          throw ApusError(.configuration, "label \(labels.count) is \(value.kind)", expected: "a text")
        }
        labels.append(label)
      }
      return labels
    case .object(let members) where members.allSatisfy({ $0.value.string != nil }):
      return try ordered(members) { (member) throws(ApusError) in
        guard let index = Int(member.key) else {
          throw ApusError(.configuration, "key \"\(member.key.clipped)\"", expected: "the index of a class")
        }
        return (index, member.value.string ?? "")
      }
    case .object(let members):
      return try ordered(members) { (member) throws(ApusError) in
        guard let index = member.value.int else {
          throw ApusError(
            .configuration, "\"\(member.key.clipped)\" is \(member.value.kind)",
            expected: "the index of a class for every label, or a label for every index")
        }
        return (index, member.key)
      }
    default: throw ApusError(.configuration, "labels as \(value.kind)", expected: "a list or an object")
    }
  }

  /// Labels by index: every index below the count once.
  private static func ordered(
    _ members: [JSONValue.Member], _ entry: (JSONValue.Member) throws(ApusError) -> (Int, String)
  ) throws(ApusError) -> [String] {
    var labels = [String?](repeating: nil, count: members.count)
    for member in members {
      let (index, label) = try entry(member)
      guard labels.indices.contains(index), labels[index] == nil else {
        throw ApusError(
          .configuration, "index \(index) of label \"\(label.clipped)\"",
          expected: "each of 0 to \(members.count - 1) once, for \(members.count) labels")
      }
      labels[index] = label
    }
    return labels.compactMap(\.self)
  }
}
