import Apus
import CommandSupport

/// Prints what `tokenize` makes of lines, one line for each, and keeps count of those that failed and of files that could not
/// be read to their end.
struct TokenLines {
  private let isJSON: Bool
  private var succeeded = 0
  /// The codes of the errors of those that failed.
  private var causes: Set<ExitStatus> = []

  /// - Parameter isJSON: whether a line that failed has a record; else an empty line stands for it.
  init(isJSON: Bool) { self.isJSON = isJSON }

  /// - Parameter text: what was made of a text.
  mutating func add(_ text: String) {
    succeeded += 1
    StandardStreams.printLine(text)
  }

  /// Reports a file that cannot be read, or not to its end.
  mutating func add(file: String, _ error: ApusError) {
    causes.insert(ExitStatus(error) ?? .badInputFile)
    if isJSON {
      StandardStreams.printLine(
        JSON.object(JSON.file(file) + [("error", .string("\(error)")), JSON.madeBy]).text)
    }
    StandardStreams.report("apus: \(error)")
  }

  /// - Parameters:
  ///   - line: what was read.
  ///   - number: its place in the file, from 1.
  ///   - file: where it was read, where that has a name.
  mutating func add(
    _ line: String, number: Int, in file: String?, _ result: Result<String, ApusError>
  ) {
    switch result {
    case .success(let text): add(text)
    case .failure(let error):
      causes.insert(ExitStatus(error) ?? .badInputFile)
      let members: [(String, JSON)] =
        (file.map { JSON.file($0) } ?? []) + [
          ("line", .integer(number)), ("input", .string(line)), ("error", .string("\(error)")), JSON.madeBy,
        ]
      StandardStreams.printLine(isJSON ? JSON.object(members).text : "")
      let named = error.at("line \(number)")
      StandardStreams.report("apus: \(file.map { named.inFile($0) } ?? named)")
    }
  }

  /// The exit code when a line or a file failed.
  var status: ExitStatus? {
    causes.isEmpty ? nil : ExitStatus(causes: causes, othersSucceeded: succeeded > 0)
  }
}
