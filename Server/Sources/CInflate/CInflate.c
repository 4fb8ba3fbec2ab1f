#include "CInflate.h"
