import Apus

extension ServingError {
  /// What an error means for whoever sent the request. Files of the server are not named but in the detail.
  public init(_ error: any Error) {
    switch error {
    case let error as ServingError: self = error
    case let error as ApusError:
      let kind = Self.kind(of: error)
      // What is wrong with a request may be as long as its body, and is the client's to mend.
      self.init(kind, Self.message(of: error), detail: kind == .invalid ? nil : error.description)
    case is CancellationError: self.init(.cancelled, "The client is gone.")
    default: self.init(.failed, "The server failed.", detail: "\(error)")
    }
  }

  /// What a malformed message means.
  public init(malformed error: ApusError) {
    let place = error.location.map { "\($0): " } ?? "", wish = error.expected.map { "; expected \($0)" } ?? ""
    let text = place + error.problem + wish
    self.init(.invalid, text.prefix(1).uppercased() + text.dropFirst() + ".")
  }

  private static func kind(of error: ApusError) -> Kind {
    switch error.modelFailure?.reason {
    case .notFound, .loadFailed: return .failed
    case .insufficientMemory, .notAvailable, .notLoaded: return .unavailable
    case .invalidInput: return .invalid
    case .inferenceFailed, nil: break
    }
    return switch error.kind {
    case .argument, .image: .invalid
    case .cancelled: .cancelled
    case .resources: .unavailable
    case .unsupportedModel: .unsupported
    case .file, .malformedModel, .configuration: .failed
    }
  }

  private static func message(of error: ApusError) -> String {
    // What is expected of files names folders of the server.
    let expected = error.kind == .file ? nil : error.expected
    let problem = error.problem.shortened + (expected.map { ", expected \($0)" } ?? "") + "."
    // A place may begin with a name, whose letters count.
    if let location = error.location { return "\(location.shortened): \(problem)" }
    return problem.prefix(1).uppercased() + problem.dropFirst()
  }
}

extension String {
  /// Both ends of it: a label or a template of the client's may stand between them, as long as a body.
  fileprivate var shortened: String {
    guard !unicodeScalars.dropFirst(400).isEmpty else { return self }
    return String(unicodeScalars.prefix(200)) + "…" + String(unicodeScalars.suffix(100))
  }
}
