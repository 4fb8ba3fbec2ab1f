import HTMLReport
import Testing

/// Numbers as they are printed.
@Suite struct NumberTextTests {
  @Test(arguments: [
    (NumberText.decimal(-0.7, 1), "−0.7"), (NumberText.decimal(-0.04, 1), "0.0"),
    (NumberText.decimal(1_234_567.891, 2), "1 234 567.89"), (NumberText.decimal(1234, 0), "1234"),
    (NumberText.decimal(.nan, 2), "–"), (NumberText.decimal(-.infinity, 2), "−∞"),
    (NumberText.decimal(1e300, 0), "1.00e+300"),
    (NumberText.signed(0.3, 1), "+0.3"), (NumberText.signed(-0.3, 1), "−0.3"),
    (NumberText.signed(0.01, 1), "0.0"),
    (NumberText.percent(0.7561), "75.6 %"), (NumberText.points(-0.0066), "−0.7"),
    (NumberText.count(12_345), "12 345"), (NumberText.count(Int.min).prefix(2).description, "−9"),
    (NumberText.count(1, "picture"), "1 picture"), (NumberText.count(0, "class", "classes"), "0 classes"),
    (NumberText.bytes(512), "512 B"), (NumberText.bytes(3_565_158), "3.4 MiB"),
    (NumberText.duration(seconds: 0.000_412), "412 µs"), (NumberText.duration(seconds: 0.003_25), "3.25 ms"),
    (NumberText.duration(seconds: 12.34), "12.3 s"), (NumberText.duration(seconds: 0), "0 ns"),
    (NumberText.significant(0.012_345, 3), "0.0123"), (NumberText.significant(98_765, 3), "98 765"),
    (NumberText.times(2.14), "2.1×"), (NumberText.times(12.4), "12×"),
    (NumberText.probability(0.63), "p = 0.63"), (NumberText.probability(0.0123), "p = 0.012"),
    (NumberText.probability(0), "p < 0.001"),
    (NumberText.probability(0.04997), "p = 0.04997"), (NumberText.probability(0.051), "p = 0.051"),
  ])
  func printed(_ text: String, _ expected: String) {
    #expect(text.replacing(NumberText.space, with: " ").replacing("\u{A0}", with: " ") == expected)
  }
}
