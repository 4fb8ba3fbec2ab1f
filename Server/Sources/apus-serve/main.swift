import ApusServer
import ApusServing
