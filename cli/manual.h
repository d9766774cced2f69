/*
 * The manual page, on stdout: what the help says, in the language of man.
 */
#ifndef CLI_MANUAL_H
#define CLI_MANUAL_H

// Head of the page and the section NAME.
void manual_begin(void);

void manual_section(const char* title);

// A help text: paragraphs, options and usage as such, everything else as it is laid out.
void manual_text(const char* text);

#endif
