// What the facade speaks of: errors and tensors' types, pictures and how they are prepared.
@_exported import Images
@_exported import TensorCore
