"""Parts of the site's build. Oracles: the texts that GitHub shows, written out; the doctests' own form."""

from __future__ import annotations

import json
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import menu
import python_pages
from gfm import from_github
from links import broken_links
from notebooks import Notebook


class Markdown(unittest.TestCase):
    def test_a_list_may_follow_a_paragraph(self) -> None:
        self.assertEqual(from_github("Two:\n- a\n- b"), "Two:\n\n- a\n- b")

    def test_what_belongs_to_an_item_is_indented_by_four(self) -> None:
        text = "1. Run it:\n\n   ```sh\n   make run\n     -j\n   ```\n\n   Then\n   - x\n     more\n2. End\n\nAfter"
        wanted = "1. Run it:\n\n    ```sh\n    make run\n      -j\n    ```\n\n    Then\n    - x\n        more\n2. End\n\nAfter"
        self.assertEqual(from_github(text), wanted)

    def test_code_keeps_its_lines(self) -> None:
        for text in ("```yaml\na:\n- 1\n  - 2\n```", "Text\n\n    - code\n", "a\n2. no list, as on GitHub"):
            self.assertEqual(from_github(text), text)

    def test_equations_and_notes_of_github(self) -> None:
        self.assertEqual(from_github("the speed $`v_s`$"), "the speed $v_s$")
        self.assertEqual(from_github("> [!NOTE]\n> Text\n"), "!!! note\n\n    Text\n")


class Menu(unittest.TestCase):
    def test_titles_are_first_headings(self) -> None:
        self.assertEqual(menu.title_of("```sh\n# no\n```\n# Use `a` and [b](c.md)\n", "x.md"), "Use a and b")
        self.assertEqual(menu.title_of("no heading", "docs/some_page.md"), "Some page")

    def test_every_page_is_in_the_group_of_its_folder(self) -> None:
        groups = {
            "docs/tutorial/new.md": "Tutorial",
            "examples/notebooks/push.md": "Tutorial",
            "docs/howto/new.md": "How-to",
            "docs/faq.md": "How-to",
            "docs/glossary.md": "Reference",
            "docs/explanation/new.md": "Explanation",
            "docs/reproduction/new.md": "Reproduction",
            "scenarios/README.md": "Tutorial",
            "bindings/wasm/README.md": "How-to",
            "web/README.md": "Project",
        }
        for path, group in groups.items():
            self.assertEqual(menu.position_of(path)[0], group)
            self.assertIn(path, "\n".join(menu.write_menu({path: "# Title"})))

    def test_a_folder_is_in_the_order_of_its_first_page(self) -> None:
        pages = {"docs/tutorial/a.md": "# A", "docs/tutorial/b.md": "# B", "docs/tutorial/guide.md": "[2](b.md) [1](a.md)"}
        ordered = menu.sorted_pages(pages, list(pages))
        self.assertEqual([Path(path).stem for path in ordered], ["guide", "b", "a"])


class Python(unittest.TestCase):
    def test_docstrings_become_tables_and_code(self) -> None:
        def sample(mass: float) -> float:
            """Weight of a mass.

            Args:
                mass: of the body [kg],
                    > 0

            On the ground.

            Returns:
                the weight [N]

            >>> sample(1)
            9.81
            """
            return 9.81 * mass

        text = python_pages.described(sample)
        self.assertIn("| <code>mass</code> | of the body &#91;kg&#93;, &#62; 0 |", text)
        self.assertIn("\nOn the ground.\n", text)
        self.assertIn("**Returns** the weight", text)
        self.assertIn("```pycon\n>>> sample(1)\n9.81\n```", text)


class Others(unittest.TestCase):
    def test_notebooks_show_code_outputs_and_pictures(self) -> None:
        cells = [
            {"cell_type": "markdown", "source": ["# Title\n", "text"]},
            {"cell_type": "code", "source": "1 + 1", "outputs": [{"data": {"text/plain": "2"}}, {"data": {"image/png": "YQ=="}}]},
        ]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "book.ipynb"
            path.write_text(json.dumps({"cells": cells}), encoding="utf-8")
            book = Notebook(path)
        self.assertEqual(book.pictures, {"book-1.png": b"a"})
        self.assertIn("# Title\ntext\n\n```python\n1 + 1\n```\n\n```text\n2\n```\n\n![", book.text)

    def test_broken_links_are_found(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            site = Path(folder)
            (site / "a.html").write_text('<p id="x"><a href="b.html#y"><a href="b.html#z"><a href="c.html">', encoding="utf-8")
            (site / "b.html").write_text('<p id="y"><a href="https://example.org/">', encoding="utf-8")
            self.assertEqual(broken_links(site), (3, ["a.html: b.html#z", "a.html: c.html"]))


if __name__ == "__main__":
    unittest.main()
