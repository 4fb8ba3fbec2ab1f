import TensorCore

/// The header of an `.npy` file: a Python dictionary with the keys `descr`, `fortran_order` and `shape`.
struct NpyHeader {
  let dataType: DataType
  let shape: Shape
  let isFortranOrder: Bool

  private static let codes: [(code: String, type: DataType)] = [
    ("<f2", .float16), ("<f4", .float32), ("<f8", .float64), ("|i1", .int8), ("<i2", .int16), ("<i4", .int32),
    ("<i8", .int64), ("|u1", .uint8), ("<u2", .uint16), ("<u4", .uint32), ("<u8", .uint64), ("|b1", .bool),
  ]

  init(_ dataType: DataType, _ shape: Shape) {
    self.dataType = dataType
    self.shape = shape
    isFortranOrder = false
  }

  /// - Throws: ``ApusError`` of kind `argument` when a key is missing, or its value is none that Apus reads.
  init(_ text: String) throws(ApusError) {
    var parser = NpyHeaderParser(text)
    let (code, isFortranOrder, dimensions) = try parser.dictionary()
    let known = Self.codes.first { entry in
      entry.code == code || (entry.type.byteCount == 1 && entry.code.dropFirst() == code.dropFirst())
    }
    guard let known else {
      let isSwapped = code.hasPrefix(">")
      throw Self.error(
        "elements of type '\(code.clipped)'",
        expected: "one of \(Self.codes.map(\.code).joined(separator: " "))",
        advice: isSwapped ? "Save the array little-endian: a.astype('<\(code.dropFirst())')." : nil)
    }
    dataType = known.type
    do {
      shape = try Shape(dimensions)
    } catch {
      throw Self.error(error.problem, expected: error.expected)
    }
    self.isFortranOrder = isFortranOrder
  }

  /// The dictionary as NumPy writes it, without padding.
  var text: String {
    get throws(ApusError) {
      guard let code = Self.codes.first(where: { $0.type == dataType })?.code else {
        throw Self.error("a tensor of \(dataType.rawValue)", expected: "a type that NumPy has")
      }
      let dimensions = shape.dimensions.map { "\($0)" }.joined(separator: ", ")
      let tuple = shape.rank == 1 ? "(\(dimensions),)" : "(\(dimensions))"
      return "{'descr': '\(code)', 'fortran_order': False, 'shape': \(tuple), }"
    }
  }

  static func error(_ problem: String, expected: String? = nil, advice: String? = nil) -> ApusError {
    ApusError(.argument, problem, expected: expected, at: ".npy header", advice: advice)
  }
}

/// Reads the one dictionary that an `.npy` header may be.
private struct NpyHeaderParser {
  private var rest: Substring

  init(_ text: String) { rest = Substring(text) }

  mutating func dictionary() throws(ApusError) -> (code: String, isFortranOrder: Bool, shape: [Int]) {
    var code: String?
    var isFortranOrder: Bool?
    var shape: [Int]?
    try expect("{")
    while !take("}") {
      let key = try string()
      try expect(":")
      switch key {
      case "descr" where code == nil: code = try string()
      case "fortran_order" where isFortranOrder == nil: isFortranOrder = try bool()
      case "shape" where shape == nil: shape = try tuple()
      default:
        throw NpyHeader.error("the key '\(key.clipped)'", expected: "descr, fortran_order, shape, once each")
      }
      if !take(",") {
        try expect("}")
        break
      }
    }
    guard let code, let isFortranOrder, let shape else {
      throw NpyHeader.error("a key is missing", expected: "descr, fortran_order and shape")
    }
    skipSpace()
    guard rest.isEmpty else { throw unexpected("nothing after the dictionary") }
    return (code, isFortranOrder, shape)
  }

  private mutating func string() throws(ApusError) -> String {
    skipSpace()
    guard let quote = rest.first, quote == "'" || quote == "\"" else {
      throw unexpected("a text in quotes; arrays of records are not read")
    }
    rest.removeFirst()
    guard let end = rest.firstIndex(of: quote) else { throw unexpected("a closing quote") }
    defer { rest = rest[rest.index(after: end)...] }
    return String(rest[..<end])
  }

  private mutating func bool() throws(ApusError) -> Bool {
    if take("True") { return true }
    if take("False") { return false }
    throw unexpected("True or False")
  }

  private mutating func tuple() throws(ApusError) -> [Int] {
    try expect("(")
    var dimensions: [Int] = []
    while !take(")") {
      skipSpace()
      let digits = rest.prefix { "0"..."9" ~= $0 || $0 == "-" }
      guard let dimension = Int(digits) else { throw unexpected("a number") }
      rest = rest.dropFirst(digits.count)
      dimensions.append(dimension)
      if !take(",") {
        try expect(")")
        break
      }
    }
    return dimensions
  }

  private mutating func skipSpace() { rest = rest.drop { $0 == " " || $0 == "\n" } }

  private mutating func take(_ text: String) -> Bool {
    skipSpace()
    guard rest.hasPrefix(text) else { return false }
    rest = rest.dropFirst(text.count)
    return true
  }

  private mutating func expect(_ text: String) throws(ApusError) {
    guard take(text) else { throw unexpected("'\(text)'") }
  }

  private func unexpected(_ expected: String) -> ApusError {
    NpyHeader.error(
      rest.isEmpty ? "the header ends" : "unexpected text at '\(rest.prefix(20))'", expected: expected)
  }
}
