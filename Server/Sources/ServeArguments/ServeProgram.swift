import Apus
import ArgumentParser
import CLibrary
import CProcess

/// A program that serves: its options are the command line's and those of a file, and it ends as `apus` does.
public enum ServeProgram {
  /// To be called before anything is waited for: where the system grants too few threads, the process ends with that word.
  public static func begin() {
    Door.enter(.server)
    FileDescriptors.prepare()
    do throws(ApusError) { try ThreadTrial.check() } catch { end(error) }
  }

  /// Runs a command, and returns when it has succeeded; else the process ends.
  public static func run<Command: AsyncParsableCommand>(_ type: Command.Type) async {
    defer { FileDescriptors.finish() }
    do {
      let arguments = try ConfigurationFile.expanded(arguments)
      var command = try Command.parseAsRoot(arguments)
      if var serve = command as? Command {
        try ApusEnvironment.check()
        try await serve.run()
      } else {
        try command.run()
      }
    } catch let error as ApusError {
      end(error)
    } catch  where Command.exitCode(for: error) == .validationFailure {
      FileDescriptors.say(Command.fullMessage(for: error))
      FileDescriptors.finish()
      exit(2)
    } catch {
      FileDescriptors.finish()
      Command.exit(withError: error)
    }
  }

  private static func end(_ error: ApusError) -> Never {
    FileDescriptors.sayEnd("\(error)")
    FileDescriptors.finish()
    exit(error.kind.exitStatus)
  }

  /// What follows the program's name, whether /proc is mounted or not.
  static var arguments: [String] {
    (1..<max(1, apus_argument_count())).compactMap { index in
      apus_argument(index).map { String(cString: $0) }
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
