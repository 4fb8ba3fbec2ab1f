import CIntrinsics

/// Every kernel of the float family. Rounding is the same where multiplications and additions are fused.
func floatCases(_ results: KernelResults) {
  let kernels = kernelTable(writeFloatKernels)
  results.random = Random(seed: 1)
  floatProducts(results, kernels)
  attentionCases(
    results, kernels.attention, kernels.attentionScratchByteCount, named: "attention", .sameNumbers)
  floatDepthwise(results, kernels)
  patchCases(results, kernels)
  convolutionCases(results, kernels)
  functionCases(results, kernels)
  rowCases(results, kernels)
  wideningCases(results, kernels)
}

private func floatProducts(_ results: KernelResults, _ kernels: ApusFloatKernels) {
  let activations = [
    APUS_IDENTITY, APUS_GELU_TANH, APUS_IDENTITY, APUS_TANH, APUS_GELU_EXACT, APUS_GELU_SIGMOID,
    APUS_HARD_SWISH, APUS_SWISH,
  ]
  forEachProduct(elements: 1) { rows, columns, depth in
    let panels = Panels(columns: columns, depth: depth, elements: 1)
    let stored = Block.floats(columns * depth, &results.random)
    panels.pack(kernels.pack, stored, ApusStoredFloat32, depth: depth, scale: 0.75)
    panels.forEach { header, _, width in
      for lane in 0..<width {
        header.storeBytes(of: results.random.float(), toByteOffset: 4 * lane, as: Float.self)
      }
    }
    let (a, aStride) = (Block.floats(rows * (depth + 1), &results.random), 4 * (depth + 1))
    let residual = Block.floats(rows * columns, &results.random)
    let c = Block(byteCount: rows * 4 * (columns + 2))
    var gemm = ApusGemm(
      a: a.address, aStride: aStride, panels: panels.block.address, panelStride: panels.stride, c: c.base,
      cStride: 4 * (columns + 2), rows: rows, columns: columns, depth: depth,
      residual: depth % 2 == 0 ? UnsafePointer(residual.pointer()) : nil, residualStride: 4 * columns,
      low: depth % 3 == 0 ? -0.25 : -.infinity, high: depth % 3 == 0 ? 0.5 : .infinity, rowSums: nil,
      rowScales: nil, scalesColumnsFirst: 0, lowQuantum: 0, highQuantum: 0, isSigned: 0,
      activation: activations[(rows + depth) % activations.count])
    kernels.gemm(&gemm)
    results.record("float gemm", c, .sameNumbers, (rows, columns, depth))
  }
}

private func floatDepthwise(_ results: KernelResults, _ kernels: ApusFloatKernels) {
  forEachDepthwise { shape in
    let blocks = (shape.channels + lanes - 1) / lanes
    let input = Block.floats(shape.height * shape.width * shape.channels + lanes, &results.random)
    let padding = Block.floats(shape.channels + lanes, &results.random)
    let weights = Block.floats(blocks * (1 + shape.kernel * shape.kernel) * lanes, &results.random)
    let output = Block(byteCount: 4 * shape.outputHeight * shape.outputWidth * shape.channels)
    var depthwise = shape.arguments(input, padding, weights, output)
    (depthwise.low, depthwise.high) = (-1, 1.5)
    kernels.depthwise(&depthwise)
    results.record("float depthwise", output, .sameNumbers, (shape.kernel, shape.stride, shape.channels))
  }
}

private func patchCases(_ results: KernelResults, _ kernels: ApusFloatKernels) {
  for pixelBytes in [3, 4, 12, 16, 20, 36] {
    for (kernel, stride, dilation) in [(1, 1, 1), (3, 1, 1), (3, 2, 1), (3, 1, 2), (5, 3, 1)] {
      let (height, width, pad) = (9, 11, kernel / 2)
      let input = Block.bytes(height * width * pixelBytes + 64, &results.random)
      let padding = Block.bytes(pixelBytes + 64, &results.random)
      let outputWidth = (width + 2 * pad - dilation * (kernel - 1) - 1) / stride + 1
      let patchStride = kernel * kernel * pixelBytes + 5
      let patches = Block(byteCount: 2 * outputWidth * patchStride + 64)
      var arguments = ApusPatches(
        input: input.address, padding: padding.address, patches: patches.base, patchStride: patchStride,
        pixelBytes: pixelBytes, pixelStride: pixelBytes, inputHeight: height, inputWidth: width,
        outputWidth: outputWidth, firstPixel: 1, pixelCount: 2 * outputWidth - 1, kernelHeight: kernel,
        kernelWidth: kernel, strideY: stride, strideX: stride, dilationY: dilation, dilationX: dilation,
        padTop: pad, padLeft: pad)
      kernels.gatherPatches(&arguments)
      results.record("patches", patches, .exact, (pixelBytes, kernel, stride))
    }
  }
}

private func convolutionCases(_ results: KernelResults, _ kernels: ApusFloatKernels) {
  for (channels, columns) in [(1, 5), (3, 2 * lanes), (6, 3 * lanes + 1)] {
    for (kernel, stride, dilation) in [(1, 2, 1), (3, 1, 1), (3, 2, 1), (3, 1, 2), (5, 1, 1)] {
      let (height, width, pad) = (5, 19, kernel / 2)
      let outputHeight = (height + 2 * pad - dilation * (kernel - 1) - 1) / stride + 1
      let outputWidth = (width + 2 * pad - dilation * (kernel - 1) - 1) / stride + 1
      let image = Block.floats(height * width * channels, &results.random)
      let depth = kernel * kernel * channels
      let stored = Block.floats(columns * depth, &results.random)
      let panels = Panels(columns: columns, depth: depth, elements: 1)
      panels.pack(kernels.pack, stored, ApusStoredFloat32, depth: depth)
      let residual = Block.floats(outputHeight * outputWidth * columns, &results.random)
      let result = Block(byteCount: 4 * outputHeight * outputWidth * columns)
      var arguments = ApusConvolution(
        input: image.address, channels: channels, inputHeight: height, inputWidth: width,
        outputWidth: outputWidth, firstRow: 0, endRow: outputHeight, kernelHeight: kernel,
        kernelWidth: kernel, strideY: stride, strideX: stride, dilationY: dilation, dilationX: dilation,
        padTop: pad, padLeft: pad, panels: panels.block.address, panelStride: panels.stride,
        columns: columns, c: result.base, cStride: 4 * columns,
        residual: stride == 1 ? UnsafePointer(residual.pointer()) : nil, low: -1, high: 1.5,
        activation: channels == 3 ? APUS_HARD_SWISH : APUS_IDENTITY)
      kernels.convolve(&arguments)
      results.record("convolution", result, .sameNumbers, (channels, kernel, stride))
    }
  }
}
