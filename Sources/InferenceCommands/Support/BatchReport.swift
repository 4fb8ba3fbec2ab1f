import CommandSupport
import Apus

/// Prints the results of a batch as they come, and keeps count.
struct BatchReport {
  private let isJSON: Bool
  private var total = 0
  private let computation: Computation
  private var progress: Progress
  private var succeeded = 0
  private var failed = 0

  /// - Parameter computation: what all results are computed with.
  init(isJSON: Bool, _ computation: Computation) {
    self.isJSON = isJSON
    self.computation = computation
    progress = Progress(total: 0)
  }

  /// Reckons with more pictures.
  mutating func begin(_ pictures: PictureBatch) {
    total += pictures.total
    progress.expect(pictures.total)
  }

  /// Prints what came of one input: a JSON object on a line, or text with a blank line before it.
  mutating func add<Output: Reportable>(_ input: String, _ result: Result<Output, ApusError>) {
    switch result {
    case .success(let output):
      progress.clear()
      if let damage = output.damage { StandardStreams.report("apus: \(input): damaged: \(damage)") }
      if isJSON {
        let members =
          JSON.file(input) + output.members + damageMembers(output.damage)
          + [computation.member, JSON.madeBy]
        StandardStreams.print(JSON.object(members))
      } else {
        if succeeded > 0 { StandardStreams.printLine("") }
        StandardStreams.printText(output.headline(input))
        for line in output.lines { StandardStreams.printLine(line) }
      }
      succeeded += 1
    case .failure(let error): failure(input, error)
    }
    progress.advance()
  }

  private func damageMembers(_ damage: String?) -> [JSON.Member] {
    damage.map { [("damaged", .string($0))] } ?? []
  }

  /// Reports an input that gave no result.
  private mutating func failure(_ input: String, _ error: ApusError) {
    failed += 1
    progress.clear()
    if isJSON {
      StandardStreams.print(
        JSON.object(JSON.file(input) + [("error", .string("\(error)")), JSON.madeBy]))
    }
    // What is wrong with an argument is not the input's fault.
    StandardStreams.report("apus: \(error.kind == .argument ? error : error.inFile(input))")
  }

  /// Ends the report.
  /// - Parameter footer: a line that holds for all results.
  /// - Returns: the exit code when an input failed.
  mutating func finish(footer: String? = nil) -> ExitStatus? {
    progress.clear()
    if let footer, !isJSON, succeeded > 0 { StandardStreams.printLine("\n\(footer.printableLines)") }
    if failed > 0, total > 1 { StandardStreams.report("apus: \(failed) of \(total) files failed") }
    guard failed > 0 else { return nil }
    return succeeded > 0 ? .someFailed : .badInputFile
  }
}

/// A result that can be printed.
protocol Reportable: Sendable {
  /// The first line, with the input's name.
  func headline(_ input: String) -> String
  /// The lines below, printable.
  var lines: [String] { get }
  /// The members of its JSON object, after the input's name.
  var members: [JSON.Member] { get }
  /// A fault of the input's file that still gave a result.
  var damage: String? { get }
}
