import TensorCore

/// The rows of a file of values divided by commas, semicolons or tabs.
///
/// Between commas or semicolons a value may stand in quotes, as RFC 4180 has it, and then hold these, line breaks and
/// doubled quotes. Between tabs quotes are characters like others, for texts are full of them.
struct SeparatedValues: Equatable {
  struct Row: Equatable {
    /// The line in the file, from 1, in which the row begins.
    let line: Int
    let values: [String]

    /// - Throws: ``ApusError`` of kind `configuration` when there is something behind as many values as the first row has.
    func checkWidth(_ width: Int) throws(ApusError) {
      guard values.count > width, !values[width...].allSatisfy(\.isEmpty) else { return }
      throw ApusError(
        .configuration, "\(values.count) values", expected: "\(width), as in the first row",
        at: "line \(line)",
        advice: "Put values that contain a comma or semicolon in quotes.")
    }
  }

  enum Separator: Equatable {
    case comma
    case semicolon
    case tab
    /// Each line is one value.
    case none
  }

  let separator: Separator
  /// Rows without blank ones.
  let rows: [Row]

  /// Files over this size, in bytes, are refused.
  static let maximumByteCount = 1 << 28

  /// What makes text of bytes; nil when they are none.
  typealias Decoding = @Sendable (ArraySlice<UInt8>) -> String?

  static let utf8: Decoding = { String(validating: $0, as: UTF8.self) }
  /// Names of files may be any bytes.
  static let fileNames: Decoding = { FileName.text($0) }

  /// - Parameter expected: what was asked for, where the file is something else.
  /// - Throws: ``ApusError``: kind `file` when it cannot be read or is a picture, `configuration` when it is not UTF-8, a
  ///   quote has no end, or there is no row.
  init(
    contentsOf path: String, decoding: Decoding = utf8, expected: String
  ) throws(ApusError) {
    let bytes = try FileBytes.read(path, limit: Self.maximumByteCount)
    let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    do throws(ApusError) {
      try ListContent.check(bytes, of: path, expected: expected)
      let separator = Self.separator(of: body, named: path)
      if separator == .comma, let values = Self.betweenSemicolons(body, decoding) {
        self = values
      } else {
        try self.init(body, separator: separator, decoding)
      }
    } catch {
      throw error.inFile(path)
    }
  }

  init(
    _ bytes: ArraySlice<UInt8>, separator: Separator, _ decoding: Decoding = utf8
  ) throws(ApusError) {
    self.separator = separator
    switch separator {
    case .comma: rows = try QuotedValues.rows(bytes, dividedBy: UInt8(ascii: ","), decoding)
    case .semicolon: rows = try QuotedValues.rows(bytes, dividedBy: UInt8(ascii: ";"), decoding)
    case .tab, .none: rows = try Self.lines(bytes, divided: separator == .tab, decoding)
    }
    guard !rows.isEmpty else { throw ApusError(.configuration, "no row", expected: "at least one") }
  }

  /// Tabs where the first line has one, or else commas in a file named `.csv`.
  private static func separator(of bytes: ArraySlice<UInt8>, named path: String) -> Separator {
    if bytes.prefix(while: { $0 != UInt8(ascii: "\n") }).contains(UInt8(ascii: "\t")) { return .tab }
    return path.lowercased().hasSuffix(".csv") ? .comma : .none
  }

  /// The values of a `.csv` file as spreadsheets write it where a comma stands in decimals. Texts may have semicolons
  /// too: nil unless the first line has one and no comma, and most rows have as many values as the first.
  private static func betweenSemicolons(
    _ bytes: ArraySlice<UInt8>, _ decoding: Decoding
  ) -> SeparatedValues? {
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    guard line.contains(UInt8(ascii: ";")), !line.contains(UInt8(ascii: ",")),
      let values = try? SeparatedValues(bytes, separator: .semicolon, decoding), values.rows.count > 1
    else { return nil }
    let width = values.rows[0].values.count
    let alike = values.rows.count { $0.values.count == width }
    return width > 1 && 2 * alike > values.rows.count ? values : nil
  }

  private static func lines(
    _ bytes: ArraySlice<UInt8>, divided: Bool, _ decoding: Decoding
  ) throws(ApusError) -> [Row] {
    var rows: [Row] = []
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      let parts =
        divided ? line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false) : [line]
      var values: [String] = []
      for part in parts { values.append(try text(part, line: index + 1, decoding)) }
      if !values.allSatisfy(\.isEmpty) { rows.append(Row(line: index + 1, values: values)) }
    }
    return rows
  }

  /// Text without white space at its ends.
  static func text(_ bytes: ArraySlice<UInt8>, line: Int, _ decoding: Decoding) throws(ApusError) -> String {
    guard let text = decoding(bytes) else { throw notUTF8(line: line) }
    return text.trimmed
  }

  static func notUTF8(line: Int) -> ApusError {
    ApusError(
      .configuration, "bytes that are not UTF-8", expected: "UTF-8", at: "line \(line)",
      advice: "Save the file as UTF-8.")
  }
}
