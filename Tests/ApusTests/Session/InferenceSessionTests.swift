import TestSupport
import Testing

@testable import Apus

/// A program that runs models on tensors: what it reads of a model, gives it and gets.
@Suite struct InferenceSessionTests {
  let folder: TemporaryFolder
  let arithmetic: String
  private let left = [1, 2, 3, 4, 5, 6] as [Float]
  private let right = [10, 20, 30, 40, 50, 60] as [Float]

  init() throws {
    folder = try TemporaryFolder()
    arithmetic = try folder.write("arithmetic.tflite", SessionModels.arithmetic())
  }

  private func tensor(_ values: [Float], _ shape: [Int] = [2, 3]) throws -> Tensor {
    try Tensor(values, shape: shape)
  }

  private func numbers(_ outputs: NamedTensors, _ name: String) throws -> [Float] {
    try outputs.tensor(name).elements(of: Float.self)
  }

  private func problem(_ body: () throws(ApusError) -> some Any) -> ApusError? {
    do throws(ApusError) {
      _ = try body()
      return nil
    } catch {
      return error
    }
  }

  @Test func saysWhatAFileTakesAndGives() throws {
    let session = try InferenceSession(arithmetic)
    #expect(session.signatures == ["add", "multiply"])
    #expect(session.networks.map(\.name) == ["main", "add", "multiply"])
    #expect(session.inputs.map(\.name) == ["x", "y"])
    #expect(session.inputs.map(\.innerName) == ["left", "right"])
    #expect(session.outputs.map(\.name) == ["total"])
    let multiply = try #require(session.networks.last)
    #expect(multiply.outputs.map(\.name) == ["area"])
    let input = session.inputs[0]
    #expect(input.dataType == .float32 && input.shape.dimensions == [2, 3] && !input.isOptional)
    #expect(input.extents == [.free(name: nil, stated: 2, limit: nil), .fixed(3)])
    #expect("\(input)" == "x: float32 [?, 3]")
    #expect(session.outputs[0].extents == input.extents)
  }

  @Test func saysWhatIntegersStandFor() throws {
    let session = try InferenceSession(folder.write("q.tflite", SessionModels.quantizing()))
    let stored = try #require(session.outputs.first)
    #expect(stored.dataType == .int8)
    #expect(stored.quantization?.scale == 0.5 && stored.quantization?.zeroPoint == -3)
    let output = try session.blocking.run(["real": Tensor([0, 1, -1, 100] as [Float])])[0].tensor
    #expect(try output.elements(of: Int8.self) == [-3, -1, -5, 127])
    #expect(try output.realNumbers() == [0, 1, -1, 65])
    let again = try Tensor(realNumbers: [0, 1, -1, 100], as: stored.type)
    #expect(try again.elements(of: Int8.self) == [-3, -1, -5, 127])
  }

  @Test(arguments: [["x", "y"], ["left", "right"], ["0", "1"], ["y", "0"]])
  func inputsHaveNames(_ names: [String]) throws {
    let session = try InferenceSession(arithmetic)
    let outputs = try session.blocking.run([names[0]: tensor(left), names[1]: tensor(right)])
    #expect(outputs.names == ["total"] && outputs.count == 1)
    #expect(try numbers(outputs, "total") == [11, 22, 33, 44, 55, 66])
    #expect(outputs["area"] == nil)
    #expect(problem { () throws(ApusError) in try outputs.tensor("area") }?.expected == "one of 'total'")
  }

  @Test func aModelWhoseOwnShapesDoNotGoIsOpenedForOthers() throws {
    let path = try folder.write("unmatched.tflite", SessionModels.unmatched())
    #expect(problem { () throws(ApusError) in try InferenceSession(path) }?.kind == .malformedModel)
    let session = try InferenceSession(path, options: .init(shapes: ["left": [3]]))
    let outputs = try session.blocking.run([Tensor([1, 2, 3] as [Float]), Tensor([10, 20, 30] as [Float])])
    #expect(try numbers(outputs, "sum") == [11, 22, 33])
    let unknown = problem { () throws(ApusError) in
      try InferenceSession(path, options: .init(shapes: ["middle": [3]]))
    }
    #expect(unknown?.kind == .argument)
  }

