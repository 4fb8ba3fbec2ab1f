extension Tensor {
  /// A tensor with a copy of the elements.
  ///
  ///     let ids = try Tensor([101, 2023, 102] as [Int32], shape: [1, 3])
  ///
  /// - Parameters:
  ///   - elements: in row-major order: the last axis varies fastest.
  ///   - shape: the extent of each axis, outermost first; nil for a vector.
  ///   - quantization: what stored integers stand for; nil when they stand for themselves.
  /// - Throws: ``ApusError`` of kind `argument` if the number of elements does not match the shape.
  public init<Element: TensorElement>(
    _ elements: [Element], shape: [Int]? = nil, quantization: Quantization? = nil
  ) throws(ApusError) {
    let shape = try shape.map(Shape.init(given:)) ?? .vector(elements.count)
    try self.init(elements, shape: shape, quantization: quantization)
  }

  /// A tensor of rank 0.
  public init<Element: TensorElement>(scalar element: Element) throws(ApusError) {
    try self.init([element], shape: .scalar)
  }

  /// A tensor with a copy of bytes: elements in row-major order, little-endian.
  /// - Throws: ``ApusError`` of kind `argument` when there are not as many bytes as the type takes.
  public init(_ type: TensorType, copying bytes: UnsafeRawBufferPointer) throws(ApusError) {
    try type.check(bytes)
    try self.init(type) { $0.copyMemory(from: bytes) }
  }

  /// A tensor over memory that the caller brings: nothing is copied.
  ///
  /// The bytes must stay where they are, and as they are, until `deallocator` is called: once, when the last tensor
  /// over them is gone, on whatever thread that happens. A run copies its inputs into memory of its own, so they are
  /// never written, and not read after the call that was given the tensor. When the initialiser throws, `deallocator`
  /// is not called, and the memory is the caller's still.
  ///
  /// - Parameters:
  ///   - bytes: elements in row-major order, little-endian, at an address that is a multiple of an element's bytes.
  ///   - deallocator: gives the memory back, or lets go of what holds it: `{ $0.deallocate() }`.
  /// - Throws: ``ApusError`` of kind `argument` when there are not as many bytes as the type takes, their address does
  ///   not fit it, or a byte of a `bool` is neither 0 nor 1.
  public init(
    _ type: TensorType, bytesNoCopy bytes: UnsafeRawBufferPointer,
    deallocator: @escaping @Sendable (UnsafeRawBufferPointer) -> Void
  ) throws(ApusError) {
    try type.check(bytes)
    guard let base = bytes.baseAddress else {
      // No bytes, no address: there is nothing to share.
      try self.init(type) { _ in }
      deallocator(bytes)
      return
    }
    guard Int(bitPattern: base) % type.dataType.byteCount == 0 else {
      throw ApusError(
        .argument, "memory at an odd address for elements of \(type.dataType.byteCount) bytes",
        expected: "a multiple of \(type.dataType.byteCount)")
    }
    let owner = Owner(bytes, deallocator)
    try self.init(
      type,
      storage: TensorStorage(
        borrowing: UnsafeMutableRawPointer(mutating: base), byteCount: bytes.count, from: owner))
  }

  /// The elements under another shape, without a copy.
  /// - Throws: ``ApusError`` of kind `argument` if the shape has another number of elements, or scales along an axis
  ///   would no longer fit.
  public func reshaped(to dimensions: [Int]) throws(ApusError) -> Tensor {
    let shape = try Shape(given: dimensions)
    guard shape.elementCount == self.shape.elementCount else {
      throw ApusError(
        .argument, "shape \(shape) for the elements of \(self.shape)",
        expected: "one of \(self.shape.elementCount) elements")
    }
    guard quantization?.isPerChannel != true || shape == self.shape else {
      throw ApusError(.argument, "another shape for a tensor with scales along an axis", expected: "its own")
    }
    return try reinterpreted(as: TensorType(dataType, shape, quantization: quantization))
  }
}

/// Frees memory with its last reference.
private final class Owner {
  private let bytes: UnsafeRawBufferPointer
  private let deallocator: @Sendable (UnsafeRawBufferPointer) -> Void

  init(_ bytes: UnsafeRawBufferPointer, _ deallocator: @escaping @Sendable (UnsafeRawBufferPointer) -> Void) {
    (self.bytes, self.deallocator) = (bytes, deallocator)
  }

  deinit { deallocator(bytes) }
}

extension TensorType {
  /// - Throws: ``ApusError`` of kind `argument` for bytes that are no elements of the type.
  fileprivate func check(_ bytes: UnsafeRawBufferPointer) throws(ApusError) {
    guard bytes.count == byteCount else {
      throw ApusError(
        .argument, "\(bytes.count) bytes for a tensor \(self)", expected: "\(byteCount) bytes")
    }
    // Other bytes than 0 and 1 are no value of Swift's Bool.
    if dataType == .bool, let bad = bytes.first(where: { $0 > 1 }) {
      throw ApusError(.argument, "the byte \(bad) in a tensor of bool", expected: "0 or 1")
    }
  }
}

extension Shape {
  /// A shape that a caller gives, not a file.
  /// - Throws: ``ApusError`` of kind `argument` when it is none.
  package init(given dimensions: [Int]) throws(ApusError) {
    do throws(ApusError) {
      try self.init(dimensions)
    } catch {
      var error = error
      error.kind = .argument
      throw error
    }
  }
}
