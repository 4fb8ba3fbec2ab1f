import Apus

/// Prints the results of `classify` as they come, and keeps count.
struct ClassifyReport {
  private let isJSON: Bool
  private let total: Int
  private var progress: Progress
  private var succeeded = 0
  private var failed = 0

  init(isJSON: Bool, total: Int) {
    self.isJSON = isJSON
    self.total = total
    progress = Progress(total: total)
  }

  mutating func add(_ file: String, _ result: Result<Classification, ApusError>) {
    switch result {
    case .success(let classification): success(file, classification)
    case .failure(let error): failure(file, error)
    }
    progress.advance()
  }

  /// Reports a file that gave no result.
  mutating func failure(_ file: String, _ error: ApusError) {
    failed += 1
    progress.clear()
    if isJSON {
      StandardStreams.printLine(
        JSON.object([("file", .string(file)), ("error", .string("\(error)"))]).text)
    }
    StandardStreams.report("apus: \(error.inFile(file))")
  }

  /// Ends the report.
  /// - Returns: the exit code when a file failed.
  mutating func finish(preprocessing: String) -> ExitStatus? {
    progress.clear()
    if !isJSON, succeeded > 0 { StandardStreams.printLine("\nprepared by \(preprocessing)") }
    if failed > 0, total > 1 { StandardStreams.report("apus: \(failed) of \(total) files failed") }
    guard failed > 0 else { return nil }
    return succeeded > 0 ? .someFailed : .badInputFile
  }

  private mutating func success(_ file: String, _ result: Classification) {
    progress.clear()
    if isJSON {
      StandardStreams.printLine(json(file, result).text)
    } else {
      if succeeded > 0 { StandardStreams.printLine("") }
      let milliseconds = Format.decimal(result.milliseconds.total, 1)
      let note = result.isUncertain ? ", uncertain" : ""
      StandardStreams.printLine("\(file) (\(milliseconds) ms\(note))")
      var table = Table([("", .right), ("", .left)])
      for prediction in result.predictions {
        let label = "\(prediction.index)" == prediction.label ? "class \(prediction.label)" : prediction.label
        table.append(["  " + Format.decimal(Double(prediction.score) * 100, 1) + " %", label])
      }
      table.print()
    }
    succeeded += 1
  }

  private func json(_ file: String, _ result: Classification) -> JSON {
    .object([
      ("file", .string(file)),
      (
        "predictions",
        .array(
          result.predictions.map {
            .object([
              ("label", .string($0.label)), ("index", .integer($0.index)), ("score", .float($0.score)),
            ])
          })
      ),
      ("uncertain", .bool(result.isUncertain)),
      ("preprocess", .string(result.preprocessing)),
      ("milliseconds", .number((result.milliseconds.total * 1000).rounded() / 1000)),
    ])
  }
}
