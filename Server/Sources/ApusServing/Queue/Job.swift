import Apus
import ApusService

/// Work of one kind that a model does in one of its forms.
struct Job<Model: InferenceModel & AnyObject, Input: Sendable, Output: Sendable>: Sendable {
  /// What a request asks for. One that needed the model before it waits brings it, so that what it has of that, tokens and the
  /// width of vectors among it, belongs to what it runs on.
  struct Item: Sendable {
    let input: Input
    var open: OpenModel<Model>?
  }

  let form: ServiceModel<Model>
  /// One output for each input.
  let perform: @Sendable (Model, [Input]) async throws -> [Output]

  init(
    _ form: ServiceModel<Model>,
    perform: @escaping @Sendable (Model, [Input]) async throws -> [Output]
  ) {
    (self.form, self.perform) = (form, perform)
  }

  /// Items done one after the other.
  init(
    _ form: ServiceModel<Model>, each: @escaping @Sendable (Model, Input) async throws -> Output
  ) {
    self.init(form) { model, inputs in
      var outputs: [Output] = []
      for input in inputs { outputs.append(try await each(model, input)) }
      return outputs
    }
  }

  /// Does items, those of one opening of the model together.
  /// - Throws: ``ServingError`` of kind `unavailable` when the model was taken out; what keeps it from being opened; what the
  ///   work throws.
  func outputs(
    of items: [Item], from access: FormAccess, account: ExecutionAccount
  ) async throws -> [Output] {
    try access.require()
    var outputs = [Output?](repeating: nil, count: items.count)
    var rest = Array(items.indices)
    while let first = rest.first {
      // Opening it is no part of the run.
      let open = if let own = items[first].open { own } else { try await access.model(for: form) }
      let isOther = { (place: Int) in items[place].open.map { $0.load != open.load } ?? false }
      let places = rest.filter { !isOther($0) }
      let found = try await account.executing(by: open.load, times: open.model.takeRunTimes) {
        try await perform(open.model, places.map { items[$0].input })
      }
      for (place, output) in zip(places, found) { outputs[place] = output }
      rest = rest.filter(isOther)
    }
    return outputs.compactMap(\.self)
  }
}
