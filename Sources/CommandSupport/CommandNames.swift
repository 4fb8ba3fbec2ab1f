import ArgumentParser
import TensorCore

/// The names of a program's commands, as far as they are what the first arguments may be.
enum CommandNames {
  /// Refuses a command that does not exist, which the parser takes for an argument, and `help` on one, for which it
  /// shows the help of the program.
  static func check(_ arguments: [String], of root: any ParsableCommand.Type) throws {
    guard let first = arguments.first, !first.hasPrefix("-") else { return }
    guard first == "help" else {
      _ = try command(first, among: root.configuration.subcommands)
      return
    }
    var commands = root.configuration.subcommands
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