  @Test func inputsHaveAnOrder() throws {
    let session = try InferenceSession(arithmetic, options: .init(network: "multiply"))
    let outputs = try session.blocking.run([tensor(left), tensor(right)])
    #expect(try numbers(outputs, "area") == [10, 40, 90, 160, 250, 360])
  }

  @Test func networksAreChosenByRun() throws {
    let session = try InferenceSession(arithmetic)
    let inputs = try ["x": tensor(left), "y": tensor(right)]
    #expect(try numbers(session.blocking.run(inputs, network: "multiply"), "area")[0] == 10)
    // The second subgraph, by its position.
    #expect(try numbers(session.blocking.run(inputs, network: "1"), "area")[0] == 10)
    let error = problem { () throws(ApusError) in try session.blocking.run(inputs, network: "divide") }
    #expect(error?.kind == .argument && error?.expected?.contains("add") == true)
    #expect(
      problem { () throws(ApusError) in
        try InferenceSession(arithmetic, options: .init(network: "divide"))
      }?.kind == .argument)
  }

  @Test func wrongInputsAreNamed() throws {
    let session = try InferenceSession(arithmetic)
    let (x, y) = (try tensor(left), try tensor(right))
    let cases: [([String: Tensor], String)] = [
      (["x": x], "no tensor is given for input 1 'y'"), (["x": x, "z": y], "the model has no input 'z'"),
      (["x": x, "y": y, "left": x], "input 0 'x' is given twice"),
      (["x": x, "y": try Tensor([1, 2, 3, 4, 5, 6] as [Int32], shape: [2, 3])], "a tensor int32[2, 3]"),
      (["x": x, "y": try tensor(right, [3, 2])], "a tensor of shape [3, 2]"),
    ]
    for (inputs, expected) in cases {
      let error = problem { () throws(ApusError) in try session.blocking.run(inputs) }
      #expect(error?.kind == .argument)
      #expect(error.map { "\($0)" }?.contains(expected) == true, "\(String(describing: error))")
      #expect(error?.file == arithmetic)
    }
    #expect(
      problem { () throws(ApusError) in try session.blocking.run([x, y, x]) }?.problem == "3 input tensors")
    // What went wrong leaves the session as it was.
    #expect(try numbers(session.blocking.run(["x": x, "y": y]), "total")[0] == 11)
  }

  @Test func otherShapesComeWithTheirTensors() throws {
    let session = try InferenceSession(arithmetic)
    for rows in [1, 4, 2, 4, 9, 1] {
      let values = (0..<rows * 3).map(Float.init)
      let outputs = try session.blocking.run([tensor(values, [rows, 3]), tensor(values, [rows, 3])])
      #expect(outputs[0].tensor.shape.dimensions == [rows, 3])
      #expect(try numbers(outputs, "total") == values.map { 2 * $0 })
    }
  }

  @Test func otherShapesAreMadeReady() throws {
    let session = try InferenceSession(arithmetic)
    let outputs = try session.blocking.prepare(shapes: ["x": [8, 3], "1": [8, 3]])
    #expect(outputs.map(\.shape.dimensions) == [[8, 3]])
    #expect(try session.blocking.prepare().map(\.shape.dimensions) == [[2, 3]])
    #expect(
      problem { () throws(ApusError) in try session.blocking.prepare(shapes: ["z": [8, 3]]) }?.kind
        == .argument)
    #expect(
      problem { () throws(ApusError) in try session.blocking.prepare(shapes: ["x": [8, -3]]) }?.kind
        == .argument)
    #expect(
      problem { () throws(ApusError) in try session.blocking.prepare(shapes: ["x": [8, 5]]) }?.kind
        == .argument)
  }

  @Test func elementsMaySayShapes() throws {
    let session = try InferenceSession(folder.write("r.tflite", SessionModels.reshaping()))
    let data = try Tensor(left)
    for shape in [[2, 3], [3, 2], [6, 1], [2, 3]] as [[Int32]] {
      let outputs = try session.blocking.run(["data": data, "shape": Tensor(shape)])
      #expect(outputs[0].tensor.shape.dimensions == shape.map(Int.init))
      #expect(try outputs[0].tensor.elements(of: Float.self) == left)
    }
  }

  @Test func cancellationStopsBeforeTheNextNode() throws {
    let path = try folder.write("sines.tflite", SessionModels.sines(6, elements: 4))
    let inference = try InferenceSession(path).inference(nil)
    let inputs = ["x": try Tensor([0, 1, 2, 3] as [Float])]
    var asked = 0
    _ = try inference.work(inputs) {
      asked += 1
      return false
    }
    // Once before all, and before each node.
    #expect(asked == 7)
    for last in 1...7 {
      asked = 0
      let error = problem { () throws(ApusError) in
        try inference.work(inputs) {
          asked += 1
          return asked == last
        }
      }
      #expect(error?.kind == .cancelled && asked == last)
    }
  }

  @Test func aCancelledTaskEnds() async throws {
    // A minute of sines.
    let path = try folder.write("sines.tflite", SessionModels.sines(4000, elements: 1 << 20))
    let session = try await InferenceSession.load(path, options: .init(inference: .init(threads: 1)))
    let input = try Tensor([Float](repeating: 0.5, count: 1 << 20))
    let task = Task { () -> ApusError.Kind? in
      do throws(ApusError) {
        _ = try await session.run(["x": input])
        return nil
      } catch {
        return error.kind
      }
    }
    task.cancel()
    #expect(await task.value == .cancelled)
  }

  @Test func concurrentRunsEqualSerialOnes() async throws {
    let session = try await InferenceSession.load(Checkout.modelFolder("vit"))
    let shape = session.inputs[0].shape
    let pictures = try (0..<24).map { (index: Int) throws -> Tensor in
      let values = (0..<shape.elementCount).map { place -> Float in
        Float((place &* (index + 3)) % 97) / 48 - 1
      }
      return try Tensor(values, shape: shape)
    }
    let serial = try pictures.map { try Self.logits(session, $0) }
    let concurrent = await withTaskGroup(of: (Int, [Float]?).self) { group in
      for (index, picture) in pictures.enumerated() {
        group.addTask {
          let outputs = try? await session.run([picture])
          return (index, try? outputs?[0].tensor.elements(of: Float.self))
        }
      }
      return await group.reduce(into: [Int: [Float]?]()) { $0[$1.0] = $1.1 }
    }
    for (index, expected) in serial.enumerated() { #expect(concurrent[index] == expected) }
    var order: [Int] = []
    for await item in session.outputs(of: pictures.map { ["pixel_values": $0] }, width: 3) {
      #expect(try item.result.get()[0].tensor.elements() == serial[item.index])
      order.append(item.index)
    }
    #expect(order == Array(0..<24))
  }

  private static func logits(_ session: InferenceSession, _ picture: Tensor) throws -> [Float] {
    try session.blocking.run([picture])[0].tensor.elements()
  }

  @Test func aProfileHasEachNode() throws {
    let session = try InferenceSession(folder.write("sines.tflite", SessionModels.sines(3, elements: 4)))
    let inputs = ["x": try Tensor([0, 1, 2, 3] as [Float])]
    let profile = try session.blocking.profile(inputs, runs: 5)
    #expect(profile.runs == 5)
    #expect(profile.nodes.map(\.name) == (0..<3).map { "operator \($0) (SIN)" })
    #expect(profile.nodes.allSatisfy { $0.time >= .zero && !$0.kernel.isEmpty && !$0.operation.isEmpty })
    let sum = profile.nodes.map(\.time).reduce(.zero, +)
    #expect(abs((profile.totalTime - sum) / .nanoseconds(1)) < 1e-3)
    #expect(
      try profile.outputs[0].tensor.elements(of: Float.self)
        == session.blocking.run(inputs)[0].tensor.elements())
    #expect(
      problem { () throws(ApusError) in try session.blocking.profile(inputs, runs: 0) }?.kind == .argument)
  }

  @Test func missingFilesAndModelsAreSaid() {
    #expect(problem { () throws(ApusError) in try InferenceSession("nowhere.tflite") }?.kind == .file)
    #expect(
      problem { () throws(ApusError) in
        try InferenceSession(arithmetic, options: .init(inference: .init(threads: 0)))
      }?.kind == .argument)
  }
}
