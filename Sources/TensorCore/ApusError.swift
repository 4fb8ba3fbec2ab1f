/// What went wrong, where, what was found, what was expected, and what to do about it.
///
/// Every failure that input can cause ends in one of these; none ends the process.
public struct ApusError: Error, Equatable, Sendable {
  /// The part of the system that refused, which decides the exit code of the command line.
  public enum Kind: String, Sendable, CaseIterable {
    /// A file or folder that cannot be opened, read or written.
    case file
    /// A model whose bytes break the rules of its format.
    case malformedModel
    /// A well-formed model that asks for something Apus does not do.
    case unsupportedModel
    /// A picture that cannot be decoded, or is over a limit.
    case image
    /// Labels, metadata or another configuration file that makes no sense.
    case configuration
    /// A tensor, shape or option given by the caller that does not fit.
    case argument
    /// The caller cancelled the work.
    case cancelled
    /// Memory or another resource of the system ran out.
    case resources
  }

  /// The part of the system that refused.
  public var kind: Kind
  /// The file concerned, as the caller named it.
  public var file: String?
  /// The place in the file or model: a tensor, an operator, a byte offset.
  public var location: String?
  /// What was found, in a clause without a full stop.
  public var problem: String
  /// What would have been right, in a clause without a full stop.
  public var expected: String?
  /// What the reader can do, in a sentence.
  public var advice: String?
  /// Which model of a program's several it concerns, and what became of it; nil where only one is known.
  public var modelFailure: ModelFailure?
  /// Whether what was given is too large for a limit, however much memory is free: something smaller would do.
  package var isOverLimit = false
  /// What went wrong before, where there were several ways: why each model file was refused that stood before the last.
  public var causes: [ApusError] = []

  /// - Parameters:
  ///   - problem: what was found, in a clause without a full stop.
  ///   - expected: what would have been right, in a clause without a full stop.
  ///   - location: the place in the file or model.
  ///   - file: the file concerned.
  ///   - advice: what the reader can do, in a sentence.
  public init(
    _ kind: Kind, _ problem: String, expected: String? = nil, at location: String? = nil,
    file: String? = nil, advice: String? = nil
  ) {
    self.kind = kind
    self.problem = problem
    self.expected = expected
    self.location = location
    self.file = file
    self.advice = advice
  }

  /// The same error with the file named, unless it already names one.
  public func inFile(_ name: String) -> ApusError {
    var copy = self
    copy.file = file ?? name
    return copy
  }

  /// The same error with `outer` put before the location, so that an operator can name itself around
  /// what its shape inference said.
  public func at(_ outer: String) -> ApusError {
    var copy = self
    copy.location = location.map { "\(outer): \($0)" } ?? outer
    return copy
  }

  /// The same error with the number of the input that it is about, where a call has several: `text 2`.
  package func at(_ what: String, _ index: Int, of count: Int) -> ApusError {
    count > 1 ? at("\(what) \(index)") : self
  }
}

extension ApusError: CustomStringConvertible {
  /// Sentences: file, place, what was found, what was expected, what to do, and what went wrong before.
  public var description: String {
    let help = advice.map { [$0] } ?? []
    let before = causes.isEmpty ? [] : ["Before it:"] + causes.map(\.description)
    return ([summary] + help + before).joined(separator: " ")
  }

  /// One sentence: model, file, place, what was found, what was expected.
  public var summary: String {
    let model = modelFailure.map { "model '\($0.model)'" }
    let head = ([model, file, location].compactMap(\.self) + [problem]).joined(separator: ": ")
    return head + (expected.map { ", expected \($0)" } ?? "") + "."
  }
}
