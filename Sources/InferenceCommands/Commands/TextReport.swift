import Apus
import CommandSupport
import TensorCore

/// Prints the classes of texts as they come, and keeps count.
struct TextReport {
  /// Texts that run together.
  static let groupSize = 64

  struct Input {
    /// What is read before the text; nil for a text by itself.
    let query: String?
    let text: String

    /// The members that say which input is meant.
    var members: [JSON.Member] {
      (query.map { [("query", JSON.string($0))] } ?? []) + [("text", .string(text))]
    }
  }

  let isJSON: Bool
  private let areShares: Bool
  private let computation: Computation
  private var succeeded = 0
  private var failed = 0
  /// The codes of the errors of those that failed.
  private var causes: Set<ExitStatus> = []

  /// - Parameter areShares: whether scores are shares of 1.
  init(isJSON: Bool, areShares: Bool, _ computation: Computation) {
    self.isJSON = isJSON
    self.areShares = areShares
    self.computation = computation
  }

  mutating func add(_ input: Input, _ result: Result<TextClassification, ApusError>) {
    switch result {
    case .success(let result): add(input, result)
    case .failure(let error): failure(input, error)
    }
  }

  private mutating func add(_ input: Input, _ result: TextClassification) {
    if isJSON {
      let members: [JSON.Member] =
        input.members + [
          ("predictions", PredictionTable.json(result.predictions)),
          ("uncertain", .bool(result.isUncertain)), ("tokens", .integer(result.tokenCount)),
          ("truncated", .bool(result.wasTruncated)),
          ("milliseconds", PredictionTable.milliseconds(result.times.total.milliseconds)),
          ("stages", PredictionTable.stages(result.times, ofText: true)), computation.member,
          JSON.madeBy,
        ]
      StandardStreams.print(JSON.object(members))
    } else {
      if succeeded > 0 { StandardStreams.printLine("") }
      let cut = result.wasTruncated ? ", cut to \(result.tokenCount) tokens" : ""
      let note = cut + (result.isUncertain ? ", uncertain" : "")
      let milliseconds = Format.decimal(result.times.total.milliseconds, 1)
      let texts = [input.query, input.text].compactMap { $0?.shortened(to: 80) }
      StandardStreams.printLine("\(texts.joined(separator: " | ")) (\(milliseconds) ms\(note))")
      let lines = PredictionTable.lines(
        result.predictions.map(\.named), isUncertain: result.isUncertain, areShares: areShares)
      for line in lines { StandardStreams.printLine(line) }
    }
    succeeded += 1
  }

  private mutating func failure(_ input: Input, _ error: ApusError) {
    failed += 1
    causes.insert(ExitStatus(error) ?? .badInputFile)
    if isJSON {
      StandardStreams.print(
        JSON.object(input.members + [("error", .string("\(error)")), JSON.madeBy]))
    }
    StandardStreams.report("apus: text \(succeeded + failed): \(error)")
  }

  func finish(footer: String) -> ExitStatus? {
    if !isJSON, succeeded > 0 { StandardStreams.printLine("\n\(footer)") }
    guard failed > 0 else { return nil }
    return ExitStatus(causes: causes, othersSucceeded: succeeded > 0)
  }
}
