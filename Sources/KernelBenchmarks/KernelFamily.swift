/// The kinds of kernels that are measured.
package enum KernelFamily: String, Sendable, CaseIterable {
  case gemm
  case convolution
  case depthwise
  case batchMatMul = "batch-matmul"
  case attention
  case layerNorm = "layer-norm"
  case softmax
  case gelu
  case quantize
  case dequantize
  case widen
  case resize
  case scan
}
