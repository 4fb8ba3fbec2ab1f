import CIntrinsics

/// A depthwise convolution of one picture, with as much padding as keeps its middle pixels in place.
struct DepthwiseShape {
  let height: Int, width: Int, channels: Int
  let kernel: Int, stride: Int, dilation: Int

  private var pad: Int { kernel / 2 * dilation }
  var outputHeight: Int { (height + 2 * pad - dilation * (kernel - 1) - 1) / stride + 1 }
  var outputWidth: Int { (width + 2 * pad - dilation * (kernel - 1) - 1) / stride + 1 }

  func arguments(_ input: Block, _ padding: Block, _ weights: Block, _ output: Block) -> ApusDepthwise {
    ApusDepthwise(
      input: input.address, padding: padding.address, weights: weights.address, output: output.base,
      channels: channels, inputHeight: height, inputWidth: width, outputWidth: outputWidth, firstRow: 0,
      endRow: outputHeight, kernelHeight: kernel, kernelWidth: kernel, strideY: stride, strideX: stride,
      dilationY: dilation, dilationX: dilation, padTop: pad, padLeft: pad, low: 0, high: 0, lowQuantum: 0,
      highQuantum: 0, isSigned: 0, hasSecondPart: 0)
  }
}

func forEachDepthwise(_ body: (DepthwiseShape) -> Void) {
  for channels in [1, 2, 3, 4, 5, 7, 8, 9, 16, 19] {
    for (kernel, stride, dilation) in [
      (3, 1, 1), (3, 2, 1), (3, 1, 2), (5, 1, 1), (5, 2, 1), (7, 1, 1), (7, 2, 1), (1, 1, 1),
    ] {
      for (height, width) in [(1, 1), (5, 4), (6, 11), (9, 14)] {
        body(
          DepthwiseShape(
            height: height, width: width, channels: channels, kernel: kernel, stride: stride,
            dilation: dilation))
      }
    }
  }
}
