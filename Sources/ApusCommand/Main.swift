import Apus
import ArgumentParser
import Glibc
import Models
import Networks
import TensorCore

/// The program: parses, runs, and turns every failure into a message and an exit code.
@main
enum Main {
  static func main() async {
    StandardStreams.prepare()
    do {
      try ProcessLimits.check()
      try ApusCommand.checkNames(Arguments.all)
      var command = try ApusCommand.parseAsRoot(Arguments.tied(Arguments.all))
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
      CacheWriting.finish()
      StandardStreams.exit(0)
    } catch {
      finish(error)
    }
  }

  private static func finish(_ error: any Error) -> Never {
    if let failure = ExitStatus(error) {
      StandardStreams.report("apus: \(error)")
      printRecord("\(error)")
      StandardStreams.exit(failure.rawValue)
    }
    let code = ApusCommand.exitCode(for: error)
    let message = ApusCommand.fullMessage(for: error)
    if code.isSuccess {
      StandardStreams.printLine(message)
    } else if !message.isEmpty {
      StandardStreams.report(message)
      if let advice = Arguments.advice(on: message) { StandardStreams.report(advice) }
      printRecord(ApusCommand.message(for: error))
    }
    StandardStreams.exit(code == .validationFailure ? ExitStatus.usage.rawValue : code.rawValue)
  }

  /// What failed, where records are asked for.
  private static func printRecord(_ problem: String) {
    guard Arguments.all.contains("--json") else { return }
    StandardStreams.printLine(JSON.object([("error", .string(problem)), JSON.madeBy]).text)
  }
}

struct ApusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apus",
    abstract: "Runs image and text models on the CPU, with no other runtime.",
    discussion: """
      Example: apus classify photo.jpg --model mobilenet.tflite --labels labels.txt
      Example: apus zero-shot photo.jpg --model openai/clip-vit-base-patch32 --labels "a swift, a swallow"

      Exit codes: 0 success, 2 wrong usage, 3 a bad input file, 4 the model was refused, 5 some files of a \
      batch failed.
      """,
    version: ApusVersion.current,
    subcommands: [
      Classify.self, ZeroShot.self, ClassifyText.self, Embed.self, Similarity.self, Compare.self,
      Quantize.self, Bench.self,
      Run.self, Inspect.self, Tokenize.self, List.self, Doctor.self,
    ])

  /// Refuses a command that does not exist, which the parser takes for an argument, and `help` on one, for which it
  /// shows the help of the program.
  static func checkNames(_ arguments: [String]) throws {
    guard let first = arguments.first, !first.hasPrefix("-") else { return }
    guard first == "help" else {
      _ = try command(first, among: configuration.subcommands)
      return
    }
    var commands = configuration.subcommands
    for name in arguments.dropFirst() where !name.hasPrefix("-") {
      commands = try command(name, among: commands).configuration.subcommands
    }
  }

  private static func command(
    _ name: String, among commands: [any ParsableCommand.Type]
  ) throws -> any ParsableCommand.Type {
    if let command = commands.first(where: { $0._commandName == name }) { return command }
    throw ValidationError(
      "There is no command '\(name)'.\(suggestion(name, among: commands.map { $0._commandName }))")
  }

  /// The name that differs least, where that is little.
  private static func suggestion(_ name: String, among names: [String]) -> String {
    let distances = names.map { (name: $0, distance: NearestNames.distance(name, $0)) }
    guard let nearest = distances.min(by: { $0.distance < $1.distance }),
      nearest.distance <= 1 + name.utf8.count / 3
    else { return "" }
    return " Did you mean '\(nearest.name)'?"
  }
}
