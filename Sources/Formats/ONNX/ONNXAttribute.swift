import TensorCore

/// An attribute of a node.
package struct ONNXAttribute: Sendable {
  package enum Value: Sendable {
    case float(Float)
    case int(Int64)
    case string(String)
    case tensor(ONNXTensor)
    case graph(ONNXGraph)
    case floats([Float])
    case ints([Int64])
    case strings([String])
    case sparse(ONNXSparseTensor)
    /// An attribute of the operator that the file defines by the node, among others.
    case reference(String)
    /// Of a kind that nothing in Apus reads.
    case other(String)
  }

  package let name: String
  package let value: Value

  /// The attribute of the operator around it that it stands for.
  package var reference: String? { if case .reference(let name) = value { name } else { nil } }

  package init(_ name: String, _ value: Value) { (self.name, self.value) = (name, value) }

  /// Reads an `AttributeProto`.
  /// - Parameter depth: of the graph that the node is in.
  init(_ message: Slice<StoredBytes>, depth: Int, _ allowance: ONNXAllowance) throws(ApusError) {
    var fields = Fields(depth: depth, allowance: allowance)
    var reader = ONNXMessage(message)
    while let field = try reader.next() { try fields.read(field) }
    name = fields.name
    do throws(ApusError) {
      value = try fields.value()
    } catch {
      throw error.at("attribute '\(fields.name.clipped)'")
    }
  }

  private struct Fields {
    let depth: Int
    let allowance: ONNXAllowance
    var name = ""
    var type: Int32 = 0
    var float: Float?
    var int: Int64?
    var string: String?
    var tensor: ONNXTensor?
    var graph: ONNXGraph?
    var floats: [UInt8] = []
    var ints: [Int64] = []
    var strings: [String] = []
    var reference: String?
    var sparse: ONNXSparseTensor?

    init(depth: Int, allowance: ONNXAllowance) { (self.depth, self.allowance) = (depth, allowance) }

    mutating func read(_ field: ONNXMessage.Field) throws(ApusError) {
      switch field.number {
      case 1: name = try field.text()
      case 2: float = try field.float()
      case 3: int = try field.int64()
      // Bytes that are no text are of attributes that nothing reads.
      case 4: string = try field.bytes().text
      case 5: tensor = try ONNXTensor(field.bytes(), allowance)
      case 6: graph = try ONNXGraph(field.bytes(), depth: depth + 1, allowance)
      case 7: try field.appendFixed32s(to: &floats)
      case 8: try field.appendInt64s(to: &ints)
      case 9:
        try allowance.take(at: field.offset)
        strings.append(try field.bytes().text)
      case 20: type = try field.int32()
      case 21: reference = try field.text()
      case 22: sparse = try ONNXSparseTensor(field.bytes(), allowance)
      default: break
      }
    }

    /// The field that the type names; in old files, which name none, the one that is there.
    func value() throws(ApusError) -> Value {
      if let reference { return .reference(reference) }
      let kind = type == 0 ? statedKind : type
      switch kind {
      case 1: return .float(float ?? 0)
      case 2: return .int(int ?? 0)
      case 3: return .string(string ?? "")
      case 4:
        guard let tensor else { throw ApusError(.malformedModel, "no tensor", expected: "one") }
        return .tensor(tensor)
      case 5:
        guard let graph else { throw ApusError(.malformedModel, "no graph", expected: "one") }
        return .graph(graph)
      case 6:
        let words = stride(from: 0, to: floats.count, by: 4).map { start in
          (0..<4).reduce(UInt32(0)) { $0 | UInt32(floats[start + $1]) << UInt32(8 * $1) }
        }
        return .floats(words.map { Float(bitPattern: $0) })
      case 7: return .ints(ints)
      case 8: return .strings(strings)
      case 9: return .other("tensors")
      case 10: return .other("graphs")
      case 11:
        guard let sparse else { throw ApusError(.malformedModel, "no sparse tensor", expected: "one") }
        return .sparse(sparse)
      case 12: return .other("sparse tensors")
      case 13, 14: return .other("types")
      default: throw ApusError(.malformedModel, "an attribute of type \(kind)", expected: "1 to 14")
      }
    }

    private var statedKind: Int32 {
      if float != nil { return 1 }
      if int != nil { return 2 }
      if string != nil { return 3 }
      if tensor != nil { return 4 }
      if graph != nil { return 5 }
      if !floats.isEmpty { return 6 }
      return !strings.isEmpty ? 8 : 7
    }
  }
}
