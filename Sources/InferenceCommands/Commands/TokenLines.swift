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

  /// - Parameter write: hands out what was made of a text, in parts; what it throws, it throws before the first.
  mutating func add(_ write: ((String) -> Void) throws(ApusError) -> Void) throws(ApusError) {
    try StandardStreams.printLine(inParts: write)
    succeeded += 1
  }

  /// Reports a file that cannot be read, or not to its end.
  mutating func add(file: String, _ error: ApusError) {
    causes.insert(ExitStatus(error) ?? .badInputFile)
    if isJSON {
      StandardStreams.print(
        JSON.object(JSON.file(file) + [("error", .string("\(error)")), JSON.madeBy]))
    }
    StandardStreams.report("apus: \(error)")
  }

  /// - Parameters:
  ///   - line: what was read.
  ///   - number: its place in the file, from 1.
  ///   - file: where it was read, where that has a name.
  ///   - write: as above; a line of which it throws is reported.
  mutating func add(
    _ line: String, number: Int, in file: String?,
    _ write: ((String) -> Void) throws(ApusError) -> Void
  ) {
    do throws(ApusError) {
      try add(write)
    } catch {
      causes.insert(ExitStatus(error) ?? .badInputFile)
      let members: [JSON.Member] =
        (file.map { JSON.file($0) } ?? []) + [
          ("line", .integer(number)), ("input", .string(line)), ("error", .string("\(error)")), JSON.madeBy,
        ]
      if isJSON { StandardStreams.print(JSON.object(members)) } else { StandardStreams.printLine("") }
      let named = error.at("line \(number)")
      StandardStreams.report("apus: \(file.map { named.inFile($0) } ?? named)")
    }
  }

  /// The exit code when a line or a file failed.
  var status: ExitStatus? {
    causes.isEmpty ? nil : ExitStatus(causes: causes, othersSucceeded: succeeded > 0)
  }
}
