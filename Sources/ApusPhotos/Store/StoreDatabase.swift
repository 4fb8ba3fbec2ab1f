import GRDB
import TensorCore
