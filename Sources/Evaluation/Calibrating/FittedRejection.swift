import Apus

/// A rejection, and the novelty above which pictures are foreign.
package struct FittedRejection: Sendable {
  package let model: Rejection
  package let threshold: Float
}
