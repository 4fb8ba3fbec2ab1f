import TensorCore

/// What a pickle makes. What holds others is a place in a ``PickleHeap``, so that no depth and no circle of a file's can
/// exhaust the stack or outlive the reading.
enum PickleValue {
  case none
  case bool(Bool)
  case integer(Int)
  case real
  /// An integer over 64 bits, or a text that is none of UTF-8: little-endian of the former.
  case bytes([UInt8])
  case text(String)
  case tuple(Int)
  case list(Int)
  case dictionary(Int)
  case global(CheckpointGlobal)
  case storage(Int)
  case tensor(Int)

  /// What errors call it.
  var kind: String {
    switch self {
    case .none: "None"
    case .bool: "a truth value"
    case .integer(let number): "the number \(number)"
    case .real: "a number"
    case .bytes: "bytes"
    case .text(let text): "the text '\(text.clipped)'"
    case .tuple: "a tuple"
    case .list: "a list"
    case .dictionary: "a dictionary"
    case .global(let global): global.name
    case .storage: "a storage"
    case .tensor: "a tensor"
    }
  }
}

/// What holds other values of a pickle. Python's lists and dictionaries are filled after they were referred to.
struct PickleHeap {
  private(set) var tuples: [[PickleValue]] = []
  private(set) var lists: [[PickleValue]] = []
  private(set) var dictionaries: [[(key: PickleValue, value: PickleValue)]] = []
  private(set) var storages: [CheckpointStorage] = []
  private(set) var tensors: [CheckpointTensor] = []

  mutating func tuple(_ values: [PickleValue]) -> PickleValue {
    tuples.append(values)
    return .tuple(tuples.count - 1)
  }

  mutating func list() -> PickleValue {
    lists.append([])
    return .list(lists.count - 1)
  }

  mutating func dictionary(_ items: [(key: PickleValue, value: PickleValue)] = []) -> PickleValue {
    dictionaries.append(items)
    return .dictionary(dictionaries.count - 1)
  }

  mutating func storage(_ storage: CheckpointStorage) -> PickleValue {
    storages.append(storage)
    return .storage(storages.count - 1)
  }

  mutating func tensor(_ tensor: CheckpointTensor) -> PickleValue {
    tensors.append(tensor)
    return .tensor(tensors.count - 1)
  }

  mutating func append(_ values: [PickleValue], toList place: Int) { lists[place] += values }

  mutating func append(_ items: [(key: PickleValue, value: PickleValue)], toDictionary place: Int) {
    dictionaries[place] += items
  }

  /// The elements of a list or tuple; nil of anything else.
  func elements(_ value: PickleValue) -> [PickleValue]? {
    switch value {
    case .tuple(let place): tuples[place]
    case .list(let place): lists[place]
    default: nil
    }
  }

  /// The numbers of a list or tuple of nothing else; nil of anything else.
  func integers(_ value: PickleValue) -> [Int]? {
    guard let elements = elements(value) else { return nil }
    var numbers: [Int] = []
    for element in elements {
      guard case .integer(let number) = element else { return nil }
      numbers.append(number)
    }
    return numbers
  }
}
