import TensorCore

/// The end of a command that writes a file of what it made of a list.
package enum BrokenList {
  /// Writes the file, and ends the command where its list broke off. Why it did counts for more than a file that cannot be
  /// written, which is then only reported.
  /// - Parameters:
  ///   - failure: why the list broke off; nil where it came to its end.
  ///   - write: writes the file, and says what it then has of a list that broke off, `a.npy: the first 2 inputs`; nil
  ///     where nothing is written.
  /// - Throws: ``ApusError``: the failure, else what `write` throws.
  package static func end(
    _ failure: ApusError?, writing write: () throws(ApusError) -> String?
  ) throws(ApusError) {
    guard let failure else {
      _ = try write()
      return
    }
    do throws(ApusError) {
      if let part = try write() { StandardStreams.report("apus: \(part) only, as the list broke off") }
    } catch {
      StandardStreams.report("apus: \(error)")
      Program.printRecord("\(error)")
    }
    throw failure
  }

  /// Inputs in words, `the first 2 inputs`.
  package static func inputs(_ count: Int) -> String {
    count == 1 ? "the first input" : "the first \(count) inputs"
  }
}
