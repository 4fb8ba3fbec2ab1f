import ApusServer
import ArgumentParser
import Logging

/// How the log is written.
enum LogFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json

  func handler(label: String) -> any LogHandler {
    switch self {
    case .text: StreamLogHandler.standardError(label: label)
    case .json: JSONLogHandler(label: label) { FileDescriptors.write($0) }
    }
  }

  /// Says something to whoever started the server, however little is logged.
  func say(_ line: String, _ logger: Logger) {
    switch self {
    case .text: FileDescriptors.say("apus: \(line)")
    case .json:
      var logger = logger
      logger.logLevel = min(logger.logLevel, .notice)
      logger.notice("\(line)")
    }
  }
}
