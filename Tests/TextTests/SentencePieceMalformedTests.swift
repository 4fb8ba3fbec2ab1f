import TensorCore
import Testing
import Text

/// A model file that breaks the format is refused with an error that names the place.
@Suite struct SentencePieceMalformedTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// Part of the message of the error.
    var message: String
    var bytes: [UInt8]

    init(_ name: String, _ message: String, _ build: (inout SentencePieceModelBuilder) -> Void) {
      testDescription = name
      self.message = message
      var model = SentencePieceModelBuilder.unigram([("a", -1), ("b", -2)])
      build(&model)
      bytes = model.bytes
    }
  }

  static let wire: [Case] = [
    Case("empty", "none of the 0 pieces is the unknown piece") { $0.bytes = [] },
    Case("text", "wire type is") { $0.bytes = Array("version https://git-lfs.github.com/spec/v1".utf8) },
    Case("ends in a key", "byte 0: the file ends inside a number") { $0.bytes = [0x80] },
    Case("ends before a length", "byte 1: the file ends inside a number") { $0.bytes = [0x0a] },
    Case("ends in a piece", "a field of 5 bytes, expected at most the 1") { $0.bytes = [0x0a, 5, 0] },
    Case("length of 2⁶⁴−1", "a field of 18446744073709551615 bytes") {
      $0.bytes = [0x0a] + [UInt8](repeating: 0xff, count: 9) + [1]
    },
    Case("number of over 64 bits", "a number of over 64 bits") {
      $0.bytes = [0x0a] + [UInt8](repeating: 0xff, count: 9) + [2]
    },
    Case("number without end", "a number of over 64 bits") { $0.bytes = [UInt8](repeating: 0x80, count: 11) },
    Case("field number 0", "the field number is 0") { $0.bytes += [0x02, 0] },
    Case("field number 2²⁹", "the field number is 536870912") { $0.key(1 << 29, wireType: 0) },
    Case("group", "a group") { $0.key(7, wireType: 3) },
    Case("end of a group", "a group") { $0.key(7, wireType: 4) },
    Case("wire type 6", "the wire type is 6") { $0.key(7, wireType: 6) },
    Case("unknown field cut off", "the file ends inside a number") {
      $0.key(200, wireType: 1)
      $0.bytes += [1, 2, 3]
    },
    Case("piece as a number", "field 1 is a varint, expected bytes") { $0.field(1, 5) },
    Case("trainer as a number", "field 2 is a varint, expected bytes") { $0.field(2, 5) },
    Case("piece inside as a number", "field 1 is a varint, expected bytes") { $0.field(1, [0x08, 1]) },
    Case("score as a number", "field 2 is a varint, expected a 32-bit number") { $0.field(1, [0x10, 1]) },
    Case("type as bytes", "field 3 is bytes, expected a varint") { $0.field(1, [0x1a, 0]) },
    Case("message in a message cut off", "a field of 9 bytes") { $0.field(1, [0x0a, 9, 0x61]) },
  ]

  static let content: [Case] = [
    Case("empty piece", "the piece is empty") { $0.piece("") },
    Case("piece without text", "the piece is empty") { $0.field(1, [0x18, 1]) },
    Case("piece not in UTF-8", "not well-formed UTF-8") { $0.field(1, [0x0a, 2, 0xc3, 0x28]) },
    Case("surrogate in a piece", "not well-formed UTF-8") { $0.field(1, [0x0a, 3, 0xed, 0xa0, 0x80]) },
    Case("NaN score", "the score is nan") { $0.piece("c", score: .nan) },
    Case("infinite score", "the score is -inf") { $0.piece("c", score: -.infinity) },
    Case("piece type 0", "the type of the piece is 0") { $0.piece("c", type: 0) },
    Case("piece type 7", "the type of the piece is 7") { $0.piece("c", type: 7) },
    Case("same piece twice", "piece 3 'a': the same piece as piece 1") { $0.piece("a") },
    Case("same control piece twice", "the same piece as piece 3") {
      $0.piece("</s>", type: 3)
      $0.piece("</s>", type: 3)
    },
    Case("no unknown piece", "none of the 1 pieces is the unknown piece") {
      $0.bytes = []
      $0.piece("a")
    },
    Case("two unknown pieces", "piece 3 '[UNK]': a second unknown piece, after piece 0") {
      $0.piece("[UNK]", type: 2)
    },
    Case("byte piece without byte fallback", "a byte piece in a model without byte fallback") {
      $0.piece("<0x00>", type: 6)
    },
    Case("not a byte", "not a byte piece") {
      $0.trainer([35: 1])
      $0.piece("<0xG0>", type: 6)
    },
    Case("lower-case byte", "not a byte piece") {
      $0.trainer([35: 1])
      $0.piece("<0xff>", type: 6)
    },
    Case("255 byte pieces", "has 255 byte pieces, expected 256") {
      $0.trainer([35: 1])
      for byte in 1...255 {
        let digits = String(byte, radix: 16, uppercase: true)
        $0.piece("<0x\(byte < 16 ? "0" : "")\(digits)>", type: 6)
      }
    },
    Case("model type 0", "the model type is 0") { $0.trainer([3: 0]) },
    Case("model type 5", "the model type is 5") { $0.trainer([3: 5]) },
    Case("piece of 1025 bytes", "the piece has 1025 bytes, expected at most 1024") {
      $0.piece(String(repeating: "a", count: 1025))
    },
  ]

  static let maps: [Case] = [
    Case("map of three bytes", "the map has 3 bytes") { $0.normalizer(map: [1, 2, 3]) },
    Case("tree longer than the map", "the tree has 1024 bytes") {
      $0.normalizer(map: [0, 4, 0, 0] + [UInt8](repeating: 0, count: 1023))
    },
    Case("tree of 2³²−1 bytes", "the tree has 4294967295 bytes") {
      $0.normalizer(map: [255, 255, 255, 255, 0, 0])
    },
    Case("tree of no bytes", "the tree has 0 bytes") { $0.normalizer(map: [0, 0, 0, 0, 0]) },
    Case("tree of 1020 bytes", "the tree has 1020 bytes") {
      $0.normalizer(map: Self.map([UInt32](repeating: 0, count: 255), [0]))
    },
    Case("replacements without end", "ended by NUL") {
      $0.normalizer(map: Self.map([UInt32](repeating: 0, count: 256), [0x61]))
    },
    Case("replacements not in UTF-8", "not well-formed UTF-8") {
      $0.normalizer(map: Self.map([UInt32](repeating: 0, count: 256), [0xff, 0]))
    },
    Case("root is a leaf", "the root of the tree is a leaf") {
      $0.normalizer(map: Self.map([1 << 31] + [UInt32](repeating: 0, count: 255), [0]))
    },
    Case("root beyond the tree", "byte 4: a node has its children at 256") {
      $0.normalizer(map: Self.map([256 << 10] + [UInt32](repeating: 0, count: 255), [0]))
    },
    Case("node beyond the tree", "byte 400: a node has its children at") {
      var units = [UInt32](repeating: 0, count: 256)
      units[99] = 1 << 30 | 1 << 9 | 99
      $0.normalizer(map: Self.map(units, [0]))
    },
    Case("rule beyond the replacements", "a rule points at 2, expected a character of the 2 bytes") {
      var units = [UInt32](repeating: 0, count: 256)
      units[5] = 1 << 31 | 2
      $0.normalizer(map: Self.map(units, [0x61, 0]))
    },
    Case("rule inside a character", "a rule points at 1") {
      var units = [UInt32](repeating: 0, count: 256)
      units[5] = 1 << 31 | 1
      $0.normalizer(map: Self.map(units, [0xc3, 0xa9, 0]))
    },
  ]

  private static func map(_ units: [UInt32], _ replacements: [UInt8]) -> [UInt8] {
    SentencePieceModelBuilder.characterMap(units, replacements)
  }

  @Test(arguments: wire + content + maps)
  func isRefused(_ malformed: Case) {
    do {
      _ = try SentencePieceTokenizer(try SentencePieceModel(malformed.bytes))
      Issue.record("accepted")
    } catch {
      #expect(error.description.contains(malformed.message), "\(error)")
      #expect(error.kind == .malformedModel || error.kind == .unsupportedModel)
      #expect(error.location != nil)
    }
  }

  /// What the format allows though it is odd is taken.
  @Test func oddFilesAreRead() throws {
    var model = SentencePieceModelBuilder.unigram([("a", -1)])
    model.trainer([3: 2])
    // The last of several messages counts, unknown fields are passed over, -1 has ten bytes.
    model.trainer([3: 1, 43: UInt64(bitPattern: -1)])
    model.field(4, [1, 2, 3])
    model.key(1000, wireType: 5)
    model.bytes += [1, 2, 3, 4]
    let read = try SentencePieceModel(model.bytes)
    #expect(read.trainer.modelType == .unigram)
    #expect(read.trainer.paddingID == -1)
    #expect(read.pieces.count == 2)
    // A normal and a control piece may have one text.
    model.piece("a", type: 3)
    #expect(try SentencePieceModel(model.bytes).pieces.count == 3)
  }
}
