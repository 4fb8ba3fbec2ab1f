import Apus
import ApusServing
import InferenceProtocol

/// Answers the Open Inference Protocol for the models of a server, whatever its messages come over.
public struct OpenInferenceService: Sendable {
  /// What is served.
  public let models: ModelServer
  /// Whether every request may load and unload models.
  let allowsModelControl: Bool
  private let server: ServerMetadata

  /// The one version that each model has.
  public static let modelVersion = "1"
  /// What runs the models, in their descriptions.
  static let platform = "apus"

  /// - Parameters:
  ///   - serverVersion: what the server says that its version is.
  ///   - allowsModelControl: whether every request may load and unload models.
  public init(_ models: ModelServer, serverVersion: String, allowsModelControl: Bool = false) {
    (self.models, self.allowsModelControl) = (models, allowsModelControl)
    server = ServerMetadata(
      name: "apus-serve", version: serverVersion,
      extensions: [
        "binary_tensor_data", "classification", "model_configuration", "model_repository",
        "model_repository(unload_dependents)", "statistics",
      ])
  }

  /// What the server says of itself.
  public var metadata: ServerMetadata { server }

  /// Whether every model answers.
  public var isReady: Bool { models.models.allSatisfy(\.state.answers) }

  /// Whether a model answers.
  /// - Throws: ``ServingError`` of kind `notFound`.
  public func isReady(_ name: String, version: String?) throws(ServingError) -> Bool {
    try model(name, version).state.answers
  }

  /// Refuses a model that there is not, or a version of one: who is told so by an address need not read what is sent.
  /// - Parameter version: nil or empty where the server chooses.
  /// - Throws: ``ServingError`` of kind `notFound`.
  public func requireModel(_ name: String, version: String?) throws(ServingError) {
    _ = try model(name, version)
  }

  /// The model of a name.
  /// - Parameter version: nil or empty where the server chooses.
  /// - Throws: ``ServingError`` of kind `notFound`, also for a version that it does not have.
  func model(_ name: String, _ version: String?) throws(ServingError) -> ServedModel {
    let model = try models.model(name)
    guard [nil, "", Self.modelVersion].contains(version) else {
      throw ServingError(
        .notFound, "Model '\(name)' has no version '\(version?.clipped ?? "")', only '\(Self.modelVersion)'.")
    }
    return model
  }
}

extension ServedModelState {
  /// Whether a request gets an answer: of a model that was set aside for want of use, as soon as it is opened again.
  var answers: Bool {
    switch self {
    case .ready, .unloaded: true
    case .loading, .withdrawn, .failed: false
    }
  }
}

/// Does what throws for malformed messages.
func wellFormed<Value>(
  _ body: () throws(ApusError) -> Value
) throws(ServingError) -> Value {
  do throws(ApusError) { return try body() } catch { throw ServingError(malformed: error) }
}
