import TensorCore

/// A regular expression as a program for a machine that follows all ways through it at once (Thompson 1968, Pike
/// 1987), so that no text takes time out of proportion.
struct ExpressionProgram: Sendable {
  private enum Instruction: Sendable {
    case character(CharacterClass)
    /// Goes on at both places, the first preferred.
    case split(Int, Int)
    case jump(Int)
    case lookahead(CharacterClass, isNegative: Bool)
    case match
  }

  private var instructions: [Instruction] = []
  private static let maximumLength = 4096

  /// - Throws: ``ApusError`` when the expression can match nothing, or is too large.
  init(_ expression: Expression) throws(ApusError) {
    guard !expression.canBeEmpty else {
      throw ApusError(.unsupportedModel, "the expression can match an empty text, which Apus does not know")
    }
    try append(expression)
    instructions.append(.match)
  }

  private mutating func append(_ expression: Expression) throws(ApusError) {
    guard instructions.count < Self.maximumLength else {
      throw ApusError(.unsupportedModel, "the expression is too large")
    }
    switch expression {
    case .character(let set): instructions.append(.character(set))
    case .lookahead(let set, let isNegative): instructions.append(.lookahead(set, isNegative: isNegative))
    case .sequence(let parts): for part in parts { try append(part) }
    case .alternatives(let parts): try append(alternatives: parts[...])
    case .repeated(let part, let minimum, let maximum, let isLazy):
      for _ in 0..<minimum { try append(part) }
      if let maximum {
        try append(optional: part, times: maximum - minimum, isLazy: isLazy)
      } else {
        try append(loop: part, isLazy: isLazy)
      }
    }
  }

  private mutating func append(alternatives parts: ArraySlice<Expression>) throws(ApusError) {
    guard let first = parts.first else { return }
    guard parts.count > 1 else { return try append(first) }
    let split = reserve()
    try append(first)
    let jump = reserve()
    instructions[split] = .split(split + 1, instructions.count)
    try append(alternatives: parts.dropFirst())
    instructions[jump] = .jump(instructions.count)
  }

  private mutating func append(loop part: Expression, isLazy: Bool) throws(ApusError) {
    let split = reserve()
    try append(part)
    instructions.append(.jump(split))
    let end = instructions.count
    instructions[split] = isLazy ? .split(end, split + 1) : .split(split + 1, end)
  }

  private mutating func append(optional part: Expression, times: Int, isLazy: Bool) throws(ApusError) {
    var splits: [Int] = []
    for _ in 0..<times {
      splits.append(reserve())
      try append(part)
    }
    let end = instructions.count
    for split in splits { instructions[split] = isLazy ? .split(end, split + 1) : .split(split + 1, end) }
  }

  private mutating func reserve() -> Int {
    instructions.append(.match)
    return instructions.count - 1
  }
}

extension ExpressionProgram {
  /// A way through the program: the place in it, and where in the text it began.
  private struct Thread {
    let place: Int
    let start: Int
  }

  /// The threads at one character, the preferred first, no place twice.
  private struct ThreadList {
    var threads: [Thread] = []
    private var seen: [Int]
    private var generation = 0

    init(places: Int) { seen = Array(repeating: -1, count: places) }

    mutating func clear() {
      threads.removeAll(keepingCapacity: true)
      generation += 1
    }

    mutating func visit(_ place: Int) -> Bool {
      guard seen[place] != generation else { return false }
      seen[place] = generation
      return true
    }
  }

  /// Calls `body` with each match in `range` of the text, from the left and without overlap; nothing outside of
  /// the range is looked at.
  func forEachMatch(in text: Span<UInt8>, _ range: Range<Int>, _ body: (Range<Int>) -> Void) {
    var search = Search(self)
    var start = range.lowerBound
    while start < range.upperBound, let match = search.firstMatch(in: text, start..<range.upperBound) {
      body(match)
      start = match.upperBound
    }
  }

  /// The threads of a search, for one match after the other.
  struct Search {
    private let program: ExpressionProgram
    private var (current, following): (ThreadList, ThreadList)
    /// Behind the last character that the last search looked at, or would have with more text.
    private(set) var seenEnd = 0
    /// Where the last search had no thread: before it nothing begins that could go on there.
    private(set) var quietPlace = 0
    /// The end that a match at the start of the last search has at least, whatever follows; 0 where that is not known.
    private(set) var sureEnd = 0

    init(_ program: ExpressionProgram) {
      self.program = program
      (current, following) = (
        ThreadList(places: program.instructions.count), ThreadList(places: program.instructions.count)
      )
    }

    mutating func firstMatch(in text: Span<UInt8>, _ range: Range<Int>) -> Range<Int>? {
      var best: Range<Int>?
      var position = range.lowerBound
      (seenEnd, quietPlace, sureEnd) = (position, position, 0)
      current.clear()
      while true {
        let isAtEnd = position >= range.upperBound
        let (character, length): (UInt32?, Int) =
          isAtEnd
          ? (nil, 1)
          : {
            let (value, length) = text.scalar(at: position); return (value, length)
          }()
        if best == nil, !isAtEnd {
          if current.threads.isEmpty { quietPlace = position }
          program.add(Thread(place: 0, start: position), character, to: &current)
        }
        if current.threads.isEmpty, best != nil || isAtEnd { return best }
        following.clear()
        let next = position + length
        let nextCharacter = next < range.upperBound ? text.scalar(at: next).value : nil
        seenEnd = next + 1
        for thread in current.threads {
          if case .character(let set) = program.instructions[thread.place] {
            guard let character, set.contains(character) else { continue }
            program.add(Thread(place: thread.place + 1, start: thread.start), nextCharacter, to: &following)
          } else {
            // Whatever comes after is less preferred.
            best = thread.start..<position
            if thread.start == range.lowerBound, !isAtEnd { sureEnd = position }
            break
          }
        }
        swap(&current, &following)
        position = next
      }
    }
  }

  /// Adds a thread and those that it leads to before the next character.
  private func add(_ thread: Thread, _ character: UInt32?, to list: inout ThreadList) {
    var pending = [thread.place]
    while let place = pending.popLast() {
      guard list.visit(place) else { continue }
      switch instructions[place] {
      case .jump(let target): pending.append(target)
      case .split(let first, let second): pending += [second, first]
      case .lookahead(let set, let isNegative):
        let follows = character.map { set.contains($0) } ?? false
        if follows != isNegative { pending.append(place + 1) }
      case .character, .match: list.threads.append(Thread(place: place, start: thread.start))
      }
    }
  }
}
