import CommandSupport
import Apus
import TensorCore

/// The outcome of a text or picture.
struct EmbeddedInput {
  /// The input.
  enum Input {
    case text(String)
    case picture(String)
  }

  let input: Input
  let result: Result<Embedding, ApusError>
  let computation: Computation
  /// Whether it is an input: not an argument that stands for none, such as a pattern that nothing matches.
  let standsForInput: Bool
  /// Whether the vector is what a classifier gives: the probabilities of its classes.
  var holdsProbabilities = false

  init(
    _ input: Input, _ result: Result<Embedding, ApusError>, _ computation: Computation,
    standsForInput: Bool = true
  ) {
    self.input = input
    self.result = result
    self.computation = computation
    self.standsForInput = standsForInput
  }
}

extension EmbeddedInput {
  /// Nil where there is none.
  var embedding: Embedding? { try? result.get() }
}

extension EmbeddedInput.Input {
  var name: String {
    switch self {
    case .text(let text): text
    case .picture(let path): path
    }
  }

  /// A text, or the last part of a picture's path.
  var shortName: String {
    switch self {
    case .text(let text): text
    case .picture(let path): FileName.last(of: path)
    }
  }

  /// The members that say which input is meant.
  var members: [JSON.Member] {
    switch self {
    case .text(let text): [("kind", .string("text")), ("input", .string(text))]
    case .picture(let path): [("kind", .string("image"))] + JSON.file(path, as: "input")
    }
  }
}
