import Apus

/// What is wrong with a request before a model sees it. Every dialect has a form and a status of its own for it.
package struct RequestFault: Error, Equatable {
  enum Kind: Equatable {
    /// The body is not what its type says it is.
    case syntax
    /// A field is missing, or of another kind, or out of its range.
    case field
    /// A list has nothing in it.
    case empty
    /// The body is over a limit.
    case tooLarge
  }

  let kind: Kind
  /// The field in question, as `inputs[2]`.
  let field: String?
  /// Sentences for whoever sent it.
  package let message: String

  init(_ kind: Kind, _ message: String, field: String? = nil) {
    (self.kind, self.field, self.message) = (kind, field, message)
  }

  package static func missing(_ field: String) -> RequestFault {
    RequestFault(.field, "'\(field)' is missing.", field: field)
  }

  package static func empty(_ field: String) -> RequestFault {
    RequestFault(.empty, "'\(field)' is an empty list.", field: field)
  }

  /// - Parameter place: what stands before the key.
  init(_ fault: SettingFault, place: String = "") {
    switch fault {
    case .unknown(let key, let known):
      let name = (place + key).clipped
      self.init(
        .field, "'\(name)' is not known here; known are \(known.joined(separator: ", ")).", field: name)
    case .unexpected(let value, let key, let expected):
      self = .unexpected(value, place + key, expected: expected)
    }
  }

  /// What may stand once is there more often.
  static func repeated(_ field: String) -> RequestFault {
    RequestFault(.field, "'\(field)' appears more than once.", field: field)
  }

  package static func unexpected(_ value: JSONValue, _ field: String, expected: String) -> RequestFault {
    RequestFault(.field, "'\(field)' is \(value.description), expected \(expected).", field: field)
  }
}
