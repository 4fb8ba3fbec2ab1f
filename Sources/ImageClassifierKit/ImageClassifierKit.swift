// The part of Apus that looks at pictures, for programs that need no more: classes that a model was trained
// for, labels that the caller writes, and embeddings.
@_exported import class Apus.ImageClassifier
@_exported import class Apus.ImageEmbedder
@_exported import class Apus.ZeroShotClassifier
@_exported import enum Apus.EmbeddingLength
@_exported import enum Apus.Picture
@_exported import enum Apus.ZeroShotScoring
@_exported import struct Apus.Classification
@_exported import struct Apus.Embedding
@_exported import struct Apus.LabelScore
@_exported import struct Apus.Prediction
@_exported import struct Apus.ZeroShotClassification
@_exported import enum Graph.Precision
@_exported import struct Graph.Products
@_exported import Images
@_exported import struct Networks.Computation
@_exported import struct Networks.InferenceOptions
@_exported import TensorCore
