import Apus
import CApus
import JSONCoding

extension ModelHandle {
  /// What is known of the model.
  func description() -> JSONText {
    let common = model.common
    let settings = (try? JSONValue.parse(Array(settings.utf8)[...])).map { JSONText($0) } ?? .null
    let memory = common.memory
    let members: [JSONText.Member] = [
      ("task", .string(model.task.rawValue)), ("path", .string(FileName.readable(common.path))),
      ("settings", settings), ("computation", common.computation.json), ("notes", .strings(common.notes)),
      ("load_milliseconds", JSONText(encoding: common.loadTimes) ?? .null),
      (
        "memory",
        .object([
          ("weights", .integer(memory.weights)), ("workspaces", .integer(memory.workspaces)),
          ("mapped", .integer(memory.mapped)), ("total", .integer(memory.total)),
        ])
      ),
    ]
    return .object(members + ownMembers)
  }

  /// What is known by the task.
  private var ownMembers: [JSONText.Member] {
    switch model {
    case .tensors(let model): [("networks", .array(model.networks.map(\.json)))]
    case .imageClassification(let model):
      [
        ("labels", .strings(model.labels)), ("has_labels", .bool(model.hasLabels)),
        ("threshold", .float(model.threshold)), ("temperature", .float(model.temperature)),
        ("gives_probabilities", .bool(model.givesProbabilities)),
        ("preprocessing", .string(model.preprocessing)),
      ]
    case .zeroShot(let model):
      [
        ("labels", .strings(model.labels)), ("threshold", .float(model.threshold)),
        ("temperature", .float(model.temperature)), ("width", .integer(model.width)),
        ("scoring", .string(model.scoring.rawValue)), ("preprocessing", .string(model.preprocessing)),
      ]
    case .textClassification(let model):
      [
        ("labels", .strings(model.labels)), ("threshold", .float(model.threshold)),
        ("temperature", .float(model.temperature)),
        ("gives_probabilities", .bool(model.givesProbabilities)),
        ("takes_pairs", .bool(model.takesPairs)), ("maximum_tokens", .integer(model.maximumTokens)),
      ]
    case .textEmbedding(let model):
      [
        ("width", .integer(model.width)), ("normalizes", .bool(model.normalizes)),
        ("maximum_tokens", .integer(model.maximumTokens)), ("prompts", .strings(model.promptNames)),
      ]
    case .imageEmbedding(let model):
      [
        ("width", .integer(model.width)), ("normalizes", .bool(model.normalizes)),
        ("preprocessing", .string(model.preprocessing)),
      ]
    }
  }
}

extension Computation {
  fileprivate var json: JSONText {
    .object([
      ("numbers", .string(description)),
      ("kernels", .object(kernels.map { ($0.family, JSONText.string($0.set)) })),
    ])
  }
}

extension NetworkDescription {
  fileprivate var json: JSONText {
    .object([
      ("name", .string(name)), ("inputs", .array(inputs.map(\.json))),
      ("outputs", .array(outputs.map(\.json))),
    ])
  }
}

extension TensorDescription {
  fileprivate var json: JSONText {
    var members: [JSONText.Member] = [
      ("name", .string(name)), ("type", .string(dataType.rawValue)),
      ("shape", .integers(shape.dimensions)),
      ("axes", .array(extents.map(\.json))), ("optional", .bool(isOptional)),
    ]
    if let quantization {
      members.append(("scales", .vector(quantization.scales)))
      members.append(("zero_points", .integers(quantization.zeroPoints.map { Int($0) })))
    }
    return .object(members)
  }
}

extension TensorDescription.Extent {
  /// A number, or the name of an axis that is up to the caller, empty where it has none.
  fileprivate var json: JSONText {
    switch self {
    case .fixed(let count): .integer(count)
    case .free(let name, _, _): .string(name ?? "")
    }
  }
}
