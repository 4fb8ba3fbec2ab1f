import ArgumentParser
import Networks
import TensorCore

/// The main function of Apus's programs: it parses, runs, and turns every failure into a message and an exit code.
package enum Program {
  /// To be called before anything else, and before anything is waited for: Swift's executors end the process where the
  /// system's limits are too low for them.
  package static func begin(_ root: any ParsableCommand.Type) {
    Door.enter(.command)
    StandardStreams.prepare()
    do { try ProcessLimits.check() } catch { finish(error, root) }
  }

  /// Runs the command that the arguments name, in a sealed process, and ends the process.
  /// - Parameter prepare: makes the arguments what the parser understands.
  package static func run(
    _ root: any ParsableCommand.Type, prepare: ([String]) -> [String] = Arguments.tied
  ) async -> Never {
    do {
      let arguments = Seal.removed(from: Arguments.all)
      try CommandNames.check(arguments, of: root)
      var command = try root.parseAsRoot(prepare(arguments))
      try EnvironmentVariable.check()
      Seal.apply()
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
      CacheWriting.finish()
      StandardStreams.exit(0)
    } catch {
      finish(error, root)
    }
  }

  private static func finish(_ error: any Error, _ root: any ParsableCommand.Type) -> Never {
    if let failure = ExitStatus(error) {
      StandardStreams.report("apus: \(error)")
      printRecord("\(error)")
      StandardStreams.exit(failure.rawValue)
    }
    let code = root.exitCode(for: error)
    let message = root.fullMessage(for: error)
    if code.isSuccess {
      StandardStreams.printLine(message)
    } else if !message.isEmpty {
      StandardStreams.report(message)
      if let advice = Arguments.advice(on: message) { StandardStreams.report(advice) }
      printRecord(root.message(for: error))
    }
    StandardStreams.exit(code == .validationFailure ? ExitStatus.usage.rawValue : code.rawValue)
  }

  /// Prints a failure as a record.
  static func printRecord(_ problem: String) {
    guard Arguments.all.contains("--json") else { return }
    StandardStreams.printLine(JSON.object([("error", .string(problem)), JSON.madeBy]).text())
  }
}
