import Apus

/// An output that a request names.
public struct RequestedOutput: Sendable, Hashable {
  /// Its name.
  public let name: String
  /// What was said of it besides.
  public let parameters: InferenceParameters
  /// Whether it is to come in binary form; nil where the request as a whole decides.
  public let isBinary: Bool?
  /// How many of its best classes are wanted in the place of its numbers, each as the text `score:index:label`; nil for
  /// the numbers.
  public let classCount: Int?

  /// - Throws: ``ApusError`` for parameters that cannot be.
  public init(_ name: String, parameters: InferenceParameters = [:]) throws(ApusError) {
    (self.name, self.parameters) = (name, parameters)
    isBinary = try parameters.bool("binary_data")
    classCount = try parameters.integer("classification")
    if let classCount, classCount < 1 {
      throw ApusError(.argument, "output '\(name.clipped)' asks for \(classCount) classes")
    }
    try parameters.refuseSharedMemory(of: "output '\(name.clipped)'")
  }
}

extension InferenceParameters {
  /// - Throws: ``ApusError`` where they name a region of memory to share.
  func refuseSharedMemory(of owner: String) throws(ApusError) {
    if self["shared_memory_region"] != nil {
      throw ApusError(.argument, "\(owner) is to be in shared memory, which is not offered here")
    }
  }
}
