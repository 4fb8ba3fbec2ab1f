import Apus

/// A request to run a model.
public struct InferenceRequest: Sendable, Hashable {
  /// What the client calls it, and finds in the answer again; nil for nothing.
  public let id: String?
  /// What was said of it besides.
  public let parameters: InferenceParameters
  /// What the model gets, no name twice.
  public let inputs: [InferenceTensor]
  /// What is wanted of it, no name twice; empty for all that it gives.
  public let outputs: [RequestedOutput]
  /// Whether outputs come in binary form where they do not say so themselves.
  public let prefersBinary: Bool

  /// - Throws: ``ApusError`` for a name that stands there twice, and parameters that cannot be.
  public init(
    id: String? = nil, parameters: InferenceParameters = [:], inputs: [InferenceTensor],
    outputs: [RequestedOutput] = []
  ) throws(ApusError) {
    (self.id, self.parameters, self.inputs, self.outputs) = (id, parameters, inputs, outputs)
    prefersBinary = try parameters.bool("binary_data_output") ?? false
    if let name = Self.firstRepeated(inputs.lazy.map(\.name)) {
      throw ApusError(.argument, "input '\(name.clipped)' stands there twice")
    }
    if let name = Self.firstRepeated(outputs.lazy.map(\.name)) {
      throw ApusError(.argument, "output '\(name.clipped)' is asked for twice")
    }
  }

  private static func firstRepeated(_ names: some Sequence<String>) -> String? {
    var known: Set<[UInt8]> = []
    return names.first { !known.insert(Array($0.utf8)).inserted }
  }

  /// Whether an output of that name is to come in binary form.
  public func isBinary(_ output: String) -> Bool {
    outputs.first { $0.name.utf8.elementsEqual(output.utf8) }?.isBinary ?? prefersBinary
  }

  /// The input of that name; nil where there is none.
  public subscript(input name: String) -> InferenceTensor? {
    inputs.first { $0.name.utf8.elementsEqual(name.utf8) }
  }
}
