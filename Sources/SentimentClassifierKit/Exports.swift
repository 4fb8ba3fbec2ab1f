// What a program that judges texts has to name besides: how a model is set up, and what may go wrong.
@_exported import struct Apus.TextOptions
@_exported import enum Graph.Precision
@_exported import struct Graph.Products
@_exported import struct Networks.Computation
@_exported import struct Networks.InferenceOptions
@_exported import struct TensorCore.ApusError
