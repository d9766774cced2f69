/*
 * The manual page on stdout: the help texts as roff.
 */
#ifndef CLI_MANUAL_H
#define CLI_MANUAL_H

// Head of the page and the section NAME.
void manual_start(void);

void manual_section(const char* title);

// A help text: paragraphs, options and usage are formatted, other lines keep their layout.
void manual_text(const char* text);

#endif
