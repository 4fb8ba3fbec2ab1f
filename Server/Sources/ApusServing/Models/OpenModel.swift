import Apus

/// A model in one of its forms. It stays in memory as long as anybody has it.
struct OpenModel<Model: InferenceModel & AnyObject>: Sendable {
  let model: Model
  /// What it came of.
  let load: FormLoad
}

/// One of the times that the store opened a form of a model. It holds no model.
struct FormLoad: Sendable, Hashable {
  /// What the store calls the form.
  let form: ExactText
  /// How often it was opened, this time included.
  let number: Int
}
