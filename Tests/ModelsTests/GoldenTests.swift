import Formats
import Foundation
import Graph
import Kernels
import Models
import TensorCore
import TestSupport
import Testing

/// Real and single-operator files against TFLite's reference kernels: integer results bit for bit, floats
/// within 1e-5 of the largest magnitude, on every instruction set and for several numbers of threads.
@Suite(.enabled(if: SharedData.isPresent, "the shared data is absent"), .serialized)
struct GoldenTests {
  static let threadCounts = [1, 2, 7]

  @Test func listOfFilesIsRead() {
    #expect(GoldenFile.all.count > 150)
  }

  /// A file is refused if and only if it has an operator or an element type that Apus does not run.
  @Test(arguments: GoldenFile.all.filter { $0.archive != nil })
  func equalsReference(file: GoldenFile) throws {
    let isSupported = file.operators.allSatisfy(GoldenTests.isSupported)
    let importer: TFLiteImporter
    let graph: Graph
    do {
      importer = try TFLiteLoader.load(file.path).importer
      graph = try importer.graph(inputShapes: try inputShapes(file, importer.model))
    } catch {
      let refusal = error as? ApusError
      print("golden: \(isSupported ? "FAIL" : "refused") \(file.name): \(error)")
      #expect(!isSupported && refusal?.kind == .unsupportedModel, "\(error)")
      return
    }
    #expect(isSupported, "\(file.name) has an operator that is not in the table, and is not refused")
    var failures: [String] = []
    for kernels in KernelSet.available {
      for threads in Self.threadCounts {
        failures += try run(file, graph, kernels, threads: threads).map {
          "\(kernels.name)×\(threads): \($0)"
        }
      }
    }
    print("golden: \(failures.isEmpty ? "pass" : "FAIL") \(file.name) \(failures.first ?? "")")
    #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
  }

  /// What differs from the reference, by case and output.
  private func run(
    _ file: GoldenFile, _ graph: Graph, _ kernels: KernelSet, threads: Int
  ) throws -> [String] {
    var options = CompileOptions()
    options.kernels = kernels
    options.threads = threads
    do {
      let compiled = try Compiler.compile(graph, options)
      var failures: [String] = []
      for name in file.cases {
        let (inputs, expected) = try file.arrays(of: name)
        let outputs = try compiled.run(inputs)
        #expect(outputs.count == expected.count)
        for (index, pair) in zip(outputs, expected).enumerated() {
          if let text = try pair.0.difference(from: pair.1) {
            failures.append("\(name).out\(index): \(text)")
          }
        }
      }
      return failures
    } catch let error as ApusError {
      return ["\(error)"]
    }
  }

  /// The shapes of a case's inputs where they are not those of the file.
  private func inputShapes(
    _ file: GoldenFile, _ model: TFLiteModel
  ) throws -> [TFLiteInputReference: Shape] {
    let inputs = try file.arrays(of: file.cases.first ?? "").inputs
    let ports = try model.interface().inputs
    var shapes: [TFLiteInputReference: Shape] = [:]
    for (index, (port, tensor)) in zip(ports, inputs).enumerated()
    where model.subgraphs[0].tensors[port.tensor].shape != tensor.shape {
      shapes[.position(index)] = tensor.shape
    }
    return shapes
  }

  /// Whether an operator with its version, such as `CONV_2Dv3`, is one that Apus runs.
  static func isSupported(_ name: String) -> Bool {
    guard let version = name.lastIndex(of: "v") else { return false }
    return TFLiteOperators.names.contains(String(name[..<version]))
  }

  /// Files that TFLite itself refuses or that have no recorded result end in a result or an error.
  @Test(arguments: GoldenFile.all.filter { $0.archive == nil })
  func endsInResultOrError(file: GoldenFile) throws {
    let error = fuzzImport(try FileBytes.read(file.path))
    print("golden: \(error.map { "error \(file.name): \($0)" } ?? "runs \(file.name)")")
    let isRefused = error?.kind == .unsupportedModel
    #expect(isRefused || error == nil || file.failure != nil)
  }
}
