/// The lines of standard input, as they come. Bytes that are no UTF-8 read as U+FFFD.
struct InputLines: Sequence, IteratorProtocol {
  mutating func next() -> String? { readLine() }
}

/// Texts given as arguments, in groups that are worked on together; `-` stands for the lines of standard input.
struct TextGroups: Sequence, IteratorProtocol {
  private var texts: AnyIterator<String>
  private let size: Int

  init(_ arguments: [String], size: Int) {
    texts = AnyIterator(
      arguments.lazy.flatMap { $0 == "-" ? AnySequence(InputLines()) : AnySequence(CollectionOfOne($0)) }
        .makeIterator())
    self.size = size
  }

  mutating func next() -> [String]? {
    var group: [String] = []
    while group.count < size, let text = texts.next() { group.append(text) }
    return group.isEmpty ? nil : group
  }
}
