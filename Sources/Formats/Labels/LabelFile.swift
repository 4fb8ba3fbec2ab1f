import JSONCoding
import TensorCore

/// The names of classes in the order of the model's outputs.
///
/// Read are text with a label on each line, a JSON list of texts, by itself or as `labels`, a JSON object from index to label
/// or from label to index that names every index from 0 once; and with more to say of each class (``LabelDetails``) a JSON
/// list of objects with a `label`, or an object from label to object, where each has an `index` or the order of the file
/// counts. Numbers before all labels, as in `0 cat`, are none of them.
package struct LabelFile: Sendable, Equatable {
  package let labels: [String]
  /// What else is said of classes, by the positions of their labels: two classes may have one label.
  package let details: [Int: LabelDetails]
  /// The only line of a text, where commas stand in it: one label, or a list of them. Else nil.
  let commaLine: String?

  /// Labels from elsewhere.
  /// - Parameter details: by the position of the label; of others nothing is said.
  package init(labels: [String], details: [Int: LabelDetails] = [:]) {
    self.labels = labels
    self.details = details
    commaLine = nil
  }

  /// - Parameter lines: of a text, each a label.
  private init(lines: [String]) {
    labels = lines
    details = [:]
    commaLine = lines.count == 1 && Self.hasCommas(lines[0]) ? lines[0] : nil
  }

  /// A file whose labels stood behind numbers.
  private init(_ file: LabelFile, labels: [String]) {
    (self.labels, details, commaLine) = (labels, file.details, file.commaLine)
  }

  /// Files over this size, in bytes, are no label files.
  package static let maximumByteCount = 1 << 24

  /// - Parameter path: of the file; one whose name ends in `.json` must be JSON.
  /// - Throws: ``ApusError`` that names the file.
  package init(contentsOf path: String) throws(ApusError) {
    let bytes = try FileBytes.read(path, limit: Self.maximumByteCount)
    do {
      try self.init(bytes, isJSON: path.lowercased().hasSuffix(".json"))
    } catch {
      throw error.inFile(path)
    }
  }

  /// - Parameters:
  ///   - bytes: the file.
  ///   - isJSON: whether it must be JSON. It is, too, when it starts with `{` or `[` and ends with the bracket's twin.
  /// - Throws: ``ApusError`` of kind `configuration` when the file is empty, over the limit, not UTF-8, or not
  ///   one label for each index.
  package init(_ bytes: [UInt8], isJSON: Bool = false) throws(ApusError) {
    guard bytes.count <= Self.maximumByteCount else {
      throw ApusError(
        .configuration, "\(bytes.count) bytes of labels", expected: "at most \(Self.maximumByteCount)")
    }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw ApusError(
        .configuration, "the labels are in UTF-16", expected: "UTF-8", advice: "Save the file as UTF-8.")
    }
    let body = Self.body(bytes)
    let file =
      isJSON || Self.isJSON(body)
      ? try Self(try JSONValue.parse(body)) : Self(lines: try Self.lines(body))
    self.init(file, labels: Self.withoutNumbers(file.labels))
    guard !labels.isEmpty else { throw ApusError(.configuration, "no label", expected: "at least one") }
  }

  /// The text of a file, without a byte order mark.
  static func body(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
  }

  private static func isJSON(_ bytes: ArraySlice<UInt8>) -> Bool {
    let ends = (bytes.first { !isSpace($0) }, bytes.last { !isSpace($0) })
    return ends == (UInt8(ascii: "{"), UInt8(ascii: "}")) || ends == (UInt8(ascii: "["), UInt8(ascii: "]"))
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }

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

/// Labels behind their numbers, `0 cat` and `1 dog`, as some tools write them.
extension LabelFile {
  /// The labels without their numbers, where each has its own, from 0 in order, and they differ without them: those of
  /// `0 stars` and `1 star` are part of what is said. Else the labels as they are.
  static func withoutNumbers(_ labels: [String]) -> [String] {
    var names: [String] = []
    for (index, label) in labels.enumerated() {
      guard let name = name(in: label, behind: index) else { return labels }
      names.append(name)
    }
    return names.count > 1 && Set(names.map { Array($0.utf8) }).count == names.count ? names : labels
  }

  /// The text behind a number, and behind space or a punctuation mark; nil where another number, or none, begins the label,
  /// or one follows: `0-9` and `0.5 mm` are names.
  private static func name(in label: String, behind number: Int) -> String? {
    let bytes = label.utf8[...]
    let digits = bytes.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard digits.count < 10, Int(String(decoding: digits, as: UTF8.self)) == number else { return nil }
    var rest = bytes[digits.endIndex...].drop(while: isSpace)
    if let mark = rest.first, ":,.)".utf8.contains(mark) { rest = rest.dropFirst().drop(while: isSpace) }
    let name = String(decoding: rest, as: UTF8.self)
    guard rest.startIndex > digits.endIndex, let first = name.unicodeScalars.first,
      first.properties.numericType == nil
    else { return nil }
    return name
  }
}
