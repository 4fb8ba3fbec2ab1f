import Apus
import ArgumentParser
import CommandSupport
import TensorCore

/// The labels that pictures are scored against.
struct LabelArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Labels separated by commas, or a file with one label per line or a JSON list.",
      valueName: "labels-or-file"))
  var labels: String?

  @Option(help: "A single label, which may contain commas; repeatable.")
  var label: [String] = []

  func validate() throws {
    if label.contains(where: \.isBlank) { throw ValidationError("--label: a label needs words.") }
    if label.isEmpty, case .names([]) = GivenLabels(labels ?? "") {
      throw ValidationError("--labels: at least one label is needed.")
    }
  }

  /// The labels of `--labels`, then of `--label`, each once.
  /// - Throws: ``ApusError`` of kind `file` or `configuration` for a file of labels.
  func all() throws(ApusError) -> [String] {
    let given = try listed().filter { !$0.isBlank } + label.map(FileName.readable)
    // By their bytes: texts that Swift takes for equal may have other tokens.
    var seen: Set<[UInt8]> = []
    var (unique, repeated): ([String], [String]) = ([], [])
    for label in given {
      if seen.insert(Array(label.utf8)).inserted { unique.append(label) } else { repeated.append(label) }
    }
    guard !unique.isEmpty else {
      throw ApusError(.configuration, "no label", expected: "at least one", file: labels)
    }
    if !repeated.isEmpty {
      let names = repeated.prefix(8).map { "'\($0.shortened(to: 40))'" }.joined(separator: ", ")
      let rest = repeated.count > 8 ? ", and \(repeated.count - 8) more" : ""
      StandardStreams.report("apus: labels given again are left out: \(names)\(rest)")
    }
    return unique
  }

  private func listed() throws(ApusError) -> [String] {
    guard let labels else { return [] }
    let given = GivenLabels(labels)
    do {
      let names = try given.names()
      if case .file(let path) = given, FileName.ending(of: path).isEmpty {
        StandardStreams.report(
          "apus: labels are read from the file '\(path)'; --label takes it as one label.")
      }
      return names
    } catch {
      guard case .file(let path) = given, !FileSystem.exists(path) else { throw error }
      var error = error
      error.advice = "It reads as the name of a file of labels; a label of that name is given with --label."
      throw error
    }
  }
}
