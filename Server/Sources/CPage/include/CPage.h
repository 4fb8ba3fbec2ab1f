/// The page that the server gives to browsers: page.html, as it stands beside this target's source.
#pragma once

extern const unsigned char apus_page[];
extern const unsigned long apus_page_length;

/// Swift does not see an array without its length.
static inline const unsigned char *apus_page_bytes(void) { return apus_page; }
