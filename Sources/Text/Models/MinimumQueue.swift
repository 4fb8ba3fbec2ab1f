/// A queue that gives its least element first: a heap with four children to a node.
struct MinimumQueue<Element: Comparable> {
  private var heap: [Element] = []

  /// Adds an element without keeping the order; ``order()`` restores it.
  mutating func appendUnordered(_ element: Element) { heap.append(element) }

  mutating func order() {
    for index in stride(from: (heap.count + 2) / 4, through: 0, by: -1) where index < heap.count {
      sink(index)
    }
  }

  mutating func insert(_ element: Element) {
    heap.append(element)
    var index = heap.count - 1
    while index > 0, element < heap[(index - 1) / 4] {
      heap[index] = heap[(index - 1) / 4]
      index = (index - 1) / 4
    }
    heap[index] = element
  }

  mutating func removeMinimum() -> Element? {
    guard let last = heap.popLast() else { return nil }
    guard let first = heap.first else { return last }
    heap[0] = last
    sink(0)
    return first
  }

  private mutating func sink(_ start: Int) {
    let element = heap[start]
    var index = start
    while true {
      var least = element
      var place = index
      for child in (4 * index + 1)..<min(4 * index + 5, max(heap.count, 4 * index + 1))
      where heap[child] < least {
        least = heap[child]
        place = child
      }
      guard place != index else { break }
      heap[index] = least
      index = place
    }
    heap[index] = element
  }
}
