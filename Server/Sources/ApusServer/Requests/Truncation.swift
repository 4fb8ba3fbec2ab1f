import Apus

/// The handling of texts that are longer than the model takes, as clients of other servers ask for it.
struct Truncation: Equatable {
  /// Whether they are cut; else they are refused.
  let isWanted: Bool
  /// The end that is cut off; nil for the one that the model's files name.
  let side: TextSide?

  /// `true` or `false`, or the end that is cut off as Cohere's clients name it.
  private enum Choice: String, CaseIterable {
    case none = "NONE"
    case start = "START"
    case end = "END"
  }

  /// - Parameter isUsual: whether texts are cut for requests that say nothing.
  init(_ fields: RequestFields, isUsual: Bool) throws(RequestFault) {
    if case .string = fields["truncate"], let choice: Choice = try fields.optionalChoice("truncate") {
      isWanted = choice != .none
      side =
        switch choice {
        case .none: nil
        case .start: .left
        case .end: .right
        }
    } else {
      isWanted = try fields.optionalFlag("truncate") ?? isUsual
      side = nil
    }
  }

  static let schema = Schema.either(Schema.flag, Schema.choice(Choice.allCases.map(\.rawValue)))
}
