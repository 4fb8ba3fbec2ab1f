// What the facade speaks of: errors and tensors, pictures and how they are prepared, tokenizers, precision.
@_exported import enum Graph.Precision
@_exported import struct Graph.Products
@_exported import Images
@_exported import enum Kernels.ForkGate
@_exported import struct Formats.LabelDetails
@_exported import struct Formats.TranslatedText
@_exported import struct Networks.Computation
@_exported import struct Networks.InferenceOptions
@_exported import struct Networks.ModelMemory
@_exported import struct Networks.TensorDescription
@_exported import TensorCore
@_exported import struct Text.Encoding
@_exported import struct Text.Padding
@_exported import struct Text.TextPair
@_exported import enum Text.TextSide
@_exported import struct Text.Tokenizer
@_exported import struct Text.TokenizerConfiguration
@_exported import struct Text.Truncation
@_exported import enum Text.TruncationStrategy
