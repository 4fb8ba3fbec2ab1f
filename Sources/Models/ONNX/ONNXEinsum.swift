import Formats
import Graph
import TensorCore

/// Sums of products by the letters of an equation: `bij,bjk->bik`.
struct ONNXEinsum {
  /// An axis: a letter, or one of the axes that three dots stand for, counted from the last.
  enum Label: Hashable {
    case letter(UInt8)
    case dots(Int)
  }

  private(set) var terms: [[Label]] = []
  private(set) var result: [Label] = []

  /// - Parameter ranks: of the operands.
  init(_ equation: String, ranks: [Int]) throws(ApusError) {
    let text = equation.utf8.filter { $0 != UInt8(ascii: " ") }
    let arrow = text.firstIndex(of: UInt8(ascii: "-"))
    let left = text[..<(arrow ?? text.endIndex)]
    let parts = left.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard parts.count == ranks.count else {
      throw Self.wrong(equation, "a term for each of \(ranks.count) operands")
    }
    var dots = 0
    for (part, rank) in zip(parts, ranks) {
      let (letters, place) = try Self.letters(part, equation)
      let count = rank - letters.count
      guard count == 0 || count > 0 && place != nil else {
        throw Self.wrong(equation, "a letter for each axis")
      }
      dots = max(dots, count)
      terms.append(Self.labels(letters, dotsAt: place, count: count))
    }
    if let arrow {
      guard text.index(after: arrow) < text.endIndex, text[text.index(after: arrow)] == UInt8(ascii: ">")
      else {
        throw Self.wrong(equation, "'->' before the result")
      }
      let (letters, place) = try Self.letters(text[text.index(arrow, offsetBy: 2)...], equation)
      result = Self.labels(letters, dotsAt: place, count: place == nil ? 0 : dots)
    } else {
      // Letters that stand once, in their order.
      let all = terms.joined()
      let once = Set(all).filter { label in all.count { $0 == label } == 1 }
      let letters = once.compactMap { if case .letter(let letter) = $0 { letter } else { nil } }.sorted()
      result = Self.labels(letters, dotsAt: 0, count: dots)
    }
    let known = Set(terms.joined())
    guard Set(result).count == result.count, result.allSatisfy(known.contains) else {
      throw Self.wrong(equation, "letters of the operands in the result, each once")
    }
  }

  private static func letters(
    _ term: some Sequence<UInt8>, _ equation: String
  ) throws(ApusError) -> (letters: [UInt8], dotsAt: Int?) {
    var (letters, place, dots): ([UInt8], Int?, Int) = ([], nil, 0)
    for byte in term {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): letters.append(byte)
      case UInt8(ascii: "."):
        guard dots == 0 || place == letters.count else { throw wrong(equation, "three dots together") }
        (place, dots) = (letters.count, dots + 1)
      default: throw wrong(equation, "letters, dots and commas")
      }
    }
    guard dots == 0 || dots == 3 else { throw wrong(equation, "three dots at most once in a term") }
    return (letters, place)
  }

  private static func labels(_ letters: [UInt8], dotsAt place: Int?, count: Int) -> [Label] {
    var labels = letters.map(Label.letter)
    labels.insert(contentsOf: (0..<count).reversed().map(Label.dots), at: place ?? 0)
    return labels
  }

  private static func wrong(_ equation: String, _ expected: String) -> ApusError {
    ApusError(.malformedModel, "the equation '\(equation.clipped)'", expected: expected)
  }
}

extension ONNXStep {
  /// The result of an equation: the operands joined two at a time, each pair as a product of matrices.
  func einsum() throws(ApusError) -> Value {
    var ranks: [Int] = []
    for index in 0..<inputCount { ranks.append(try shape(index).rank) }
    let equation = try ONNXEinsum(text("equation", default: ""), ranks: ranks)
    guard
      var joined = try equation.terms.first.map({ (first) throws(ApusError) in
        try diagonal(plain(0), first)
      })
    else { throw ApusError(.malformedModel, "no operands", expected: "at least one") }
    for index in 1..<max(ranks.count, 1) {
      let next = try diagonal(plain(index), equation.terms[index])
      let later = Set(equation.terms[(index + 1)...].joined() + equation.result)
      joined = try product(joined, next, keeping: later)
    }
    let last = try summed(joined, keeping: Set(equation.result))
    return try ordered(last, equation.result)
  }

