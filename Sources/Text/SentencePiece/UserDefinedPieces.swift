import TensorCore

/// The pieces that are found in a text before anything else, the longest at each place.
package struct UserDefinedPieces: Sendable {
  private var trie = ByteTrie()

  package init() {}

  /// The user-defined pieces of a model.
  package init(of model: SentencePieceModel) throws(ApusError) {
    for id in 0..<model.pieces.count where model.types[id] == .userDefined {
      try trie.insert(model.pieces[id], Int32(id))
    }
  }

  /// Whether a piece begins with `byte`.
  package func hasPiece(startingWith byte: UInt8) -> Bool {
    trie.child(of: ByteTrie.root, byte) != ByteTrie.none
  }

  /// Whether a piece may go on beyond the end of a text.
  func seesEnd(of text: ArraySlice<UInt8>) -> Bool {
    var node = ByteTrie.root
    for byte in text {
      node = trie.child(of: node, byte)
      if node == ByteTrie.none { return false }
    }
    return true
  }

  /// Bytes of the longest piece that `text` begins with; nil when it begins with none.
  package func longestMatch(_ text: ArraySlice<UInt8>) -> Int? {
    var node = ByteTrie.root
    var length: Int?
    for index in text.indices {
      node = trie.child(of: node, text[index])
      guard node != ByteTrie.none else { break }
      if trie.value(at: node) != ByteTrie.none { length = index - text.startIndex + 1 }
    }
    return length
  }
}
