import Foundation
import Graph
import TensorCore
import TestSupport
import Testing

/// Constants that lie in a mapped file are read where they are; a file that shrinks gives an error, not numbers.
@Suite struct MappedConstantTests {
  private static let rows = 4096
  private static let width = 8
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    let table = (0..<Self.rows * Self.width).map { Float($0) }
    path = try folder.write("table", SafetensorsBuilder.bytes(table))
  }

  private func graph() throws -> Graph {
    let file = try MappedFile(path)
    let type = TensorType(.float32, try Shape([Self.rows, Self.width]))
    var builder = GraphBuilder()
    let table = builder.constant("table", try Tensor(type, storage: file.storage))
    let ids = builder.input("ids", TensorType(.int32, try Shape([1])))
    builder.output(try builder.add(EmbeddingRows(), [table, ids], results: [.init("y")], label: "embed")[0])
    return builder.graph
  }

  private func ids(_ id: Int32) throws -> Tensor { try Tensor([id], shape: .vector(1)) }

  @Test func aFileCutShortFailsTheRunThatReadsIt() throws {
    let compiled = try Compiler.compile(try graph())
    let workspace = try compiled.makeWorkspace()
    try workspace.setInputs([try ids(4000)])
    try workspace.run()
    #expect(try workspace.output(0).elements() == (0..<Self.width).map { Float(4000 * Self.width + $0) })
    #expect(truncate(path, 4096) == 0)
    // What the file still has is read without harm.
    try workspace.setInputs([try ids(3)])
    try workspace.run()
    #expect(try workspace.output(0).elements() == (0..<Self.width).map { Float(3 * Self.width + $0) })
    // Every run after the damage fails too, also of another workspace.
    for id in [4000, 3] as [Int32] {
      let other = try compiled.makeWorkspace()
      try other.setInputs([try ids(id)])
      let error = #expect(throws: ApusError.self) { try other.run() }
      #expect(error?.kind == .file)
      #expect(error?.file == path)
    }
  }

  /// The negative of the table, made a row at a time; the whole is not made.
  private func derived(_ file: MappedFile) throws -> Tensor {
    let type = TensorType(.float32, try Shape([Self.rows, Self.width]))
    let source = try Tensor(type, storage: file.storage)
    let write = { @Sendable (first: Int, count: Int, target: UnsafeMutableRawPointer) in
      source.withBytes { bytes in
        let target = target.assumingMemoryBound(to: Float.self)
        for index in 0..<count {
          target[index] = -bytes.loadUnaligned(fromByteOffset: 4 * (first + index), as: Float.self)
        }
      }
    }
    let rows = DerivedRows(scratchByteCount: 0) { row, target, _ in
      write(row * Self.width, Self.width, target)
    }
    let derivation = Derivation(from: [source], rule: [], rows: rows) { target in
      if let base = target.baseAddress { write(0, Self.rows * Self.width, base) }
    }
    return try Tensor(type, storage: TensorStorage(byteCount: type.byteCount, derivedBy: derivation))
  }

  @Test(arguments: [0, 96])
  func aDerivedTableIsReadARowAtATime(_ first: Int) throws {
    let whole = try derived(try MappedFile(path))
    let type = TensorType(.float32, try Shape([Self.rows - first, Self.width]))
    let table = try Tensor(type, storage: whole.storage, byteOffset: 4 * first * Self.width)
    var builder = GraphBuilder()
    let constant = builder.constant("table", table)
    let ids = builder.input("ids", TensorType(.int32, try Shape([1])))
    builder.output(
      try builder.add(EmbeddingRows(), [constant, ids], results: [.init("y")], label: "embed")[0])
    let compiled = try Compiler.compile(builder.graph)
    let workspace = try compiled.makeWorkspace()
    try workspace.setInputs([try self.ids(3000)])
    try workspace.run()
    let expected = (0..<Self.width).map { -Float((3000 + first) * Self.width + $0) }
    #expect(try workspace.output(0).elements() == expected)
    let derivation = try #require(whole.storage.derivation)
    #expect(derivation.isPending)
    #expect(compiled.mappedByteCount == 4 * Self.rows * Self.width && compiled.constantStorages.isEmpty)
    // The same elements, all of them.
    let elements: [Float] = try table.elements()
    #expect(Array(elements[(3000 * Self.width)...].prefix(Self.width)) == expected && !derivation.isPending)
    #expect(truncate(path, 4096) == 0)
    try workspace.setInputs([try self.ids(3900)])
    let error = #expect(throws: ApusError.self) { try workspace.run() }
    #expect(error?.kind == .file && error?.file == path)
  }

  @Test func aFileCutShortBeforeCompilingFailsWhenItsWeightsArePacked() throws {
    let file = try MappedFile(path)
    let type = TensorType(.float32, try Shape([Self.rows, Self.width]))
    var builder = GraphBuilder()
    let x = builder.input("x", TensorType(.float32, try Shape([1, Self.width])))
    let weight = builder.constant("weight", try Tensor(type, storage: file.storage))
    builder.output(
      try builder.add(Linear(hasBias: false), [x, weight], results: [.init("y")], label: "linear")[0])
    #expect(truncate(path, 4096) == 0)
    let error = #expect(throws: ApusError.self) {
      let compiled = try Compiler.compile(builder.graph)
      _ = try compiled.run([
        try Tensor([Float](repeating: 1, count: Self.width), shape: Shape([1, Self.width]))
      ])
    }
    #expect(error?.kind == .file)
  }
}