  private typealias Labelled = (value: Value, labels: [ONNXEinsum.Label])

  /// An operand in which each label names one axis: of two axes of one name, the elements with equal indices.
  private func diagonal(_ value: Value, _ labels: [ONNXEinsum.Label]) throws(ApusError) -> Labelled {
    var (value, labels) = (value, labels)
    while let (first, second) = Self.repeated(labels) {
      let shape = type(of: value).shape.dimensions
      let rest = labels.indices.filter { $0 != first && $0 != second }
      let size = shape[first]
      guard size == shape[second] else {
        throw ApusError(
          .malformedModel, "axes of \(size) and \(shape[second]) elements of one letter",
          expected: "equal ones")
      }
      try Self.requireFew(size, "elements of a diagonal")
      let turned = try transposed(value, rest + [first, second])
      let flat = try reshaped(turned, rest.map { shape[$0] } + [[size, size].saturatingProduct])
      value = try add(Gather(axis: rest.count), [flat, constant((0..<size).map { $0 * (size + 1) })])
      labels = rest.map { labels[$0] } + [labels[first]]
    }
    return (value, labels)
  }

  private static func repeated(_ labels: [ONNXEinsum.Label]) -> (Int, Int)? {
    for (index, label) in labels.enumerated() {
      if let other = labels[(index + 1)...].firstIndex(of: label) { return (index, other) }
    }
    return nil
  }

  /// The sum over all labels but some.
  private func summed(_ operand: Labelled, keeping kept: Set<ONNXEinsum.Label>) throws(ApusError) -> Labelled
  {
    let axes = operand.labels.indices.filter { !kept.contains(operand.labels[$0]) }
    guard !axes.isEmpty else { return operand }
    let sum = Reduce(.sum, axes: axes, keepDimensions: false, reachesInfinity: true)
    return (try add(sum, [operand.value]), operand.labels.filter(kept.contains))
  }

  private func ordered(_ operand: Labelled, _ labels: [ONNXEinsum.Label]) throws(ApusError) -> Value {
    try transposed(operand.value, labels.compactMap { operand.labels.firstIndex(of: $0) })
  }

  private func product(
    _ a: Labelled, _ b: Labelled, keeping kept: Set<ONNXEinsum.Label>
  ) throws(ApusError) -> Labelled {
    let a = try summed(a, keeping: kept.union(b.labels))
    let b = try summed(b, keeping: kept.union(a.labels))
    let shared = a.labels.filter(b.labels.contains)
    let (batch, inner) = (shared.filter(kept.contains), shared.filter { !kept.contains($0) })
    let (rows, columns) = (a.labels.filter { !shared.contains($0) }, b.labels.filter { !shared.contains($0) })
    var extents: [ONNXEinsum.Label: Int] = [:]
    for operand in [a, b] {
      for (label, extent) in zip(operand.labels, type(of: operand.value).shape.dimensions) {
        let other = extents[label] ?? 1
        guard other == extent || other == 1 || extent == 1 else {
          throw ApusError(
            .malformedModel, "axes of \(other) and \(extent) elements of one letter", expected: "equal ones")
        }
        extents[label] = other == 1 ? extent : other
      }
    }
    func size(_ labels: [ONNXEinsum.Label]) -> Int { labels.map { extents[$0] ?? 1 }.saturatingProduct }
    func matrix(_ operand: Labelled, _ parts: [[ONNXEinsum.Label]]) throws(ApusError) -> Value {
      let labels = parts.flatMap { $0 }
      let whole = try add(
        BroadcastTo(), [ordered(operand, labels), constant(labels.map { extents[$0] ?? 1 })])
      return try reshaped(whole, parts.map(size))
    }
    let result = try add(
      BatchMatMul(), [matrix(a, [batch, rows, inner]), matrix(b, [batch, inner, columns])])
    let labels = batch + rows + columns
    return (try reshaped(result, labels.map { extents[$0] ?? 1 }), labels)
  }
}
