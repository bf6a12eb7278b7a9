"""A document as one HTML page that prints well and asks no other host for anything."""

from __future__ import annotations

import base64
import html

from ui.documents.document import Block, Code, Document, Facts, Figure, Links, Listing, Paragraph, is_whole, printable
from ui.pictures.table import Table
from ui.words.markdown import bold_html

STYLE = """
.riskline-memo { font: 9.6pt/1.32 "Source Sans 3", "Source Sans Pro", "Segoe UI", "DejaVu Sans", Arial, sans-serif;
  color: #1b1f24; background: #ffffff; max-width: 46rem; margin: 0 auto; padding: 1.5rem 2rem; text-align: left; }
.riskline-memo h1 { font-size: 19pt !important; line-height: 1.2; margin: 0 0 0.2rem; opacity: 1; color: inherit; }
.riskline-memo h2 { font-size: 12.5pt !important; margin: 0.6rem 0 0.2rem; padding: 0.25rem 0 0 !important;
  color: inherit; border-top: 1px solid #c9ced4; break-after: avoid; }
.riskline-memo h2.part { font-size: 15pt !important; border-top: 0; break-before: page; margin-top: 1.2rem; }
.riskline-memo p.notice { font-weight: 600; border: 1px solid #8b949d; padding: 0.25rem 0.6rem; }
.riskline-memo p { margin: 0 0 0.35rem; font-size: inherit; }
.riskline-memo p.lead { font-size: 12pt; line-height: 1.35; }
.riskline-memo p.quiet, .riskline-memo .foot { font-size: 8.6pt; color: #4d5660; }
.riskline-memo strong { font-variant-numeric: tabular-nums; }
.riskline-memo ul { margin: 0 0 0.5rem; padding-left: 1.2rem; }
.riskline-memo li { margin: 0 0 0.2rem; font-size: inherit; }
.riskline-memo table { width: 100%; border-collapse: collapse; margin: 0.2rem 0 0.6rem; font-size: 9pt;
  font-variant-numeric: tabular-nums; color: inherit; }
.riskline-memo caption { text-align: left; font-size: 8.6pt; color: #4d5660; padding: 0 0 0.2rem; }
.riskline-memo th, .riskline-memo td { text-align: left; vertical-align: top; padding: 0.1rem 0.7rem 0.1rem 0;
  border: 0; border-bottom: 1px solid #dfe3e7; font-weight: 400; overflow-wrap: break-word; }
.riskline-memo table.facts td { overflow-wrap: anywhere; }
.riskline-memo thead th { font-weight: 600; border-bottom: 1.5px solid #8b949d; }
.riskline-memo table.facts th { width: 30%; color: #4d5660; }
.riskline-memo tr { break-inside: avoid; }
.riskline-memo thead { display: table-header-group; break-after: avoid; }
.riskline-memo caption { break-after: avoid; }
.riskline-memo figure { margin: 0.4rem 0 0.6rem; break-inside: avoid; }
.riskline-memo figure img { max-width: 100%; height: auto; }
.riskline-memo figcaption { font-size: 8.6pt; color: #4d5660; }
.riskline-memo pre { font: 7.8pt/1.32 "DejaVu Sans Mono", Consolas, monospace; background: #f4f6f8; color: #1b1f24;
  padding: 0.4rem 0.7rem; margin: 0 0 0.4rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.riskline-memo .scroll { overflow-x: auto; }
.riskline-memo a { color: #0b5394; overflow-wrap: anywhere; }
@page { size: A4; margin: 14mm 17mm 16mm; @bottom-right { content: counter(page) " / " counter(pages);
  font: 8pt "DejaVu Sans", Arial, sans-serif; color: #4d5660; } }
@media print { .riskline-memo { max-width: none; padding: 0; } }
"""


def marked(text: str) -> str:
    """HTML of a text in which ``**…**`` sets bold."""
    return bold_html(printable(text))


def _cells(row: tuple[object, ...]) -> str:
    first, *others = (marked(str(cell)) for cell in row)
    return f'<tr><th scope="row">{first}</th>' + "".join(f"<td>{cell}</td>" for cell in others) + "</tr>"


def _block(block: Block) -> str:
    if isinstance(block, Paragraph):
        style = f' class="{block.style}"' if block.style else ""
        return f"<p{style}>{marked(block.text)}</p>"
    if isinstance(block, Listing):
        return "<ul>" + "".join(f"<li>{marked(item)}</li>" for item in block.items) + "</ul>"
    if isinstance(block, Code):
        return f"<pre>{html.escape(printable(block.text))}</pre>"
    if isinstance(block, Figure):
        return f"<figure>{_drawn(block)}<figcaption>{marked(block.reading)}</figcaption></figure>"
    if isinstance(block, Links):
        return f'<table class="facts"><tbody>{"".join(_link(*row) for row in block.rows)}</tbody></table>'
    if isinstance(block, Facts):
        return f'<table class="facts"><tbody>{"".join(_cells(row) for row in block.rows)}</tbody></table>'
    return _table(block)


def _drawn(figure: Figure) -> str:
    """The picture of a figure; nothing where what draws it is not installed: its reading says the numbers."""
    try:
        vectors = base64.b64encode(figure.drawing.svg.encode()).decode()
    except ImportError:
        return ""
    alternative = html.escape(figure.reading.replace("**", ""), quote=True)
    return f'<img alt="{alternative}" src="data:image/svg+xml;base64,{vectors}">'


def _link(name: str, address: str) -> str:
    """A row with a link, where its address says its host."""
    said = html.escape(printable(address), quote=True)
    linked = f'<a href="{said}">{said}</a>' if is_whole(address) else said
    return f'<tr><th scope="row">{marked(name)}</th><td>{linked}</td></tr>'


def _table(table: Table) -> str:
    head = "".join(f'<th scope="col">{marked(str(cell))}</th>' for cell in table.columns)
    body = "".join(_cells(row) for row in table.rows)
    caption = f"<caption>{marked(table.caption)}</caption>" if table.caption else ""
    name = html.escape(printable(table.caption or ", ".join(map(str, table.columns))).replace("**", ""))
    reached = f'class="scroll" tabindex="0" role="region" aria-label="{name}"'  # reachable by keyboard, as it scrolls
    return f"<div {reached}><table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"


def article(document: Document) -> str:
    """The document as one element, its style with it: for a page of the app."""
    parts = [f'<p class="notice">{marked(document.notice)}</p>'] if document.notice else []
    parts.append(f"<h1>{marked(document.title)}</h1>")
    if document.byline:
        parts.append(f'<p class="quiet">{marked(document.byline)}</p>')
    for section in document.sections:
        if section.part:
            parts.append(f'<h2 class="part">{marked(section.part)}</h2>')
        parts.append(f"<section><h2>{marked(section.heading)}</h2>{''.join(map(_block, section.blocks))}</section>")
    parts.append(f'<p class="foot">{marked(document.foot)}</p>')
    return f'<style>{STYLE}</style><article class="riskline-memo">{"".join(parts)}</article>'


def html_page(document: Document) -> str:
    """The document as a page of its own."""
    title, author = (html.escape(printable(text).replace("**", "")) for text in (document.title, document.author))
    by = f'<meta name="author" content="{author}">' if author else ""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title>{by}</head><body>{article(document)}</body></html>"
    )
