import TensorCore

/// Reads pickles as PyTorch writes them for tensors. Nothing is ever executed: names of Python stand for a few things that
/// Apus does itself, and any other is refused by its name.
struct PickleMachine {
  var reader: PickleReader
  var heap = PickleHeap()
  private var stack: [PickleValue] = []
  /// How deep the stack was at each mark that is open.
  private var marks: [Int] = []
  private var memo: [UInt32: PickleValue] = [:]
  private var operationCount = 0

  /// Pickles of more operations are refused: those of a hundred thousand tensors take a third.
  private static let maximumOperationCount = 8 << 20

  init(_ reader: PickleReader) { self.reader = reader }

  /// The value of the next pickle.
  mutating func load() throws(ApusError) -> PickleValue {
    (stack, marks, memo) = ([], [], [:])
    while true {
      let operation = try reader.operation()
      if operation == .stop { return try pop() }
      operationCount += 1
      guard operationCount <= Self.maximumOperationCount else {
        throw reader.error("over \(Self.maximumOperationCount) operations", expected: "a pickle of tensors")
      }
      try run(operation)
    }
  }

  private mutating func run(_ operation: PickleOperation) throws(ApusError) {
    switch operation {
    case .proto: try checkProtocol()
    case .frame: _ = try reader.number(UInt64.self)
    case .stop: break
    case .mark: marks.append(stack.count)
    case .pop: try popAny()
    case .popMark: _ = try popToMark()
    case .duplicate: stack.append(try top())
    case .none: stack.append(.none)
    case .newTrue: stack.append(.bool(true))
    case .newFalse: stack.append(.bool(false))
    case .integer1: stack.append(.integer(Int(try reader.number(UInt8.self))))
    case .integer2: stack.append(.integer(Int(try reader.number(UInt16.self))))
    case .integer4: stack.append(.integer(Int(try reader.number(Int32.self))))
    case .long1: stack.append(Self.integer(try reader.counted(by: UInt8.self)))
    case .long4: stack.append(Self.integer(try reader.counted(by: Int32.self)))
    case .real:
      _ = try reader.take(8)
      stack.append(.real)
    case .text1, .string1: stack.append(Self.text(try reader.counted(by: UInt8.self)))
    case .text4: stack.append(Self.text(try reader.counted(by: UInt32.self)))
    case .string4: stack.append(Self.text(try reader.counted(by: Int32.self)))
    case .text8: stack.append(Self.text(try reader.counted(by: UInt64.self)))
    case .bytes1: stack.append(.bytes(try reader.counted(by: UInt8.self)))
    case .bytes4: stack.append(.bytes(try reader.counted(by: UInt32.self)))
    case .bytes8: stack.append(.bytes(try reader.counted(by: UInt64.self)))
    case .emptyTuple: stack.append(heap.tuple([]))
    case .tuple1: try makeTuple(1)
    case .tuple2: try makeTuple(2)
    case .tuple3: try makeTuple(3)
    case .tuple: stack.append(heap.tuple(try popToMark()))
    case .emptyList: stack.append(heap.list())
    case .emptyDictionary: stack.append(heap.dictionary())
    case .append: try append([try pop()])
    case .appends: try append(try popToMark())
    case .setItem: try setItems(try pop(2))
    case .setItems: try setItems(try popToMark())
    case .get1: try get(UInt32(try reader.number(UInt8.self)))
    case .get4: try get(try reader.number())
    case .put1: memo[UInt32(try reader.number(UInt8.self))] = try top()
    case .put4: memo[try reader.number()] = try top()
    case .memoize: memo[UInt32(memo.count)] = try top()
    case .global: try pushGlobal(module: Self.text(try reader.line()), name: Self.text(try reader.line()))
    case .stackGlobal:
      let names = try pop(2)
      try pushGlobal(module: names[0], name: names[1])
    case .reduce, .newObject:
      let parts = try pop(2)
      stack.append(try call(parts[0], parts[1]))
    case .build: try build()
    case .persistentID: stack.append(try storage(try pop()))
    }
  }

  private mutating func checkProtocol() throws(ApusError) {
    let version: UInt8 = try reader.number()
    guard (2...5).contains(version) else {
      throw reader.error("protocol \(version) of Python's pickles", expected: "2 to 5")
    }
  }

  private mutating func pushGlobal(module: PickleValue, name: PickleValue) throws(ApusError) {
    guard case .text(let module) = module, case .text(let name) = name else {
      throw reader.error("a class whose name is \(name.kind)", expected: "texts")
    }
    stack.append(.global(try CheckpointGlobal(module: module, name: name)))
  }

  /// Attributes that are given to an object behind its contents, such as `_metadata`: nothing here depends on them.
  private mutating func build() throws(ApusError) {
    _ = try pop()
    switch try top() {
    case .dictionary, .tensor: break
    case let other:
      throw reader.error("attributes for \(other.kind)", expected: "those of a dictionary or tensor")
    }
  }

  private mutating func makeTuple(_ count: Int) throws(ApusError) {
    stack.append(heap.tuple(try pop(count)))
  }

  private mutating func append(_ values: [PickleValue]) throws(ApusError) {
    guard case .list(let place) = try top() else {
      throw reader.error("elements for \(try top().kind)", expected: "a list")
    }
    heap.append(values, toList: place)
  }

  private mutating func setItems(_ values: [PickleValue]) throws(ApusError) {
    guard case .dictionary(let place) = try top(), values.count % 2 == 0 else {
      throw reader.error(
        "\(values.count) keys and values for \(try top().kind)", expected: "pairs for a dictionary")
    }
    let pairs = stride(from: 0, to: values.count, by: 2).map { (key: values[$0], value: values[$0 + 1]) }
    heap.append(pairs, toDictionary: place)
  }

  private mutating func get(_ key: UInt32) throws(ApusError) {
    guard let value = memo[key] else {
      throw reader.error("value \(key), which was not kept", expected: "one that was")
    }
    stack.append(value)
  }

  // MARK: Stack

  private func top() throws(ApusError) -> PickleValue {
    guard let value = stack.last, stack.count > marks.last ?? 0 else { throw empty }
    return value
  }

  private mutating func pop() throws(ApusError) -> PickleValue {
    let value = try top()
    stack.removeLast()
    return value
  }

  private mutating func pop(_ count: Int) throws(ApusError) -> [PickleValue] {
    guard stack.count - (marks.last ?? 0) >= count else { throw empty }
    defer { stack.removeLast(count) }
    return Array(stack.suffix(count))
  }

  private mutating func popToMark() throws(ApusError) -> [PickleValue] {
    guard let depth = marks.popLast(), depth <= stack.count else { throw empty }
    defer { stack.removeLast(stack.count - depth) }
    return Array(stack[depth...])
  }

  /// The last value, or the mark where that is the last.
  private mutating func popAny() throws(ApusError) {
    if marks.last == stack.count { marks.removeLast() } else { _ = try pop() }
  }

  private var empty: ApusError {
    reader.error("an operation on more values than there are", expected: "a value for each operand")
  }

  // MARK: Values

  private static func text(_ bytes: [UInt8]) -> PickleValue {
    String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .bytes(bytes)
  }

  /// A number in two's complement, of any length.
  private static func integer(_ bytes: [UInt8]) -> PickleValue {
    guard bytes.count <= 8 else { return .bytes(bytes) }
    let isNegative = bytes.last.map { $0 >= 0x80 } ?? false
    let number = bytes.reversed().reduce(isNegative ? -1 : 0) { $0 << 8 | Int($1) }
    return .integer(number)
  }
}
