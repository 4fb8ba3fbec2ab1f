import Apus
import ApusServer
import ApusServing
import ArgumentParser
import FoundationEssentials
import Logging

@main
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apus-serve",
    abstract: "Serves models over HTTP to the clients that people have, and a page to browsers.",
    discussion: """
      Listens on 127.0.0.1:8000 unless told otherwise. Once it listens, the kernel refuses it every call to anybody: \
      it can answer, and nothing else.
      """)

  @OptionGroup(title: "Models") var models: ModelArguments
  @OptionGroup(title: "Listening") var listening: ListeningArguments
  @OptionGroup(title: "Limits") var limits: LimitArguments

  @Option(
    help:
      "How much is logged, to standard error: \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))."
  )
  var logLevel = Logger.Level.info

  @Flag(help: "Do not have the kernel refuse calls to the network.")
  var noSeal = false

  func run() async throws {
    let level = logLevel
    LoggingSystem.bootstrap { label in
      var handler = StreamLogHandler.standardError(label: label)
      handler.logLevel = level
      return handler
    }
    let logger = Logger(label: "apus")
    do {
      var options = try listening.options()
      limits.apply(to: &options)
      options.isSealed = !noSeal
      options.loadsModels = !models.lazy
      let server = try ModelServer(try models.options(), limits: limits.serving())
      let state = ServerState(server, options)
      try await HTTPServer(state, logger: logger).run { address in
        FileDescriptors.say("apus: listening on \(address)")
      }
    } catch let error as ApusError {
      FileDescriptors.say("apus: \(error)")
      throw ExitCode.failure
    }
  }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
