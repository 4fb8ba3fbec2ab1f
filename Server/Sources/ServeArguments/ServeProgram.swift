import Apus
import ArgumentParser
import Glibc

/// A program that serves: its options are the command line's and those of a file, and it ends as `apus` does.
public enum ServeProgram {
  /// Runs a command, and returns when it has succeeded; else the process ends.
  public static func run<Command: AsyncParsableCommand>(_ type: Command.Type) async {
    do {
      let arguments = try ConfigurationFile.expanded(Array(CommandLine.arguments.dropFirst()))
      var command = try Command.parseAsRoot(arguments)
      if var serve = command as? Command { try await serve.run() } else { try command.run() }
    } catch let error as ApusError {
      FileDescriptors.say("apus: \(error)")
      exit(error.kind.exitStatus)
    } catch  where Command.exitCode(for: error) == .validationFailure {
      FileDescriptors.say(Command.fullMessage(for: error))
      exit(2)
    } catch {
      Command.exit(withError: error)
    }
  }
}

extension ApusError.Kind {
  /// What `apus` ends with for such an error.
  fileprivate var exitStatus: Int32 {
    switch self {
    case .argument: 2
    case .file, .image, .configuration, .cancelled: 3
    case .malformedModel, .unsupportedModel, .resources: 4
    }
  }
}
