import Apus
import CApus
import CLibrary

public typealias TensorsPlace = UnsafeMutablePointer<UnsafeMutablePointer<apus_tensors>?>?

@c @implementation
public func apus_inputs(
  _ model: OpaquePointer?, _ network: UnsafePointer<CChar>?, _ inputs: TensorsPlace, _ error: ErrorPlace
) -> apus_status {
  Entry.call(error) { () throws(ApusError) in
    let session = try TensorCalls.session(model).session
    let inputs = try Arguments.place(inputs, "inputs")
    inputs.pointee = try TensorList(session.inputs(of: Arguments.name(network))).block()
  }
}

@c @implementation
public func apus_outputs(
  _ model: OpaquePointer?, _ network: UnsafePointer<CChar>?, _ shapes: UnsafePointer<apus_tensor>?,
  _ count: Int64, _ outputs: TensorsPlace, _ error: ErrorPlace
) -> apus_status {
  Entry.call(error) { () throws(ApusError) in
    let session = try TensorCalls.session(model).session
    let outputs = try Arguments.place(outputs, "outputs")
    let network = Arguments.name(network)
    let tensors = try apus_tensor.places(shapes, count, "shapes")
    guard tensors.count > 0 else {
      outputs.pointee = try TensorList(session.outputs(of: network)).block()
      return
    }
    var shapes: [String: [Int]] = [:]
    for index in 0..<tensors.count {
      let name = Arguments.name(tensors[index].pointee.name) ?? "\(index)"
      shapes[name] = try tensors[index].pointee.shape(of: "input '\(name)'")
    }
    let given = try session.blocking.prepare(shapes: shapes, network: network)
    outputs.pointee = try TensorList(given).block()
  }
}

@c @implementation
public func apus_run(
  _ model: OpaquePointer?, _ network: UnsafePointer<CChar>?, _ inputs: UnsafePointer<apus_tensor>?,
  _ input_count: Int64, _ results: UnsafeMutablePointer<apus_tensor>?, _ result_count: Int64,
  _ call: UnsafePointer<apus_call>?, _ error: ErrorPlace
) -> apus_status {
  Entry.call(error) { () throws(ApusError) in
    let handle = try TensorCalls.session(model)
    let inputs = try apus_tensor.places(inputs, input_count, "inputs")
    let wanted = try apus_tensor.places(UnsafePointer(results), result_count, "results")
    let call = try call.map { (call) throws(ApusError) in try WatchedCall(call) }
    let places = OutputPlaces(results, stride: wanted.stride)
    try handle.handle.recorded(1) { () throws(ApusError) in
      if let entry = try handle.runs.entry(network, inputs, wanted) {
        try TensorCalls.run(entry, inputs, call) { (index, type, bytes) throws(ApusError) in
          for place in entry.wanted[index] { try places.write(place, type, bytes) }
        }
        return
      }
      let request = try RunRequest(network, inputs, wanted)
      let stated = try handle.session.outputs(of: Arguments.name(network))
      let wanted = try request.wanted(of: stated.map { [$0.name, $0.innerName] })
      let given = try TensorCalls.run(handle.session, network, inputs, call)
      for (index, output) in given.enumerated() where index < wanted.count {
        try output.tensor.withBytes { (bytes) throws(ApusError) in
          for place in wanted[index] { try places.write(place, output.tensor.type, bytes) }
        }
      }
    }
  }
}

@c @implementation
public func apus_run_all(
  _ model: OpaquePointer?, _ network: UnsafePointer<CChar>?, _ inputs: UnsafePointer<apus_tensor>?,
  _ input_count: Int64, _ call: UnsafePointer<apus_call>?, _ results: TensorsPlace, _ error: ErrorPlace
) -> apus_status {
  Entry.call(error) { () throws(ApusError) in
    let handle = try TensorCalls.session(model)
    let results = try Arguments.place(results, "results")
    let inputs = try apus_tensor.places(inputs, input_count, "inputs")
    let call = try call.map { (call) throws(ApusError) in try WatchedCall(call) }
    let given = try handle.handle.recorded(1) { () throws(ApusError) in
      try TensorCalls.run(handle.session, network, inputs, call)
    }
    results.pointee = try TensorList(given).block()
  }
}

