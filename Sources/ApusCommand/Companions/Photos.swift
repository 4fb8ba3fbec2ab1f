import ArgumentParser

/// `apus photos`, a ``CompanionProgram``: here for the list of commands.
struct Photos: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "photos",
    abstract: "Searches your photographs by sentence: index, search, watch, duplicates and more.")

  @Argument(parsing: .captureForPassthrough, help: "A command of apus photos and its arguments.")
  var arguments: [String] = []
}
