import Apus
import CApus

extension DataType {
  /// By their apus_type.
  private static let codes: [(code: apus_type, type: DataType)] = [
    (APUS_FLOAT32, .float32), (APUS_FLOAT64, .float64), (APUS_FLOAT16, .float16),
    (APUS_BFLOAT16, .bfloat16), (APUS_INT8, .int8), (APUS_INT16, .int16), (APUS_INT32, .int32),
    (APUS_INT64, .int64), (APUS_UINT8, .uint8), (APUS_UINT16, .uint16), (APUS_UINT32, .uint32),
    (APUS_UINT64, .uint64), (APUS_BOOL, .bool),
  ]

  /// - Throws: ``ApusError`` of kind `argument` for a number that is no type.
  init(code: Int32, of what: @autoclosure () -> String) throws(ApusError) {
    guard let known = Self.codes.first(where: { Int32(bitPattern: $0.code.rawValue) == code }) else {
      throw ApusError(.argument, "a tensor of type \(code)", expected: "an apus_type", at: what())
    }
    self = known.type
  }

  /// Its apus_type.
  var code: Int32 {
    Self.codes.first { $0.type == self }.map { Int32(bitPattern: $0.code.rawValue) } ?? 0
  }
}

extension apus_tensor {
  static let maximumRank = Int(APUS_MAX_RANK)

  /// The extents.
  /// - Throws: ``ApusError`` of kind `argument` for a rank or an extent that cannot be.
  func shape(of what: @autoclosure () -> String) throws(ApusError) -> [Int] {
    guard rank >= 0, rank <= APUS_MAX_RANK else {
      throw ApusError(.argument, "a tensor of rank \(rank)", expected: "0 to \(APUS_MAX_RANK)", at: what())
    }
    return withUnsafeBytes(of: dimensions) { bytes in
      bytes.bindMemory(to: Int64.self).prefix(Int(rank)).map { Int($0) }
    }
  }

  /// Its type.
  /// - Throws: ``ApusError`` of kind `argument` for what is none.
  func type(of what: @autoclosure () -> String) throws(ApusError) -> TensorType {
    let dimensions = try shape(of: what())
    do throws(ApusError) {
      return TensorType(try DataType(code: type, of: what()), try Shape(dimensions))
    } catch {
      var error = error
      error.kind = .argument
      throw error.location == nil ? error.at(what()) : error
    }
  }

  /// Takes over an element type and extents.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` for more axes than it has room for.
  mutating func set(_ type: TensorType) throws(ApusError) {
    let extents = type.shape.dimensions
    guard extents.count <= Self.maximumRank else {
      throw ApusError(
        .unsupportedModel, "a tensor of rank \(extents.count)", expected: "at most \(Self.maximumRank)")
    }
    self.type = type.dataType.code
    rank = Int32(extents.count)
    withUnsafeMutableBytes(of: &dimensions) { bytes in
      let places = bytes.bindMemory(to: Int64.self)
      for axis in places.indices { places[axis] = axis < extents.count ? Int64(extents[axis]) : 0 }
    }
    if let quantization = type.quantization, !quantization.isPerChannel {
      (scale, zero_point) = (quantization.scale, quantization.zeroPoint)
    } else {
      (scale, zero_point) = (0, 0)
    }
  }
}

/// Tensors or descriptions of such, to be given to the caller.
struct TensorList {
  struct Item {
    let name: String
    let type: TensorType
    var freeAxes: UInt32 = 0
    var isOptional = false
    /// Nil for a description.
    var tensor: Tensor?
  }

  var items: [Item] = []

  init(_ descriptions: [TensorDescription]) {
    items = descriptions.map { description in
      var free: UInt32 = 0
      for (axis, extent) in description.extents.enumerated() where extent.isFree && axis < 32 {
        free |= 1 << axis
      }
      return Item(
        name: description.name, type: description.type, freeAxes: free, isOptional: description.isOptional)
    }
  }

  init(_ tensors: NamedTensors) {
    items = tensors.map { Item(name: $0.name, type: $0.tensor.type, tensor: $0.tensor) }
  }

  /// All of them as one block.
  func block() throws(ApusError) -> UnsafeMutablePointer<apus_tensors> {
    var block = Block()
    let head = try block.reserve(apus_tensors.self)
    let places = try block.reserve(apus_tensor.self, count: items.count)
    block.write { base in
      let head = base.address(head, of: apus_tensors.self)
      head.pointee.size = Int64(MemoryLayout<apus_tensors>.stride)
      head.pointee.items = UnsafePointer(base.address(places, of: apus_tensor.self))
      head.pointee.count = Int64(items.count)
    }
    for (index, item) in items.enumerated() {
      let name = try block.add(item.name)
      let data = try item.tensor.map { (tensor) throws(ApusError) in
        try block.reserve(byteCount: tensor.type.byteCount, alignment: Block.alignment)
      }
      block.write { (base) throws(ApusError) in
        let place = base.address(places, of: apus_tensor.self) + index
        try place.pointee.set(item.type)
        place.pointee.size = Int64(MemoryLayout<apus_tensor>.stride)
        place.pointee.name = UnsafePointer(base.address(name, of: CChar.self))
        place.pointee.byte_count = Int64(item.type.byteCount)
        place.pointee.free_axes = item.freeAxes
        place.pointee.is_optional = item.isOptional ? 1 : 0
        guard let data, let tensor = item.tensor else { return }
        place.pointee.data = base + data
        tensor.withBytes { bytes in
          if let start = bytes.baseAddress { (base + data).copyMemory(from: start, byteCount: bytes.count) }
        }
      }
    }
    return try block.make().address(head)
  }
}
