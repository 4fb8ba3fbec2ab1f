import Apus
import CApus
import CLibrary

/// The runs of a session that callers made of late, each found again by what they pass: nothing is allocated for that.
final class DirectRuns: Sendable {
  /// A run, and for whom it is.
  struct Entry: Sendable {
    let request: RunRequest
    let run: DirectRun
    /// Of each input of the network the place in what the caller passes.
    let order: [Int]
  }

  private let session: InferenceSession
  private let entries = Guarded<[Entry]>([])
  private static let capacity = 8

  init(_ session: InferenceSession) { self.session = session }

  /// The run for what a caller passes; nil where there is none.
  func known(_ network: UnsafePointer<CChar>?, _ inputs: SizedStructs<apus_tensor>) -> Entry? {
    entries.withLock { entries in entries.last { $0.request.matches(network, inputs) } }
  }

  /// The run, made if there is none; nil where the network cannot run on tensors as they are.
  /// - Throws: ``ApusError`` of kind `argument` for what callers pass.
  func entry(
    _ network: UnsafePointer<CChar>?, _ inputs: SizedStructs<apus_tensor>
  ) throws(ApusError) -> Entry? {
    if let known = known(network, inputs) { return known }
    let request = try RunRequest(network, inputs)
    let name = network.map { String(cString: $0) }
    let stated = try session.inputs(of: name)
    guard let order = request.order(in: stated) else { return nil }
    guard let run = try session.directRun(order.map { request.inputs[$0].type }, network: name) else {
      return nil
    }
    let entry = Entry(request: request, run: run, order: order)
    entries.withLock { entries in
      if entries.count >= Self.capacity { entries.removeFirst() }
      entries.append(entry)
    }
    return entry
  }
}

/// What a caller passes for a run, but for the elements.
struct RunRequest: Sendable {
  struct Input: Sendable {
    /// With its NUL; nil for one without a name.
    let name: [CChar]?
    let code: Int32
    let dimensions: [Int64]
    let type: TensorType

    func matches(_ tensor: UnsafePointer<apus_tensor>) -> Bool {
      guard tensor.pointee.type == code, Int(tensor.pointee.rank) == dimensions.count,
        RunRequest.isSame(name, tensor.pointee.name)
      else { return false }
      return withUnsafeBytes(of: tensor.pointee.dimensions) { found in
        let found = found.bindMemory(to: Int64.self)
        return dimensions.indices.allSatisfy { found[$0] == dimensions[$0] }
      }
    }
  }

  let network: [CChar]?
  let inputs: [Input]

  init(_ network: UnsafePointer<CChar>?, _ tensors: SizedStructs<apus_tensor>) throws(ApusError) {
    self.network = network.map(Self.bytes)
    var inputs: [Input] = []
    for index in 0..<tensors.count {
      let tensor = tensors[index].pointee
      let type = try tensor.type(of: "input \(index)")
      inputs.append(
        Input(
          name: tensor.name.map(Self.bytes), code: tensor.type,
          dimensions: type.shape.dimensions.map(Int64.init), type: type))
    }
    self.inputs = inputs
  }

  func matches(_ network: UnsafePointer<CChar>?, _ tensors: SizedStructs<apus_tensor>) -> Bool {
    guard inputs.count == tensors.count, Self.isSame(self.network, network) else { return false }
    for (index, input) in inputs.enumerated() where !input.matches(tensors[index]) { return false }
    return true
  }

  /// Of each input of a network the place here; nil unless each is here once, by its name or by its place.
  func order(in stated: [TensorDescription]) -> [Int]? {
    guard stated.count == inputs.count else { return nil }
    var order: [Int] = []
    for (position, description) in stated.enumerated() {
      let place = inputs.indices.first { index in
        guard let name = inputs[index].name else { return index == position }
        return Self.isSame(name, description.name) || Self.isSame(name, description.innerName)
      }
      guard let place, !order.contains(place) else { return nil }
      order.append(place)
    }
    return order
  }

  static func bytes(_ text: UnsafePointer<CChar>) -> [CChar] {
    Array(UnsafeBufferPointer(start: text, count: strlen(text) + 1))
  }

  /// Whether both are the same text, or none.
  static func isSame(_ known: [CChar]?, _ text: UnsafePointer<CChar>?) -> Bool {
    guard let known, let text else { return known == nil && text == nil }
    return known.withUnsafeBufferPointer { $0.baseAddress.map { strcmp($0, text) == 0 } ?? false }
  }

  private static func isSame(_ known: [CChar], _ text: String) -> Bool {
    text.withCString { isSame(known, $0) }
  }
}

extension InferenceSession {
  /// What a network takes.
  /// - Throws: ``ApusError`` of kind `argument` when there is no such network, or several may be meant.
  func inputs(of network: String?) throws(ApusError) -> [TensorDescription] {
    try description(of: network).inputs
  }

  /// What a network gives.
  func outputs(of network: String?) throws(ApusError) -> [TensorDescription] {
    try description(of: network).outputs
  }

  private func description(
    of network: String?
  ) throws(ApusError) -> (inputs: [TensorDescription], outputs: [TensorDescription]) {
    let known = networks
    if let network {
      let wanted = Array(network.utf8)
      if let found = known.first(where: { Array($0.name.utf8) == wanted }) {
        return (found.inputs, found.outputs)
      }
    } else if !inputs.isEmpty || known.isEmpty {
      return (inputs, outputs)
    }
    let names = known.map { "'\($0.name)'" }.joined(separator: ", ")
    throw ApusError(
      .argument, network.map { "the model has no network '\($0)'" } ?? "no network is named",
      expected: known.isEmpty ? "none" : "one of \(names)", file: path)
  }
}
