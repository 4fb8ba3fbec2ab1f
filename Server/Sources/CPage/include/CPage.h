/// The page that the server gives to browsers: page.html, as it stands beside this target's source.
#pragma once

extern const unsigned char apus_page[];
extern const unsigned long apus_page_length;
