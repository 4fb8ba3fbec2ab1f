import JSONCoding
import TensorCore

extension Vocabulary {
  /// Reads an object of pieces with their ids.
  init(reading parser: inout JSONReader) throws(ApusError) {
    let beginning = parser
    var vocabulary = Vocabulary()
    // An entry has some 20 bytes; what is not used of the room takes no memory.
    vocabulary.reserve(pieces: parser.remaining / 24, bytes: parser.remaining / 4)
    var isSound = true
    try parser.eachNumberedKey { (piece, id) throws(ApusError) in
      isSound = isSound && vocabulary.add(piece, id: id)
    }
    if !isSound || !vocabulary.finish() {
      parser = beginning
      vocabulary = try Vocabulary(oneByOne: &parser)
    }
    self = vocabulary
  }

  /// The same piece by piece, which tells where one is malformed.
  private init(oneByOne parser: inout JSONReader) throws(ApusError) {
    var vocabulary = Vocabulary()
    try parser.eachNumberedKey { (piece, id) throws(ApusError) in
      guard piece.isUTF8 else {
        throw ApusError(.configuration, "text that is not UTF-8")
      }
      try vocabulary.insert(piece, id: id)
    }
    self = vocabulary
  }
}

extension MergeList {
  /// Reads a list of pairs: lists of two pieces, or text with a space between them.
  init(reading parser: inout JSONReader) throws(ApusError) {
    self.init()
    var merges = MergeList()
    merges.reserve(pairs: parser.remaining / 32, bytes: parser.remaining / 4)
    try parser.eachElement { (parser) throws(ApusError) in
      if parser.next == UInt8(ascii: "[") {
        try merges.append(pair: &parser)
      } else {
        try parser.text { (line) throws(ApusError) in try merges.append(line: line) }
      }
    }
    self = merges
  }

  /// Reads a list of two pieces.
  private mutating func append(pair parser: inout JSONReader) throws(ApusError) {
    var count = 0
    try parser.eachElement { (parser) throws(ApusError) in
      parser.skipSpace()
      guard count < 2 else { throw parser.error("a pair of more than two pieces") }
      try parser.text { (piece) throws(ApusError) in append(piece: piece) }
      count += 1
    }
    guard count == 2 else { throw parser.error("a pair of fewer than two pieces") }
  }
}
