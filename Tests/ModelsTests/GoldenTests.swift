import Formats
import Foundation
import FuzzBodies
import Graph
import Kernels
import Models
import TensorCore
import TestSupport
import Testing

/// Real and single-operator files against TFLite's reference kernels, on every instruction set and for several
/// numbers of threads. Integer results are the reference's bit for bit, floats are within 1e-5 of the largest
/// magnitude, and the number of threads changes nothing.
@Suite(.enabled(if: SharedData.isPresent, "the shared data is absent"), .serialized)
struct GoldenTests {
  static let threadCounts = [1, 2, 7]

  /// The operators in the files that keep state, control the flow, or are custom.
  static let refused: Set = [
    "LSTM", "UNIDIRECTIONAL_SEQUENCE_LSTM", "SVDF", "WHILE", "CALL_ONCE", "VAR_HANDLE", "READ_VARIABLE",
    "ASSIGN_VARIABLE",
  ]

  @Test func listOfFilesIsRead() {
    #expect(GoldenFile.all.count > 150)
  }

  /// A file is refused if and only if it has an operator that Apus shall not run.
  @Test(arguments: GoldenFile.all.filter { $0.archive != nil })
  func equalsReference(file: GoldenFile) throws {
    let isRefused = file.operators.contains { operation in
      operation.hasPrefix("CUSTOM:") || Self.refused.contains { operation.hasPrefix($0 + "v") }
    }
    let cases = try file.readCases()
    #expect(!cases.isEmpty && cases.allSatisfy { !$0.outputs.isEmpty })
    let graph: Graph
    do {
      let importer = try TFLiteLoader.load(file.path)
      graph = try importer.graph(inputShapes: inputShapes(cases, importer.model))
    } catch {
      print("golden: \(isRefused ? "refused" : "FAIL") \(file.name): \(error)")
      #expect(isRefused && (error as? ApusError)?.kind == .unsupportedModel, "\(error)")
      return
    }
    #expect(!isRefused, "\(file.name) has an operator that keeps state, and is not refused")
    let failures = try KernelSet.available.flatMap { try run(graph, cases, $0) }
    print("golden: \(failures.isEmpty ? "pass" : "FAIL") \(file.name) \(failures.first ?? "")")
    #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
  }

  /// What differs from the reference, or from the results with another number of threads.
  private func run(_ graph: Graph, _ cases: [GoldenFile.Case], _ kernels: KernelSet) throws -> [String] {
    var failures: [String] = []
    var first: [[Tensor]] = []
    for threads in Self.threadCounts {
      var options = CompileOptions()
      options.kernels = kernels
      options.threads = threads
      let compiled = try Compiler.compile(graph, options)
      let outputs = try cases.map { try compiled.run($0.inputs) }
      if first.isEmpty { first = outputs }
      for (index, example) in cases.enumerated() {
        let place = "\(kernels.name) on \(threads), \(example.name)"
        #expect(outputs[index].count == example.outputs.count)
        for (output, expected) in zip(outputs[index], example.outputs) {
          if let text = try output.difference(from: expected) { failures.append("\(place): \(text)") }
        }
        let isSame = zip(outputs[index], first[index]).allSatisfy { $0.bytes.elementsEqual($1.bytes) }
        if !isSame { failures.append("\(place): not the result of \(Self.threadCounts[0]) threads") }
      }
    }
    return failures
  }

  /// The shapes of a case's inputs where they are not those of the file.
  private func inputShapes(
    _ cases: [GoldenFile.Case], _ model: TFLiteModel
  ) throws -> [TFLiteInputReference: Shape] {
    var shapes: [TFLiteInputReference: Shape] = [:]
    for (index, port) in try model.interface().inputs.enumerated() {
      guard let given = cases.first?.inputs[index].shape else { continue }
      if model.subgraphs[0].tensors[port.tensor].shape != given { shapes[.position(index)] = given }
    }
    return shapes
  }

  /// Files that TFLite itself refuses or that have no recorded result end in a result or an error.
  @Test(arguments: GoldenFile.all.filter { $0.archive == nil })
  func endsInResultOrError(file: GoldenFile) throws {
    let error = Fuzzing.run(tflite: try FileBytes.read(file.path))
    print("golden: \(error.map { "error \(file.name): \($0)" } ?? "runs \(file.name)")")
    let isRefused = error?.kind == .unsupportedModel
    #expect(isRefused || error == nil || file.failure != nil)
  }
}
