import Apus
import TestSupport
import Testing

/// Runs on the caller's memory; ONNX Runtime's numbers are in `Fixtures/bindings/linear.txt`.
@Suite struct DirectRunTests {
  private static let path = Checkout.fixture("bindings/linear.onnx").path

  private func outputs(_ run: DirectRun, _ numbers: [Float]) throws -> (TensorType, [Float]) {
    var found: (TensorType, [Float])?
    try numbers.withUnsafeBytes { bytes in
      try run.run(
        input: { _ in bytes }, until: { false },
        output: { _, type, bytes in found = (type, Array(bytes.bindMemory(to: Float.self))) })
    }
    return try #require(found)
  }

  @Test(arguments: [1, 2, 5])
  func bytesAreThoseOfARun(_ rows: Int) throws {
    let session = try InferenceSession(Self.path)
    let numbers = (0..<(rows * 64)).map { Float($0 % 17) / 7 }
    let tensor = try Tensor(numbers, shape: [rows, 64])
    let run = try #require(try session.directRun([tensor.type]))
    #expect(run.inputs.map(\.name) == ["x"] && run.outputs.map(\.name) == ["y"])
    let (type, found) = try outputs(run, numbers)
    let expected = try session.blocking.run(["x": tensor])[0].tensor
    #expect(type.shape == expected.shape)
    #expect(try found == expected.elements(of: Float.self))
  }

  @Test func whatDoesNotFitIsRefused() throws {
    let session = try InferenceSession(Self.path)
    let run = try #require(try session.directRun([session.inputs[0].type]))
    #expect(throws: ApusError.self) { try outputs(run, [Float](repeating: 0, count: 63)) }
    let numbers = [Float](repeating: 0, count: 64)
    let error = #expect(throws: ApusError.self) {
      try numbers.withUnsafeBytes { bytes in
        try run.run(input: { _ in bytes }, until: { true }, output: { _, _, _ in })
      }
    }
    #expect(error?.kind == .cancelled)
    #expect(throws: ApusError.self) { try session.directRun([session.inputs[0].type], network: "none") }
    // Another type, or another number of inputs, is for runs that make tensors of them, or refuse them.
    let other = TensorType(.int32, session.inputs[0].shape)
    #expect(try session.directRun([other]).map(\.inputs.count) == nil)
    #expect(try session.directRun([]).map(\.inputs.count) == nil)
  }

  /// A folder's tokens are laid out anew for a run.
  @Test func foldersHaveNone() throws {
    let session = try InferenceSession(Checkout.modelFolder("bert-sentence"))
    #expect(try session.directRun(session.inputs.map(\.type)).map(\.inputs.count) == nil)
  }

  /// Waiting calls stop where their program says so, without a task.
  @Test func waitingCallsStopWithoutTasks() throws {
    let embedder = try TextEmbedder(Checkout.modelFolder("bert-sentence"))
    #expect(try embedder.blocking { false }.embed("a").values == embedder.blocking.embed("a").values)
    let error = #expect(throws: ApusError.self) { try embedder.blocking { true }.embed("a") }
    #expect(error?.kind == .cancelled)
    let each = try embedder.blocking.results(for: ["a", "b"])
    #expect(try each.map { try $0.get().values } == embedder.blocking.embed(["a", "b"]).map(\.values))
  }

  @Test func modelsTellWhileTheyAreOpened() throws {
    var stages: [LoadStage?] = []
    _ = try TextEmbedder(
      Checkout.modelFolder("bert-sentence"), options: .standard, progress: { stages.append($0.stage) },
      until: { false })
    #expect(stages == [.open, .tokenizer, .text, nil])
    let error = #expect(throws: ApusError.self) {
      try TextEmbedder(
        Checkout.modelFolder("bert-sentence"), options: .standard, progress: nil, until: { true })
    }
    #expect(error?.kind == .cancelled)
  }
}
