/// How far something reaches along the two spatial axes; both positive.
package struct TFLiteExtent: Sendable, Equatable {
  package var height = 1
  package var width = 1
}

package enum TFLitePadding: Int8, Sendable {
  case same = 0
  case valid = 1
}

package enum TFLiteActivation: Int8, Sendable {
  case none = 0
  case relu = 1
  case reluN1To1 = 2
  case relu6 = 3
  case tanh = 4
  case signBit = 5
}

package enum TFLiteMirrorPadMode: Int8, Sendable {
  /// The border itself is not repeated.
  case reflect = 0
  /// The border is repeated.
  case symmetric = 1
}

package enum TFLiteWeightsFormat: Int8, Sendable {
  case rowMajor = 0
  case shuffled4x16Int8 = 1
}
