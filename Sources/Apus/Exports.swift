// What the facade speaks of: errors and tensors' types, pictures and how they are prepared, precision.
@_exported import enum Graph.Precision
@_exported import struct Graph.Products
@_exported import Images
@_exported import struct Formats.LabelDetails
@_exported import struct Formats.TranslatedText
@_exported import struct Networks.Computation
@_exported import struct Networks.InferenceOptions
@_exported import TensorCore
