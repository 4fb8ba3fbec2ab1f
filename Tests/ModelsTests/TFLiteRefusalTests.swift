import Models
import TensorCore
import TestSupport
import Testing

/// What Apus does not run is refused when the model is loaded, with everything named at once.
struct TFLiteRefusalTests {
  /// A chain of operators without constants, of the given codes, each with one input and one output.
  private func chain(_ codes: [Builder.Code], type: Int8 = Builder.float32) -> TFLiteModelBuilder {
    var model = TFLiteModelBuilder()
    model.codes = codes
    model.subgraphs = [
      Builder.Subgraph(
        tensors: (0...codes.count).map { Builder.Tensor("t\($0)", type, [2]) }, inputs: [0],
        outputs: [Int32(codes.count)],
        operators: codes.indices.map {
          Builder.Operator(code: UInt32($0), inputs: [Int32($0)], outputs: [Int32($0) + 1])
        })
    ]
    return model
  }

  @Test func namesEveryOperatorAtOnce() throws {
    let refusal = chain([
      Builder.Code(16), Builder.Code(101), Builder.Code(32, custom: "Sinh"), Builder.Code(16),
      Builder.Code(32, custom: "FlexAddV2"), Builder.Code(119), Builder.Code(999, deprecated: 127),
      Builder.Code(103),
    ]).refusal()
    #expect(refusal?.kind == .unsupportedModel)
    #expect(
      refusal?.problem
        == "operators that Apus does not run: stateful LSTM (operator 0, operator 3),"
        + " custom 'Sinh' (operator 2), TensorFlow's 'FlexAddV2' (operator 4), control flow WHILE"
        + " (operator 5), unknown builtin operator 999 (operator 6), UNIQUE (operator 7)")
  }

  @Test func namesTensors() {
    let text = chain([Builder.Code(101)], type: Builder.string).refusal()
    #expect(
      text?.problem
        == "tensors that Apus does not compute with: tensor 0 't0' (elements of type STRING),"
        + " tensor 1 't1' (elements of type STRING)")
    var variable = chain([Builder.Code(101)])
    variable.subgraphs[0].tensors[0].isVariable = true
    #expect(variable.refusal() == nil, "an input is no state, whatever it is called")
    variable.subgraphs[0].inputs = []
    #expect(variable.refusal()?.problem.contains("tensor 0 't0' (a variable") == true)
  }

  @Test func looksIntoComposites() {
    var model = SmallModels.composite
    model.codes[1] = Builder.Code(103)
    model.subgraphs[1].operators[0].options = nil
    model.subgraphs[0].operators.removeLast()
    model.subgraphs[0].outputs = [1]
    #expect(model.refusal()?.problem.hasSuffix("UNIQUE (subgraph 1 operator 0)") == true)
  }

  @Test func refusesShuffledWeights() {
    var model = SmallModels.float
    model.subgraphs[0].operators[2].options = Builder.Options(8, [1: .int8(1)])
    #expect(
      model.refusal()?.problem.hasSuffix("FULLY_CONNECTED with weights in a shuffled order (operator 2)")
        == true)
  }

  @Test func anIndexThatIsNotThereIsDamage() {
    let table = Builder.Tensor.constant("table", [3, 1], [1, 2, 3] as [Float])
    let ids = Builder.Tensor.constant("ids", [2], [0, 3] as [Int32])
    let rows = Builder.Tensor("rows", Builder.float32, [2, 1])
    let model = Builder.oneOperator(36, options: Builder.Options(23), inputs: [table, ids], outputs: [rows])
    let refusal = model.refusal()
    #expect(refusal?.kind == .malformedModel && refusal?.problem == "index 3")
    #expect(refusal?.location == "operator 0 (GATHER)" && refusal?.expected == "0 ..< 3")
  }

  @Test func namesTheOperatorWhoseOperandsDoNotFit() {
    var model = SmallModels.float
    model.subgraphs[0].tensors[6] = .constant("matrix", [2, 13], [Float](repeating: 0, count: 26))
    #expect(model.refusal()?.location == "operator 2 (FULLY_CONNECTED)")
    #expect(model.refusal()?.kind == .malformedModel)
  }
}
