import Apus
import CApus
import CLibrary

/// The runs of a session that callers made of late, each found again by what they pass: nothing is allocated for that.
final class DirectRuns: Sendable {
  /// A run, and for whom it is.
  final class Entry: Sendable {
    let request: RunRequest
    let run: DirectRun
    /// Of each input of the network the place in what the caller passes, and its bytes.
    let inputs: [(place: Int, byteCount: Int)]
    /// Of each output of the network the places where the caller wants it.
    let wanted: [[Int]]

    init(_ request: RunRequest, _ run: DirectRun, order: [Int]) throws(ApusError) {
      (self.request, self.run) = (request, run)
      inputs = zip(order, run.inputs).map { ($0, $1.type.byteCount) }
      wanted = try request.wanted(of: run.outputs.map { [$0.name, $0.innerName] })
    }
  }

  private let session: InferenceSession
  private let entries = Guarded<[Entry]>([])
  private static let capacity = 8

  init(_ session: InferenceSession) { self.session = session }

  /// The run for what a caller passes; nil where there is none.
  private func known(
    _ network: UnsafePointer<CChar>?, _ inputs: SizedStructs<apus_tensor>,
    _ results: SizedStructs<apus_tensor>
  ) -> Entry? {
    entries.withLock { entries in
      for entry in entries where entry.request.matches(network, inputs, results) { return entry }
      return nil
    }
  }

  /// The run, made if there is none; nil where the network cannot run on tensors as they are.
  /// - Throws: ``ApusError`` of kind `argument` for what callers pass.
  func entry(
    _ network: UnsafePointer<CChar>?, _ inputs: SizedStructs<apus_tensor>,
    _ results: SizedStructs<apus_tensor>
  ) throws(ApusError) -> Entry? {
    if let known = known(network, inputs, results) { return known }
    let request = try RunRequest(network, inputs, results)
    let name = network.map { String(cString: $0) }
    let stated = try session.inputs(of: name)
    guard let order = request.order(in: stated) else { return nil }
    let types = order.map { request.inputs[$0].type }
    guard let run = try session.directRun(types, network: name) else { return nil }
    let entry = try Entry(request, run, order: order)
    entries.withLock { entries in
      // The newest first: it is asked for again.
      if entries.count >= Self.capacity { entries.removeLast() }
      entries.insert(entry, at: 0)
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
  /// The names of what is wanted.
  let results: [[CChar]?]

  init(
    _ network: UnsafePointer<CChar>?, _ tensors: SizedStructs<apus_tensor>,
    _ results: SizedStructs<apus_tensor>
  ) throws(ApusError) {
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
    self.results = (0..<results.count).map { results[$0].pointee.name.map(Self.bytes) }
  }

  func matches(
    _ network: UnsafePointer<CChar>?, _ tensors: SizedStructs<apus_tensor>,
    _ wanted: SizedStructs<apus_tensor>
  ) -> Bool {
    guard inputs.count == tensors.count, results.count == wanted.count, Self.isSame(self.network, network)
    else { return false }
    for index in inputs.indices where !inputs[index].matches(tensors[index]) { return false }
    for index in results.indices where !Self.isSame(results[index], wanted[index].pointee.name) {
      return false
    }
    return true
  }

  /// Of each output of a network, by the names that it has, the places where it is wanted.
  /// - Throws: ``ApusError`` of kind `argument` for what the network does not give.
  func wanted(of outputs: [[String]]) throws(ApusError) -> [[Int]] {
    var wanted = [[Int]](repeating: [], count: outputs.count)
    for (index, name) in results.enumerated() {
      let found = outputs.indices.first { output in
        name.map { name in outputs[output].contains { Self.isSame(name, $0) } } ?? (output == index)
      }
      guard let found else {
        throw ApusError(
          .argument,
          name.map {
            "the model has no output '\(String(decoding: $0.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))'"
          }
            ?? "\(results.count) results",
          expected: "one of \(outputs.map { "'\($0[0])'" }.joined(separator: ", "))",
          at: "result \(index)")
      }
      wanted[found].append(index)
    }
    return wanted
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
