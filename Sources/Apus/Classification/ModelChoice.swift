import TensorCore

/// A model file that was passed over for a later one.
public struct RefusedModel: Sendable {
  /// The file, as the caller named it.
  public let path: String
  /// Why it was refused.
  public let reason: ApusError
}

extension RefusedModel: CustomStringConvertible {
  /// The error, with the file.
  public var description: String { "\(reason.inFile(path))" }
}

/// The first of several model files that can be used.
package enum ModelChoice {
  /// - Parameter use: what makes a file usable.
  /// - Throws: the error of the last file, when none can be used.
  package static func first<Result>(
    of paths: [String], _ use: (String) throws(ApusError) -> Result
  ) throws(ApusError) -> (chosen: Result, refused: [RefusedModel]) {
    var refused: [RefusedModel] = []
    for path in paths {
      do {
        return (try use(path), refused)
      } catch {
        refused.append(RefusedModel(path: path, reason: error))
      }
    }
    guard var error = refused.last?.reason else {
      throw ApusError(.argument, "no model file is given", expected: "at least one")
    }
    error.causes += refused.dropLast().map(\.reason)
    throw error
  }
}
