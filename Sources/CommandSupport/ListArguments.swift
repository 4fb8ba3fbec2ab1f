import ArgumentParser

/// The `--null` option of commands that read a list from standard input.
package struct ListArguments: ParsableArguments {
  @Flag(
    name: [.customShort("0"), .long],
    help:
      "Items on standard input end with a zero byte instead of a line break, as written by find -print0."
  )
  package var null = false

  package init() {}

  /// Standard input.
  package var lines: InputLines { InputLines(areDividedByZeros: null) }
}
