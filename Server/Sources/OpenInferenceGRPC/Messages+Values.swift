import FoundationEssentials
import InferenceProtocol

extension Inference_ModelInferResponse {
  /// All outputs in raw form.
  init(_ response: InferenceResponse) {
    modelName = response.model
    modelVersion = response.version
    id = response.id ?? ""
    outputs = response.outputs.map { output in
      .with {
        $0.name = output.name
        $0.datatype = output.datatype.rawValue
        $0.shape = output.shape.extents.map(Int64.init)
      }
    }
    rawOutputContents = response.outputs.map { Data($0.bytes) }
  }
}

extension Inference_ServerMetadataResponse {
  init(_ metadata: ServerMetadata) {
    (name, version, extensions) = (metadata.name, metadata.version, metadata.extensions)
  }
}

extension Inference_ModelMetadataResponse {
  init(_ metadata: ModelMetadata) {
    (name, versions, platform) = (metadata.name, metadata.versions, metadata.platform)
    inputs = metadata.inputs.map(TensorMetadata.init)
    outputs = metadata.outputs.map(TensorMetadata.init)
  }
}

extension Inference_ModelMetadataResponse.TensorMetadata {
  fileprivate init(_ tensor: ModelMetadata.Tensor) {
    (name, datatype) = (tensor.name, tensor.datatype.rawValue)
    shape = tensor.shape.map(Int64.init)
  }
}

extension Inference_ModelConfig {
  init(_ metadata: ModelMetadata) {
    (name, platform, backend) = (metadata.name, metadata.platform, metadata.platform)
    input = metadata.inputs.map { tensor in
      .with {
        $0.name = tensor.name
        $0.dataType = Inference_DataType(tensor.datatype)
        $0.dims = tensor.shape.map(Int64.init)
        $0.optional = tensor.isOptional
      }
    }
    output = metadata.outputs.map { tensor in
      .with {
        $0.name = tensor.name
        $0.dataType = Inference_DataType(tensor.datatype)
        $0.dims = tensor.shape.map(Int64.init)
      }
    }
  }
}

extension Inference_DataType {
  fileprivate init(_ datatype: InferenceDatatype) {
    self =
      switch datatype {
      case .bool: .typeBool
      case .uint8: .typeUint8
      case .uint16: .typeUint16
      case .uint32: .typeUint32
      case .uint64: .typeUint64
      case .int8: .typeInt8
      case .int16: .typeInt16
      case .int32: .typeInt32
      case .int64: .typeInt64
      case .float16: .typeFp16
      case .bfloat16: .typeBf16
      case .float32: .typeFp32
      case .float64: .typeFp64
      case .bytes: .typeString
      }
  }
}

extension Inference_ModelStatisticsResponse {
  init(_ list: ModelStatisticsList) {
    modelStats = list.models.map { model in
      .with {
        ($0.name, $0.version, $0.lastInference) = (model.name, model.version, model.lastInference)
        ($0.inferenceCount, $0.executionCount) = (model.inferenceCount, model.executionCount)
        $0.inferenceStats = Inference_InferStatistics(model.stages)
      }
    }
  }
}

extension Inference_InferStatistics {
  fileprivate init(_ stages: ModelStatistics.Stages) {
    success = Inference_StatisticDuration(stages.success)
    fail = Inference_StatisticDuration(stages.failure)
    queue = Inference_StatisticDuration(stages.queue)
    computeInput = Inference_StatisticDuration(stages.input)
    computeInfer = Inference_StatisticDuration(stages.inference)
    computeOutput = Inference_StatisticDuration(stages.output)
  }
}

extension Inference_StatisticDuration {
  fileprivate init(_ duration: ModelStatistics.Duration) {
    (count, ns) = (duration.count, duration.nanoseconds)
  }
}

extension Inference_RepositoryIndexResponse {
  init(_ index: [RepositoryModel]) {
    models = index.map { model in
      .with {
        ($0.name, $0.version) = (model.name, model.version)
        ($0.state, $0.reason) = (model.state.rawValue, model.reason)
      }
    }
  }
}
