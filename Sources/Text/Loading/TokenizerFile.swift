import Formats
import JSONCoding
import TensorCore

/// A `tokenizer.json` of the `tokenizers` library, with its large tables read apart from the rest.
struct TokenizerFile {
  /// How errors name the file.
  let file: String
  /// Everything but the model.
  let root: ConfigurationReader
  /// The model without its tables; nil when the file has none.
  let model: ConfigurationReader?
  private(set) var tables = ModelTables()

  /// Files over so many bytes are refused.
  static let maximumByteCount = 1 << 28

  init(contentsOf path: String) throws(ApusError) {
    try self.init(try FileBytes.read(path, limit: Self.maximumByteCount), file: path)
  }

  /// - Throws: ``ApusError`` that names the file, and the line and column, or the key.
  init(_ bytes: [UInt8], file: String) throws(ApusError) {
    self.file = file
    var members: [JSONValue.Member] = []
    var modelMembers: [JSONValue.Member]?
    var tables = ModelTables()
    do throws(ApusError) {
      let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      var parser = JSONReader(bytes[start...])
      try parser.eachMember { (parser, key) throws(ApusError) in
        parser.skipSpace()
        if key == "model", parser.peek == UInt8(ascii: "{") {
          modelMembers = try tables.read(&parser)
        } else {
          members.append(JSONValue.Member(key: key, value: try parser.value(depth: 1)))
        }
      }
      try parser.end()
    } catch {
      throw error.inFile(file)
    }
    self.tables = tables
    root = try ConfigurationReader(.object(members), file: file, path: "")
    if let modelMembers {
      model = try ConfigurationReader(.object(modelMembers), file: file, path: "model")
    } else {
      model = nil
    }
  }

  /// The same file, none of whose keys was asked for.
  init(copying other: TokenizerFile) {
    (file, model, tables) = (other.file, other.model, other.tables)
    root = other.root.unread
  }

  /// Refuses what nothing has asked for: settings of components that Apus does not know.
  func requireAllRead() throws(ApusError) {
    try root.requireAllRead()
    try model?.requireAllRead()
  }
}

/// The large tables of the model of a `tokenizer.json`.
struct ModelTables {
  /// Pieces with their ids, where the vocabulary is an object.
  private(set) var vocabulary: Vocabulary?
  /// Pieces with their scores by id, where the vocabulary is a list.
  private(set) var scores: [(piece: String, score: Double)]?
  private(set) var merges: MergeList?

  /// Reads the object of the model.
  /// - Returns: its other members.
  fileprivate mutating func read(_ parser: inout JSONReader) throws(ApusError) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    try parser.eachMember { (parser, key) throws(ApusError) in
      parser.skipSpace()
      switch (key, parser.peek) {
      case ("vocab", UInt8(ascii: "{")): vocabulary = try Vocabulary(reading: &parser)
      case ("vocab", UInt8(ascii: "[")): scores = try Self.scores(&parser)
      case ("merges", UInt8(ascii: "[")): merges = try MergeList(reading: &parser)
      default: members.append(JSONValue.Member(key: key, value: try parser.value(depth: 2)))
      }
    }
    return members
  }

  private static func scores(_ parser: inout JSONReader) throws(ApusError) -> [(piece: String, score: Double)]
  {
    var scores: [(piece: String, score: Double)] = []
    try parser.eachElement { (parser) throws(ApusError) in
      guard case .array(let pair) = try parser.value(depth: 3), pair.count == 2, let piece = pair[0].string,
        case .number(let digits) = pair[1], let score = DecimalScore.value(digits)
      else {
        throw parser.error("a piece of the vocabulary", expected: "a list of its text and its score")
      }
      scores.append((piece, score))
    }
    return scores
  }
}
