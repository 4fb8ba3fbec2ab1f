import TensorCore

/// A recurrent layer that runs: one row in time after the other.
struct RecurrentLayer: Sendable {
  private let operation: Recurrence
  private let extents: RecurrenceExtents
  private let products: [RecurrentProduct]

  init(_ operation: Recurrence, _ extents: RecurrenceExtents, _ products: [RecurrentProduct]) {
    (self.operation, self.extents, self.products) = (operation, extents, products)
  }

  private var stateCount: Int { extents.batch * extents.size }

  /// State, memory, state that was reset, the sums of all gates, and what products need.
  var scratchByteCount: Int {
    4 * stateCount * (3 + extents.gates) + 64
      + (products.map(\.scratchByteCount).max() ?? 0)
  }

  /// What a run works on.
  private struct Memory {
    let state: UnsafeMutablePointer<Float>
    let memory: UnsafeMutablePointer<Float>
    let reset: UnsafeMutablePointer<Float>
    let sums: UnsafeMutablePointer<Float>
    let rest: UnsafeMutableRawPointer

    init(_ scratch: UnsafeMutableRawPointer, _ count: Int, gates: Int) {
      let numbers = scratch.bindMemory(to: Float.self, capacity: count * (3 + gates))
      (state, memory, reset, sums) = (numbers, numbers + count, numbers + 2 * count, numbers + 3 * count)
      rest = (scratch + 4 * count * (3 + gates)).alignedUp(toMultipleOf: 64)
    }
  }

  func run(_ arguments: borrowing KernelArguments) {
    let count = stateCount
    let memory = Memory(arguments.scratch, count, gates: extents.gates)
    let rows = arguments.output(0, as: Float.self)
    for (index, target) in [(2, memory.state), (3, memory.memory)] {
      if let first = arguments.inputAddress(index)?.assumingMemoryBound(to: Float.self) {
        target.update(from: first, count: count)
      } else {
        target.update(repeating: 0, count: count)
      }
    }
    memory.reset.update(repeating: 0, count: count)
    rows.update(repeating: 0)
    let lengths = arguments.inputAddress(6)?.assumingMemoryBound(to: Int32.self)
    for step in 0..<extents.steps {
      advance(step, lengths, memory, rows, arguments)
    }
    arguments.output(1, as: Float.self).baseAddress?.update(from: memory.state, count: count)
    if operation.cell.hasMemory {
      arguments.output(2, as: Float.self).baseAddress?.update(from: memory.memory, count: count)
    }
  }

  /// One row in time for all of the batch: sequences that have ended keep their state.
  private func advance(
    _ step: Int, _ lengths: UnsafePointer<Int32>?, _ memory: Memory,
    _ rows: UnsafeMutableBufferPointer<Float>,
    _ arguments: borrowing KernelArguments
  ) {
    let (size, columns) = (extents.size, extents.gates * extents.size)
    guard let inputs = arguments.input(0, as: Float.self).baseAddress else { return }
    func place(_ row: Int) -> Int? {
      let length = min(max(lengths.map { Int($0[row]) } ?? extents.steps, 0), extents.steps)
      return step < length ? (operation.isReversed ? length - 1 - step : step) * extents.batch + row : nil
    }
    products[0].multiply(memory.state, to: memory.sums, scratch: memory.rest, arguments)
    if case .gated(let resetsProduct) = operation.cell {
      // Both gates, then the last one, whose product may be of the state that was reset.
      let last = memory.sums + 2 * stateCount
      for row in 0..<extents.batch {
        guard let place = place(row) else { continue }
        openGates(row, inputs + place * columns, memory)
      }
      products[1].multiply(
        resetsProduct ? memory.state : memory.reset, to: last, scratch: memory.rest, arguments)
    }
    for row in 0..<extents.batch {
      guard let place = place(row) else { continue }
      let input = inputs + place * columns
      switch operation.cell {
      case .longShortTerm(let couplesGates):
        remember(row, input, memory, couplesGates: couplesGates, arguments)
      case .gated(let resetsProduct):
        renew(row, input, memory, resetsProduct: resetsProduct, arguments)
      case .simple:
        for k in 0..<size {
          let sum = limited(input[k] + memory.sums[row * size + k])
          memory.state[row * size + k] = operation.activations[0](sum)
        }
      }
      let target = rows.baseAddress.map { $0 + place * size }
      target?.update(from: memory.state + row * size, count: size)
    }
  }

  @inline(__always)
  private func limited(_ sum: Float) -> Float {
    min(max(sum, -operation.limit), operation.limit)
  }

  private func remember(
    _ row: Int, _ input: UnsafePointer<Float>, _ memory: Memory, couplesGates: Bool,
    _ arguments: borrowing KernelArguments
  ) {
    let size = extents.size
    let (gate, candidate, output) = (
      operation.activations[0], operation.activations[1], operation.activations[2]
    )
    let peepholes = arguments.inputAddress(4)?.assumingMemoryBound(to: Float.self)
    let sums = memory.sums + row * 4 * size
    for k in 0..<size {
      let old = memory.memory[row * size + k]
      let seen = { (index: Int, cell: Float) in peepholes.map { $0[index * size + k] * cell } ?? 0 }
      let enters = gate(limited(input[k] + sums[k] + seen(0, old)))
      let keeps =
        couplesGates
        ? 1 - enters : gate(limited(input[2 * size + k] + sums[2 * size + k] + seen(2, old)))
      let new = keeps * old + enters * candidate(limited(input[3 * size + k] + sums[3 * size + k]))
      let leaves = gate(limited(input[size + k] + sums[size + k] + seen(1, new)))
      memory.memory[row * size + k] = new
      memory.state[row * size + k] = leaves * output(new)
    }
  }

  /// The first two gates in the place of their sums, and the state that the second resets.
  private func openGates(_ row: Int, _ input: UnsafePointer<Float>, _ memory: Memory) {
    let size = extents.size
    let sums = memory.sums + row * 2 * size
    for k in 0..<(2 * size) { sums[k] = operation.activations[0](limited(input[k] + sums[k])) }
    for k in 0..<size { memory.reset[row * size + k] = sums[size + k] * memory.state[row * size + k] }
  }

  private func renew(
    _ row: Int, _ input: UnsafePointer<Float>, _ memory: Memory, resetsProduct: Bool,
    _ arguments: borrowing KernelArguments
  ) {
    let size = extents.size
    let bias = arguments.inputAddress(5)?.assumingMemoryBound(to: Float.self)
    let gates = memory.sums + row * 2 * size
    let last = memory.sums + 2 * stateCount + row * size
    for k in 0..<size {
      let sum = last[k] + (bias.map { $0[k] } ?? 0)
      let new = operation.activations[1](
        limited(input[2 * size + k] + (resetsProduct ? gates[size + k] * sum : sum)))
      memory.state[row * size + k] = (1 - gates[k]) * new + gates[k] * memory.state[row * size + k]
    }
  }
}
