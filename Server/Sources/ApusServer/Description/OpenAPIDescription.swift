import Apus
import OpenInference

/// The description of the server's routes as OpenAPI 3.1 has it, from which clients are generated.
enum OpenAPIDescription {
  /// - Parameters:
  ///   - models: the names of those that are served.
  ///   - address: by which clients reach the server; nil for the one that they have the description from.
  static func text(of endpoints: [Endpoint], models: [String], at address: String?) -> JSONText {
    var paths: [(key: String, value: JSONText)] = []
    for endpoint in endpoints {
      let operation = (key: endpoint.method.rawValue.lowercased(), value: operation(endpoint))
      if let index = paths.firstIndex(where: { $0.key == endpoint.path }),
        case .object(let others) = paths[index].value
      {
        paths[index].value = .object(others + [operation])
      } else {
        paths.append((endpoint.path, .object([operation])))
      }
    }
    let servers: [(key: String, value: JSONText)] =
      address.map { [("servers", [["url": .string($0)]])] } ?? []
    // A choice of nothing is none that clients can be generated from.
    let model = models.isEmpty ? Schema.text : Schema.choice(models)
    return .object(
      [("openapi", "3.1.0"), ("info", ["title": "Apus", "version": .string(ApusVersion.current)])] + servers
        + [("paths", .object(paths)), ("components", ["schemas": ["Model": model]])])
  }

  private static func operation(_ endpoint: Endpoint) -> JSONText {
    var members: [(key: String, value: JSONText)] = [("summary", .string(endpoint.summary))]
    let parameters =
      endpoint.pathParameters.map { parameter($0, in: "path", schema(ofPath: $0), isRequired: true) }
      + endpoint.query.map { parameter($0.name, in: "query", $0.schema, isRequired: false) }
    if !parameters.isEmpty { members.append(("parameters", .array(parameters))) }
    if !endpoint.bodies.isEmpty {
      let content = endpoint.bodies.map { (key: $0.type, value: ["schema": $0.schema] as JSONText) }
      members.append(("requestBody", ["required": true, "content": .object(content)]))
    }
    members.append(("responses", .object(answers(of: endpoint))))
    return .object(members)
  }

  private static func answers(of endpoint: Endpoint) -> [(key: String, value: JSONText)] {
    let error: JSONText = [
      "description": "What went wrong.",
      "content": endpoint.hasPlainErrors
        ? ["text/plain": ["schema": Schema.text]]
        : ["application/json": ["schema": endpoint.dialect.errors.schema]],
    ]
    let content = JSONText.object([(endpoint.answerType, ["schema": endpoint.answer])])
    var answers: [(key: String, value: JSONText)] = [
      ("200", ["description": "The answer.", "content": content])
    ]
    if let type = endpoint.unavailableType {
      let content = JSONText.object([(type, ["schema": Schema.text])])
      answers.append(("503", ["description": "Not now.", "content": content]))
    }
    return answers + [("4XX", error), ("5XX", error)]
  }

  /// - Parameter name: a parameter's name in paths.
  private static func schema(ofPath name: String) -> JSONText {
    switch name {
    case "id": ["type": "integer", "minimum": 1]
    case "version": Schema.choice([OpenInferenceService.modelVersion])
    default: Schema.model
    }
  }

  private static func parameter(
    _ name: String, in place: String, _ schema: JSONText, isRequired: Bool
  ) -> JSONText {
    ["name": .string(name), "in": .string(place), "required": .bool(isRequired), "schema": schema]
  }
}

extension Endpoint {
  /// The names in braces.
  fileprivate var pathParameters: [String] {
    path.split(separator: "/").filter { $0.hasPrefix("{") && $0.hasSuffix("}") }
      .map { String($0.dropFirst().dropLast()) }
  }
}
