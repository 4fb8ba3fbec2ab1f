import Formats
import Foundation
import Graph
import Kernels
import TensorCore
import TestSupport
import Testing

@testable import Models

/// A file of `Tests/Fixtures/onnx`, which `Tools/fixtures/onnx/make.py` made, with what ONNX Runtime makes of it.
struct ONNXFixture {
  let importer: ONNXImporter
  private let archive: ZipArchive<[UInt8]>

  static var names: [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: Checkout.fixture("onnx").path)) ?? []
    return files.filter { $0.hasSuffix(".onnx") }.map { String($0.dropLast(5)) }.sorted()
  }

  init(_ name: String) throws {
    importer = try ONNXLoader.load(Checkout.fixture("onnx/\(name).onnx").path)
    let bytes = try FileBytes.read(Checkout.fixture("onnx/\(name).npz").path)
    archive = try #require(try ZipArchive.atEnd(of: bytes))
  }

  /// Inputs and outputs of a run: the first, or one with other shapes.
  func run(_ index: Int) throws -> (inputs: [Tensor], outputs: [Tensor])? {
    let prefix = index == 0 ? "" : "\(index)."
    let inputs = try tensors("\(prefix)in")
    return inputs.isEmpty ? nil : (inputs, try tensors("\(prefix)out"))
  }

  private func tensors(_ prefix: String) throws -> [Tensor] {
    var tensors: [Tensor] = []
    while archive.entries.contains(where: { $0.name == "\(prefix)\(tensors.count).npy" }) {
      let name = "\(prefix)\(tensors.count).npy"
      tensors.append(try Npy.tensor(archive.contents(of: name, limit: 1 << 24)))
    }
    return tensors
  }

  /// What Apus makes of inputs.
  func outputs(_ inputs: [Tensor], _ kernels: KernelSet = .best, fuses: Bool = true) throws -> [Tensor] {
    let shapes = Dictionary(uniqueKeysWithValues: inputs.enumerated().map { ($0, $1.shape) })
    var options = CompileOptions()
    (options.kernels, options.fusesOperations) = (kernels, fuses)
    return try Compiler.compile(importer.graph(shapes: shapes, values: [:]), options).run(inputs)
  }
}
