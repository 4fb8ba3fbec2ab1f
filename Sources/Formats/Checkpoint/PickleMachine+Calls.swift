import TensorCore

/// What stands in the place of calls that a pickle asks for.
extension PickleMachine {
  /// - Throws: ``ApusError`` of kind `malformedModel` for arguments that the function does not take.
  mutating func call(_ function: PickleValue, _ arguments: PickleValue) throws(ApusError) -> PickleValue {
    guard case .global(let global) = function, case .tuple(let place) = arguments else {
      throw reader.error(
        "a call of \(function.kind) with \(arguments.kind)", expected: "a function, and a tuple")
    }
    let arguments = heap.tuples[place]
    let result: PickleValue? =
      switch global.meaning {
      case .orderedDictionary: orderedDictionary(arguments)
      case .size: arguments.first.flatMap { heap.integers($0) == nil ? nil : $0 }
      case .device: PickleValue.none
      case .tensor(let hasElementType): try tensor(arguments, hasElementType: hasElementType)
      case .parameter: arguments.first.flatMap(Self.tensorItself)
      case .typedTensor: try typedTensor(arguments)
      case .storage, .elementType, .tensorClass: nil
      }
    guard let result else {
      throw reader.error(
        "arguments of \(global.name): \(arguments.prefix(8).map(\.kind).joined(separator: ", "))",
        expected: "those that PyTorch gives it")
    }
    return result
  }

  private mutating func orderedDictionary(_ arguments: [PickleValue]) -> PickleValue? {
    guard let first = arguments.first else { return heap.dictionary() }
    guard arguments.count == 1, let elements = heap.elements(first) else { return nil }
    var items: [(key: PickleValue, value: PickleValue)] = []
    for element in elements {
      guard let pair = heap.elements(element), pair.count == 2 else { return nil }
      items.append((pair[0], pair[1]))
    }
    return heap.dictionary(items)
  }

  /// Storage, offset, extents, strides; then whether a gradient is wanted, and hooks; then the type of elements, of a storage
  /// that has none.
  private mutating func tensor(
    _ arguments: [PickleValue], hasElementType: Bool
  ) throws(ApusError) -> PickleValue? {
    guard arguments.count >= (hasElementType ? 7 : 4), case .storage(let place) = arguments[0],
      case .integer(let offset) = arguments[1], let shape = heap.integers(arguments[2]),
      let strides = heap.integers(arguments[3])
    else { return nil }
    let storage = heap.storages[place]
    var type = storage.type
    if hasElementType {
      guard case .global(let global) = arguments[6], case .elementType(let stated) = global.meaning else {
        return nil
      }
      type = stated
    }
    let tensor = try CheckpointTensor(storage, type ?? .uint8, offset: offset, shape: shape, strides: strides)
    return heap.tensor(tensor)
  }

  /// The function that makes the tensor, its class, the arguments, and attributes.
  private mutating func typedTensor(_ arguments: [PickleValue]) throws(ApusError) -> PickleValue? {
    guard arguments.count == 4, case .global(let function) = arguments[0],
      case .global(let type) = arguments[1], type.meaning == .tensorClass
    else { return nil }
    switch function.meaning {
    case .tensor, .parameter: return try call(arguments[0], arguments[2])
    default: return nil
    }
  }

  private static func tensorItself(_ value: PickleValue) -> PickleValue? {
    if case .tensor = value { value } else { nil }
  }

  /// The storage that a persistent identifier stands for: the word `storage`, the class, the name, the device, the number of
  /// elements; in files of the older form then nothing, or which part of it: a name, an offset and a number of elements.
  mutating func storage(_ identifier: PickleValue) throws(ApusError) -> PickleValue {
    guard let parts = heap.elements(identifier), parts.count == 5 || parts.count == 6,
      case .text("storage") = parts[0], case .global(let global) = parts[1],
      case .storage(let type) = global.meaning, case .text(let key) = parts[2],
      case .integer(let count) = parts[4]
    else { throw reader.error("a reference to \(identifier.kind)", expected: "one to a storage of a tensor") }
    let storage = try CheckpointStorage(ExactText(key), type, elementCount: count)
    guard parts.count == 6, let view = heap.elements(parts[5]) else { return heap.storage(storage) }
    guard view.count == 3, case .integer(let offset) = view[1], case .integer(let elements) = view[2] else {
      throw reader.error("a part of storage '\(key.clipped)'", expected: "its offset and size")
    }
    return heap.storage(try storage.part(from: offset, elementCount: elements))
  }
}
