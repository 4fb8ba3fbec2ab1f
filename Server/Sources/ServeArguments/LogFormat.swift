import ApusServer
import ArgumentParser
import Logging

/// How the log is written.
enum LogFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json

  func handler(label: String) -> any LogHandler {
    switch self {
    case .text: StreamLogHandler(label: label, stream: LogWriter.Stream(.standardError))
    case .json: JSONLogHandler(label: label) { LogWriter.standardError.write($0) }
    }
  }

  /// Has all that is written be in this form: also what libraries write, and what is told of lines that were dropped.
  func begin() {
    guard self == .json else { return }
    LogWriter.standardError.tellDropped { JSONLogHandler.lineOfDropped($0) }
    FileDescriptors.writeJSONAlone()
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
