import Apus
import Foundation
import Synchronization
import TestSupport
import Testing

/// Tensors as a program makes and reads them.
@Suite struct TensorTests {
  /// How often memory was given back.
  private final class Releases: Sendable {
    let count = Mutex(0)
    func add() { count.withLock { $0 += 1 } }
    var total: Int { count.withLock { $0 } }
  }

  @Test func arraysAndScalars() throws {
    let matrix = try Tensor([1, 2, 3, 4, 5, 6] as [Float], shape: [2, 3])
    #expect(matrix.dataType == .float32 && matrix.shape.dimensions == [2, 3])
    #expect(try matrix.elements(of: Float.self) == [1, 2, 3, 4, 5, 6])
    #expect(try Tensor([7, 8] as [Int32]).shape.dimensions == [2])
    #expect(try Tensor(scalar: 2.5).shape == .scalar)
    #expect(try Tensor([0.5, -2] as [Float16]).elements(of: Float16.self) == [0.5, -2])
    #expect(try matrix.reshaped(to: [3, 2]).shape.dimensions == [3, 2])
    let failures: [() throws -> Any] = [
      { try Tensor([1, 2] as [Float], shape: [3]) }, { try Tensor([] as [Float], shape: [-1]) },
      { try matrix.elements(of: Int32.self) }, { try matrix.reshaped(to: [7]) },
      { try Tensor([] as [Float], shape: [1 << 40, 1 << 40]) },
    ]
    for failure in failures {
      #expect { try failure() } throws: { ($0 as? ApusError)?.kind == .argument }
    }
  }

  @Test func memoryIsUsedWhereItLies() throws {
    let releases = Releases()
    let memory = UnsafeMutableBufferPointer<Float>.allocate(capacity: 6)
    _ = memory.initialize(from: [1, 2, 3, 4, 5, 6])
    let type = try TensorType(.float32, Shape([2, 3]))
    let address = UnsafeRawPointer(memory.baseAddress)
    do {
      let tensor = try Tensor(type, bytesNoCopy: UnsafeRawBufferPointer(memory)) {
        $0.deallocate()
        releases.add()
      }
      #expect(tensor.withBytes { $0.baseAddress } == address)
      let other = try tensor.reshaped(to: [6])
      #expect(other.withBytes { $0.baseAddress } == address)
      #expect(try other.elements(of: Float.self) == [1, 2, 3, 4, 5, 6])
      #expect(releases.total == 0)
    }
    #expect(releases.total == 1)
  }

  @Test func memoryLivesAsLongAsARunNeedsIt() async throws {
    let folder = try TemporaryFolder()
    let session = try await InferenceSession.load(
      folder.write("sines.tflite", SessionModels.sines(40, elements: 1 << 16)))
    let releases = Releases()
    let type = try TensorType(.float32, Shape([1 << 16]))
    func start() throws -> Task<[Float], any Error> {
      let memory = UnsafeMutableBufferPointer<Float>.allocate(capacity: 1 << 16)
      memory.initialize(repeating: 0.25)
      let tensor = try Tensor(type, bytesNoCopy: UnsafeRawBufferPointer(memory)) {
        $0.deallocate()
        releases.add()
      }
      return Task { try await session.run([tensor])[0].tensor.elements() }
    }
    let tasks = try (0..<8).map { _ in try start() }
    let expected = try await session.run([Tensor([Float](repeating: 0.25, count: 1 << 16))])
    for task in tasks { #expect(try await task.value == expected[0].tensor.elements()) }
  }

  @Test func memoryThatDoesNotFitStaysTheCallers() throws {
    let releases = Releases()
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 32, alignment: 16)
    defer { bytes.deallocate() }
    bytes.initializeMemory(as: UInt8.self, repeating: 2)
    let cases: [(DataType, Range<Int>)] = [(.float32, 0..<31), (.float32, 1..<17), (.bool, 0..<4)]
    for (dataType, range) in cases {
      let type = try TensorType(dataType, Shape([4]))
      #expect {
        try Tensor(type, bytesNoCopy: UnsafeRawBufferPointer(rebasing: bytes[range])) { _ in releases.add() }
      } throws: { ($0 as? ApusError)?.kind == .argument }
    }
    #expect(releases.total == 0)
    let empty = try TensorType(.float32, Shape([0]))
    _ = try Tensor(empty, bytesNoCopy: UnsafeRawBufferPointer(start: nil, count: 0)) { _ in releases.add() }
    #expect(releases.total == 1)
  }

  @Test func bytesAreCopied() throws {
    var numbers = [1, -2, 3] as [Int16]
    let type = try TensorType(.int16, Shape([3]))
    let tensor = try numbers.withUnsafeBytes { try Tensor(type, copying: $0) }
    numbers[0] = 9
    #expect(try tensor.elements(of: Int16.self) == [1, -2, 3])
  }

  @Test func arraysOfNumPy() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a.npy"
    let tensor = try Tensor([1, 2, 3, 4] as [Int64], shape: [2, 2])
    try tensor.write(npyFile: path)
    let read = try Tensor(npyFile: path)
    #expect(read.type == tensor.type)
    #expect(try read.elements(of: Int64.self) == [1, 2, 3, 4])
    #expect(try Tensor(npy: tensor.npy()).elements(of: Int64.self) == [1, 2, 3, 4])
    #expect { try Tensor(npyFile: folder.path + "/b.npy") } throws: { ($0 as? ApusError)?.kind == .file }
    #expect { try Tensor(npy: [1, 2, 3]) } throws: { ($0 as? ApusError)?.kind == .argument }
    let several = folder.path + "/a.npz"
    try NamedTensors(["b": tensor, "a": try Tensor(scalar: true)]).write(npzFile: several)
    let tensors = try NamedTensors(npzFile: several)
    #expect(tensors.names == ["b", "a"])
    #expect(try tensors.tensor("a").elements() == [true])
    #expect { try NamedTensors(npzFile: path) } throws: { ($0 as? ApusError)?.kind == .file }
  }
}
