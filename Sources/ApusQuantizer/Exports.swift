// What a program needs to quantize a model and read what became of it.
@_exported import Apus
@_exported import Evaluation
@_exported import Quantizer
@_exported import Statistics
