/// A stretch of text while its characters are merged into pieces.
///
/// The candidates stand in a heap, so the work is n·log n. A candidate outlives the symbols it was made of;
/// it is stale when their sizes no longer add up to its own.
struct SentencePieceMerging {
  private struct Symbol {
    /// Empty when it was merged into the one before.
    var range: Range<Int>
    var previous: Int32
    var next: Int32
    /// Where the symbol leads to in the tree of pieces; ``ByteTrie/none`` when nowhere.
    var node: Int32
    var isFrozen: Bool
  }

  private struct Candidate {
    /// Rank << 32 | number of the left symbol: less is merged sooner.
    var key: UInt64
    var right: Int32
    /// Bytes of both symbols.
    var size: Int32
  }

  private let text: ArraySlice<UInt8>
  private let pieces: ByteTrie
  private let ranks: [UInt32]
  private let unused: [Bool]
  private var symbols: [Symbol] = []
  private var candidates: [Candidate] = []
  private var segments: [TextSegment] = []
  /// For unused pieces that were merged: bytes of the left part of the latest such merge.
  private var unusedSplits: [Int32: Int] = [:]

  /// - Parameters:
  ///   - pieces: those that symbols are merged to.
  ///   - ranks: by id; less is merged sooner.
  ///   - unused: for each id whether the piece is cut again in the end; empty when none is.
  init(_ text: ArraySlice<UInt8>, pieces: ByteTrie, ranks: [UInt32], unused: [Bool]) {
    self.text = text
    self.pieces = pieces
    self.ranks = ranks
    self.unused = unused
    symbols.reserveCapacity(16)
    candidates.reserveCapacity(16)
  }

  /// Symbols appended since the last ``finish(into:)``.
  var count: Int { symbols.count }

  mutating func append(_ range: Range<Int>, isFrozen: Bool) {
    let number = Int32(truncatingIfNeeded: symbols.count)
    if !symbols.isEmpty { symbols[symbols.count - 1].next = number }
    let node = descend(from: ByteTrie.root, range)
    symbols.append(Symbol(range: range, previous: number - 1, next: -1, node: node, isFrozen: isFrozen))
  }

  /// Merges all that can be, gives the resulting segments and begins anew. What is no piece is unknown.
  mutating func finish() -> [TextSegment] {
    if symbols.count > 1 {
      for right in 1..<Int32(truncatingIfNeeded: symbols.count) { offer(right - 1, right) }
      while let candidate = popCandidate() { merge(candidate) }
    }
    segments.removeAll(keepingCapacity: true)
    for symbol in symbols where !symbol.range.isEmpty { appendSegments(symbol) }
    symbols.removeAll(keepingCapacity: true)
    return segments
  }

  private func descend(from start: Int32, _ range: Range<Int>) -> Int32 {
    var node = start
    for index in range {
      guard node != ByteTrie.none else { break }
      node = pieces.child(of: node, text[index])
    }
    return node
  }

  /// Adds the pair of two symbols to the candidates when it is a piece.
  private mutating func offer(_ left: Int32, _ right: Int32) {
    guard left >= 0, right >= 0 else { return }
    let (first, second) = (symbols[Int(left)], symbols[Int(right)])
    guard !first.isFrozen, !second.isFrozen, first.node != ByteTrie.none else { return }
    let node = descend(from: first.node, second.range)
    guard node != ByteTrie.none else { return }
    let id = pieces.value(at: node)
    guard id != ByteTrie.none else { return }
    push(
      Candidate(
        key: UInt64(ranks[Int(id)]) << 32 | UInt64(left), right: right,
        size: Int32(truncatingIfNeeded: first.range.count + second.range.count)))
    if !unused.isEmpty, unused[Int(id)] { unusedSplits[id] = first.range.count }
  }

  private mutating func merge(_ candidate: Candidate) {
    let (left, right) = (Int(candidate.key & 0xffff_ffff), Int(candidate.right))
    let (first, second) = (symbols[left].range, symbols[right].range)
    guard !first.isEmpty, !second.isEmpty, first.count + second.count == candidate.size else { return }
    symbols[left].node = descend(from: symbols[left].node, second)
    symbols[left].range = first.lowerBound..<second.upperBound
    symbols[right].range = second.upperBound..<second.upperBound
    let next = symbols[right].next
    symbols[left].next = next
    if next >= 0 { symbols[Int(next)].previous = Int32(truncatingIfNeeded: left) }
    offer(symbols[left].previous, Int32(truncatingIfNeeded: left))
    offer(Int32(truncatingIfNeeded: left), next)
  }

  /// Appends the segment of a symbol; an unused piece is cut again where it was merged.
  private mutating func appendSegments(_ symbol: Symbol) {
    var pending = [(symbol.range, symbol.node)]
    while let (range, node) = pending.popLast() {
      let id = node == ByteTrie.none ? TextSegment.unknown : pieces.value(at: node)
      let isUnused = id >= 0 && !unused.isEmpty && unused[Int(id)]
      if isUnused, let split = unusedSplits[id], split < range.count {
        let middle = range.lowerBound + split
        let (left, right) = (range.lowerBound..<middle, middle..<range.upperBound)
        pending.append((right, descend(from: ByteTrie.root, right)))
        pending.append((left, descend(from: ByteTrie.root, left)))
      } else {
        segments.append(TextSegment(id: isUnused ? TextSegment.unknown : id, range: range))
      }
    }
  }
}

extension SentencePieceMerging {
  /// Adds to the binary heap, whose least key is first.
  private mutating func push(_ candidate: Candidate) {
    var at = candidates.count
    candidates.append(candidate)
    while at > 0, candidates[(at - 1) / 2].key > candidate.key {
      candidates[at] = candidates[(at - 1) / 2]
      at = (at - 1) / 2
    }
    candidates[at] = candidate
  }

  /// Takes the least key off the heap.
  private mutating func popCandidate() -> Candidate? {
    guard let first = candidates.first, let last = candidates.popLast() else { return nil }
    guard !candidates.isEmpty else { return first }
    var at = 0
    while true {
      var child = at * 2 + 1
      guard child < candidates.count else { break }
      if child + 1 < candidates.count, candidates[child + 1].key < candidates[child].key { child += 1 }
      guard candidates[child].key < last.key else { break }
      candidates[at] = candidates[child]
      at = child
    }
    candidates[at] = last
    return first
  }
}