private enum TensorCalls {
  static func session(
    _ model: OpaquePointer?
  ) throws(ApusError) -> (handle: ModelHandle, session: InferenceSession, runs: DirectRuns) {
    let handle = try HandleTable.shared.object(model, ModelHandle.self)
    guard case .tensors(let session) = handle.model, let runs = handle.runs else {
      throw handle.model.misfit(.tensors)
    }
    return (handle, session, runs)
  }

  /// Runs a network that reads the caller's memory.
  static func run(
    _ entry: DirectRuns.Entry, _ inputs: SizedStructs<apus_tensor>, _ call: WatchedCall?,
    output: (Int, TensorType, UnsafeRawBufferPointer) throws(ApusError) -> Void
  ) throws(ApusError) {
    for position in entry.inputs.indices {
      let (place, byteCount) = entry.inputs[position]
      try checkElements(inputs[place], byteCount, position) { entry.run.inputs[position].type }
    }
    try entry.run.run(
      input: { position in
        let (place, byteCount) = entry.inputs[position]
        return UnsafeRawBufferPointer(start: inputs[place].pointee.data, count: byteCount)
      },
      until: { () -> Bool in
        guard let call else {
          ForkGate.pass()
          return false
        }
        return call.isCancelled()
      }, output: output)
  }

  private static func checkElements(
    _ tensor: UnsafePointer<apus_tensor>, _ byteCount: Int, _ position: Int, _ type: () -> TensorType
  ) throws(ApusError) {
    guard tensor.pointee.byte_count >= byteCount else {
      throw ApusError(
        .argument, "\(tensor.pointee.byte_count) bytes for a tensor \(type())", expected: "\(byteCount)",
        at: "input \(position)")
    }
    guard byteCount == 0 || tensor.pointee.data != nil else {
      throw Arguments.missing("the data of input \(position)")
    }
  }

  /// Runs any network, by tensors over the caller's memory.
  static func run(
    _ session: InferenceSession, _ network: UnsafePointer<CChar>?, _ inputs: SizedStructs<apus_tensor>,
    _ call: WatchedCall?
  ) throws(ApusError) -> NamedTensors {
    var tensors: [String: Tensor] = [:]
    for index in 0..<inputs.count {
      let name = Arguments.name(inputs[index].pointee.name) ?? "\(index)"
      let type = try inputs[index].pointee.type(of: "input '\(name)'")
      try checkElements(inputs[index], type.byteCount, index) { type }
      guard tensors[name] == nil else { throw ApusError(.argument, "input '\(name)' is given twice") }
      tensors[name] = try tensor(type, inputs[index].pointee.data)
    }
    let waiting = session.blocking { () -> Bool in
      guard let call else {
        ForkGate.pass()
        return false
      }
      return call.isCancelled()
    }
    return try waiting.run(tensors, network: Arguments.name(network))
  }

  /// A tensor over the caller's memory, or a copy where that lies at an odd address.
  private static func tensor(
    _ type: TensorType, _ data: UnsafeMutableRawPointer?
  ) throws(ApusError) -> Tensor {
    let bytes = UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : type.byteCount)
    guard Int(bitPattern: data) % type.dataType.byteCount == 0 else {
      return try Tensor(type, copying: bytes)
    }
    return try Tensor(type, bytesNoCopy: bytes) { _ in }
  }
}

/// The memory that a caller has for outputs.
private struct OutputPlaces {
  private let start: UnsafeMutableRawPointer?
  private let stride: Int

  init(_ results: UnsafeMutablePointer<apus_tensor>?, stride: Int) {
    (start, self.stride) = (results.map { UnsafeMutableRawPointer($0) }, stride)
  }

  /// Writes an output to a place that is there.
  /// - Throws: ``ApusError`` of kind `argument` where there is no room, with what is needed left in the struct.
  func write(_ index: Int, _ type: TensorType, _ bytes: UnsafeRawBufferPointer) throws(ApusError) {
    guard let start else { return }
    let place = (start + index * stride).assumingMemoryBound(to: apus_tensor.self)
    try place.pointee.set(type)
    guard bytes.count <= place.pointee.byte_count, bytes.isEmpty || place.pointee.data != nil else {
      let room = place.pointee.byte_count
      place.pointee.byte_count = Int64(bytes.count)
      throw ApusError(
        .argument, "room for \(room) bytes", expected: "\(bytes.count) for \(type)", at: "result \(index)")
    }
    if let data = place.pointee.data, let first = bytes.baseAddress {
      data.copyMemory(from: first, byteCount: bytes.count)
    }
  }
}
