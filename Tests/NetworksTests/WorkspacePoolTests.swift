import Graph
import Networks
import Synchronization
import TensorCore
import TestSupport
import Testing

/// Models share the memory of their runs: it is used again, given back when nobody needs it, and results are those of a
/// model that has memory of its own.
@Suite struct WorkspacePoolTests {
  /// x · w of so many rows.
  private func model(rows: Int) throws -> CompiledModel {
    var builder = GraphBuilder()
    var random = SeededRandom(seed: 3)
    let x = builder.input("x", TensorType(.float32, try Shape([rows, 16])))
    let weights = builder.constant("w", try Tensor(random.floats(16 * 24), shape: Shape([24, 16])))
    let linear = Linear(hasBias: false)
    let product = try builder.add(linear, [x, weights], results: [.init("product")], label: "product")[0]
    builder.output(try builder.add(Add(), [product, product], results: [.init("sum")], label: "sum")[0])
    return try Compiler.compile(builder.graph)
  }

  private func run(_ model: CompiledModel, rows: Int, in pool: WorkspacePool) throws -> [Float] {
    var random = SeededRandom(seed: UInt64(rows))
    let picture = try Tensor(random.floats(rows * 16), shape: Shape([rows, 16]))
    let shared = try pool.withWorkspace(of: model) { (workspace) throws(ApusError) in
      try workspace.setInputs([picture])
      try workspace.run()
      return try workspace.output(0)
    }
    #expect(try shared.elements(of: Float.self) == model.run([picture])[0].elements(of: Float.self))
    return try shared.elements(of: Float.self)
  }

  @Test func aSmallerModelRunsInTheMemoryOfALarger() throws {
    let pool = WorkspacePool(capacity: 2)
    let (large, small) = (try model(rows: 64), try model(rows: 5))
    let first = try run(large, rows: 64, in: pool)
    #expect(pool.byteCount == large.plan.byteCount)
    _ = try run(small, rows: 5, in: pool)
    #expect(try run(large, rows: 64, in: pool) == first)
    #expect(pool.byteCount == large.plan.byteCount)
  }

  @Test func aLargerModelHasMemoryOfItsOwn() throws {
    let pool = WorkspacePool(capacity: 2)
    let (large, small) = (try model(rows: 64), try model(rows: 5))
    _ = try run(small, rows: 5, in: pool)
    _ = try run(large, rows: 64, in: pool)
    #expect(pool.byteCount == small.plan.byteCount + large.plan.byteCount)
    // Of the two that fit, a smaller one takes the smaller, and a run meanwhile the other.
    try pool.withWorkspace(of: try model(rows: 4)) { (workspace) throws(ApusError) in
      #expect(workspace.memory.byteCount == small.plan.byteCount)
    }
  }

  @Test func noMoreIsKeptThanRunsAtATime() throws {
    let pool = WorkspacePool(capacity: 1)
    let models = try [5, 20, 64].map { try model(rows: $0) }
    for model in models { try pool.withWorkspace(of: model) { _ in } }
    #expect(pool.byteCount == models[2].plan.byteCount)
    pool.releaseIdle()
    #expect(pool.byteCount == 0)
  }

  @Test func whatNoRunNeedsForLongIsGivenBack() throws {
    let pool = WorkspacePool(capacity: 2)
    let (large, small) = (try model(rows: 64), try model(rows: 5))
    for model in [small, large] { try pool.withWorkspace(of: model) { _ in } }
    for _ in 0..<1000 { try pool.withWorkspace(of: small) { _ in } }
    #expect(pool.byteCount == small.plan.byteCount)
  }

  @Test func memoryIsKeptAfterARunThatFails() throws {
    let pool = WorkspacePool(capacity: 1)
    let model = try model(rows: 5)
    #expect(throws: ApusError.self) {
      try pool.withWorkspace(of: model) { (_) throws(ApusError) in throw ApusError(.cancelled, "the run") }
    }
    #expect(pool.byteCount == model.plan.byteCount)
    _ = try run(model, rows: 5, in: pool)
    #expect(pool.byteCount == model.plan.byteCount)
  }

  /// Where the memory lies that runs have at the moment.
  private final class Lent: Sendable {
    let addresses = Mutex(Set<Int>())
  }

  @Test func runsAtATimeNeverShareMemory() async throws {
    let pool = WorkspacePool(capacity: 2)
    let rows = [3, 5, 9, 17, 33]
    let models = try rows.map { try model(rows: $0) }
    let inUse = Lent()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          for turn in 0..<50 {
            let index = (task + turn) % rows.count
            try pool.withWorkspace(of: models[index]) { (workspace) throws(ApusError) in
              let address = Int(bitPattern: workspace.memory.base)
              #expect(inUse.addresses.withLock { $0.insert(address).inserted })
              inUse.addresses.withLock { _ = $0.remove(address) }
            }
            _ = try run(models[index], rows: rows[index], in: pool)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(pool.byteCount <= 2 * models[4].plan.byteCount)
  }
}
