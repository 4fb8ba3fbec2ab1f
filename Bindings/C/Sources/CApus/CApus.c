/* The header is all there is: Swift implements it. */
#include "CApus.h"
