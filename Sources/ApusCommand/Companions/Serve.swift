import ArgumentParser

/// `apus serve`, a ``CompanionProgram``: here for the list of commands.
struct Serve: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serves models over HTTP: to clients of other servers, and to browsers.")

  @Argument(parsing: .captureForPassthrough, help: "The arguments of apus serve.")
  var arguments: [String] = []
}
