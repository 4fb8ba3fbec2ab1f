import TensorCore

/// The names of Python's that a checkpoint may refer to: those that tensors need. None of them is called; each stands for
/// what Apus does in its place.
struct CheckpointGlobal: Equatable {
  enum Meaning: Equatable {
    case orderedDictionary
    /// `torch.Size`, a tuple of extents.
    case size
    /// `torch.device`, which says nothing here.
    case device
    /// The class of a storage; nil of bytes without a type.
    case storage(SafetensorsType?)
    case elementType(SafetensorsType)
    /// What makes a tensor of a storage, an offset, extents and strides.
    case tensor(hasElementType: Bool)
    /// What makes a parameter of a tensor.
    case parameter
    /// What makes a tensor by one of the former, and gives it a class and attributes.
    case typedTensor
    /// `torch.Tensor` or `torch.nn.Parameter`.
    case tensorClass
  }

  /// With that of its module: `torch._utils._rebuild_tensor_v2`.
  let name: String
  let meaning: Meaning

  /// - Throws: ``ApusError`` of kind `unsupportedModel` that names any other.
  init(module: String, name: String) throws(ApusError) {
    self.name = "\(module).\(name)"
    guard let meaning = Self.meanings[ExactText(self.name)] else {
      throw ApusError(
        .unsupportedModel, "the file asks for \(self.name.clipped), which Apus does not run",
        expected: "tensors by name, and nothing else of Python",
        advice: "Save the weights alone: torch.save(model.state_dict(), file).")
    }
    self.meaning = meaning
  }

  private static let meanings: [ExactText: Meaning] = {
    var meanings: [ExactText: Meaning] = [
      "collections.OrderedDict": .orderedDictionary,
      "torch.Size": .size, "torch.device": .device,
      "torch.Tensor": .tensorClass, "torch._tensor.Tensor": .tensorClass,
      "torch.nn.parameter.Parameter": .tensorClass,
      "torch._utils._rebuild_tensor": .tensor(hasElementType: false),
      "torch._utils._rebuild_tensor_v2": .tensor(hasElementType: false),
      "torch._utils._rebuild_tensor_v3": .tensor(hasElementType: true),
      "torch._utils._rebuild_parameter": .parameter,
      "torch._utils._rebuild_parameter_with_state": .parameter,
      "torch._tensor._rebuild_from_type_v2": .typedTensor,
      "torch.storage.UntypedStorage": .storage(nil), "torch.UntypedStorage": .storage(nil),
    ]
    for (name, type) in storages {
      for module in ["torch", "torch.cuda"] {
        meanings[ExactText("\(module).\(name)Storage")] = .storage(type)
      }
    }
    for (name, type) in elementTypes { meanings[ExactText("torch.\(name)")] = .elementType(type) }
    return meanings
  }()

  private static let storages: [(String, SafetensorsType)] = [
    ("Float", .float32), ("Double", .float64), ("Half", .float16), ("BFloat16", .bfloat16), ("Long", .int64),
    ("Int", .int32), ("Short", .int16), ("Char", .int8), ("Byte", .uint8), ("Bool", .bool),
    ("ComplexFloat", .complex64),
  ]

  private static let elementTypes: [(String, SafetensorsType)] = [
    ("float32", .float32), ("float64", .float64), ("float16", .float16), ("bfloat16", .bfloat16),
    ("int64", .int64), ("int32", .int32), ("int16", .int16), ("int8", .int8), ("uint8", .uint8),
    ("uint16", .uint16), ("uint32", .uint32), ("uint64", .uint64), ("bool", .bool), ("complex64", .complex64),
    ("float8_e4m3fn", .float8E4M3), ("float8_e5m2", .float8E5M2), ("float8_e4m3fnuz", .float8E4M3FNUZ),
    ("float8_e5m2fnuz", .float8E5M2FNUZ), ("float8_e8m0fnu", .float8E8M0),
  ]
}
