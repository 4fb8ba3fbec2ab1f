/// Why a vector file cannot be used, and has to be made anew from the database.
package enum VectorFileFault: Error, Hashable, Sendable {
  case missing
  /// The system does not let it be read, for the reason that is given.
  case unreadable(String)
  /// The file begins otherwise.
  case notVectors
  /// It has another version of the format.
  case version(Int)
  /// It was made for a model of another digest.
  case otherModel
  case width(found: Int, expected: Int)
  /// It is of another state of the database.
  case revision(found: Int64, expected: Int64)
  /// It has the vectors of other contents than the database.
  case otherContents
  /// It is shorter than its rows.
  case short(found: Int, expected: Int)
  /// Bytes changed that no program changes.
  case damaged(String)

  /// Whether a file that is being changed can look so for a moment.
  var mayBeOfWriter: Bool {
    switch self {
    case .short, .damaged: true
    default: false
    }
  }

  /// Whether the file is of an earlier state of the database.
  var isOfEarlier: Bool {
    if case .revision(let found, let expected) = self { found < expected } else { false }
  }

  /// Whether the file is of a later state of the database.
  var isOfLater: Bool {
    if case .revision(let found, let expected) = self { found > expected } else { false }
  }
}

extension VectorFileFault: CustomStringConvertible {
  /// A clause that follows the name of the file.
  package var description: String {
    switch self {
    case .missing: "is not there"
    case .unreadable(let problem): problem
    case .notVectors: "is no file of vectors"
    case .version(let found): "has version \(found) of the format, expected \(VectorFileHeader.version)"
    case .otherModel: "has the vectors of another model"
    case .width(let found, let expected): "has vectors of \(found) numbers, expected \(expected)"
    case .revision(let found, let expected):
      "has the vectors of revision \(found) of the index, expected \(expected)"
    case .otherContents: "has the vectors of other photographs than the index"
    case .short(let found, let expected): "has \(found) bytes, expected \(expected)"
    case .damaged(let part): "is damaged: \(part) is not as it was written"
    }
  }
}
