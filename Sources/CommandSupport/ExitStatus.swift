import ArgumentParser
import TensorCore

/// The exit codes of the program.
package enum ExitStatus: Int32 {
  case usage = 2
  case badInputFile = 3
  case modelRefused = 4
  case someFailed = 5
  /// A check could not be made, because other programs used the processors.
  case undecided = 6

  /// The code for an error of the library; nil for an error of the argument parser.
  package init?(_ error: any Error) {
    guard let error = error as? ApusError else { return nil }
    switch error.kind {
    case .argument: self = .usage
    case .file, .image, .configuration, .cancelled: self = .badInputFile
    case .malformedModel, .unsupportedModel, .resources: self = .modelRefused
    }
  }

  /// The code of a command that had several inputs, of which some failed.
  /// - Parameters:
  ///   - causes: the codes of their errors.
  ///   - othersSucceeded: whether any input gave a result.
  package init(causes: Set<ExitStatus>, othersSucceeded: Bool) {
    self = othersSucceeded ? .someFailed : causes == [.modelRefused] ? .modelRefused : .badInputFile
  }

  package var code: ExitCode { ExitCode(rawValue) }
}
