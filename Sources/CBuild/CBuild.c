#include "CBuild.h"

#define TEXT(words) #words
#define EXPANDED_TEXT(words) TEXT(words)

const char *apus_build_commit(void) { return EXPANDED_TEXT(APUS_COMMIT); }
