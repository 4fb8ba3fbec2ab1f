/// The function that ``Linear`` applies to its sums before it stores them.
package enum LinearActivation: Hashable, Sendable {
  case none, relu, tanh
  case gelu(GeluForm)
}
