import ArgumentParser

@main
struct ApusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "apus")
}
