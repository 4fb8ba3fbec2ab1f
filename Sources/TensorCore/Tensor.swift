/// Elements in dense row-major order, with their type. Immutable, and shared without copying.
public struct Tensor: Sendable {
  /// The element type and the shape.
  public let type: TensorType
  package let storage: TensorStorage
  /// Where in the storage the first element lies, in bytes.
  package let byteOffset: Int

  /// The type of an element.
  public var dataType: DataType { type.dataType }
  /// The extent of each axis.
  public var shape: Shape { type.shape }
  /// The quantization of stored integers; nil for plain numbers.
  public var quantization: Quantization? { type.quantization }

  /// A tensor over bytes that something else holds, such as a part of a file.
  /// - Throws: ``ApusError`` when the storage is too short for the type.
  package init(_ type: TensorType, storage: TensorStorage, byteOffset: Int = 0) throws(ApusError) {
    guard byteOffset >= 0, byteOffset <= storage.byteCount, type.byteCount <= storage.byteCount - byteOffset
    else {
      throw ApusError(
        .argument, "\(storage.byteCount - byteOffset) bytes for a tensor \(type)",
        expected: "\(type.byteCount) bytes")
    }
    self.type = type
    self.storage = storage
    self.byteOffset = byteOffset
  }

  /// A tensor with a copy of the elements.
  /// - Parameters:
  ///   - elements: in row-major order: the last axis varies fastest.
  ///   - quantization: what stored integers stand for; nil when they stand for themselves.
  /// - Throws: ``ApusError`` of kind `argument` if the number of elements does not match the shape.
  public init<Element: TensorElement>(
    _ elements: [Element], shape: Shape, quantization: Quantization? = nil
  ) throws(ApusError) {
    guard elements.count == shape.elementCount else {
      throw ApusError(
        .argument, "\(elements.count) elements for shape \(shape)", expected: "\(shape.elementCount)")
    }
    let storage = try TensorStorage(copying: elements)
    self.type = TensorType(Element.dataType, shape, quantization: quantization)
    self.storage = storage
    self.byteOffset = 0
  }

  /// A tensor whose bytes `body` fills; they are zero before.
  package init(
    _ type: TensorType, filledBy body: (UnsafeMutableRawBufferPointer) -> Void
  ) throws(ApusError) {
    let storage = try TensorStorage(byteCount: type.byteCount)
    body(UnsafeMutableRawBufferPointer(start: storage.base, count: type.byteCount))
    self.type = type
    self.storage = storage
    self.byteOffset = 0
  }

  /// The elements as an array, in row-major order.
  /// - Throws: ``ApusError`` of kind `argument` when the tensor holds elements of another type.
  public func elements<Element: TensorElement>(of: Element.Type = Element.self) throws(ApusError)
    -> [Element]
  {
    guard Element.dataType == dataType else {
      throw ApusError(
        .argument, "a tensor of \(dataType.rawValue)", expected: "\(Element.dataType.rawValue)")
    }
    return [Element](unsafeUninitializedCapacity: shape.elementCount) { buffer, count in
      UnsafeMutableRawBufferPointer(buffer).copyMemory(from: bytes)
      count = shape.elementCount
    }
  }

  /// The elements as another type of the same size.
  package func reinterpreted(as type: TensorType) throws(ApusError) -> Tensor {
    try Tensor(type, storage: storage, byteOffset: byteOffset)
  }

  /// The bytes of the elements. Valid only while the tensor lives: use `withExtendedLifetime`, or
  /// ``withBytes(_:)``.
  package var bytes: UnsafeRawBufferPointer {
    storage.derivation?.fill(storage)
    return UnsafeRawBufferPointer(start: storage.base + byteOffset, count: type.byteCount)
  }

  /// The tensor over the same bytes where they are stored, for who reads at any address: a copy that nobody has read is not
  /// made for that.
  package var asStored: Tensor {
    guard let derivation = storage.derivation, derivation.isCopy, derivation.isPending, byteOffset == 0,
      let source = derivation.sources.first, source.type == type
    else { return self }
    return source
  }

  /// Calls `body` with the bytes of the elements.
  public func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(storage) {} }
    return try body(bytes)
  }

  /// Copies the elements to memory of as many bytes.
  ///
  /// By itself, as a throwing function that ends in a copy may return an error that is none
  /// (`Tools/checks/check-tail-calls`).
  @inline(never)
  package func copyBytes(to target: UnsafeMutableRawBufferPointer) {
    withExtendedLifetime(storage) { target.copyMemory(from: bytes) }
  }
}
