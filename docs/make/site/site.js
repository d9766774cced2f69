/* The explorer's frame is as high as its page; what scrolls can be reached by keyboard; the search has a name. */
"use strict";

for (const frame of document.querySelectorAll("iframe.explorer")) {
  const fit = () => {
    const inner = frame.contentDocument?.body;
    if (inner) frame.style.height = `${Math.max(inner.scrollHeight, 400) + 2}px`;
  };
  frame.addEventListener("load", () => {
    new ResizeObserver(fit).observe(frame.contentDocument.body);
    fit();
  });
}

const mark = () => {
  for (const box of document.querySelectorAll(".md-typeset__scrollwrap, .arithmatex .katex-display, .md-typeset pre > code")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  }
};
window.addEventListener("load", mark);
window.addEventListener("resize", mark);

// the theme's search has a role, but no name
for (const search of document.querySelectorAll(".md-search[role=dialog]")) search.setAttribute("aria-label", "Search");
for (const results of document.querySelectorAll(".md-search__scrollwrap")) results.tabIndex = 0;
