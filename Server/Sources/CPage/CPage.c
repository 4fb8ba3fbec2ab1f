#include "CPage.h"

// clang takes C23's #embed in every mode of C, as an extension.
#pragma clang diagnostic ignored "-Wc23-extensions"

const unsigned char apus_page[] = {
#embed "page.html"
};
const unsigned long apus_page_length = sizeof apus_page;
