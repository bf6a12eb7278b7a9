"""A document as one HTML page that prints well and asks no other host for anything."""

from __future__ import annotations

import base64
import html
from pathlib import Path

from ui.documents import document as part
from ui.documents.document import is_whole, printable
from ui.pictures.table import Table
from ui.words.markdown import bold_html

STYLE = "\n" + Path(__file__).with_suffix(".css").read_text(encoding="utf-8")


def marked(text: str) -> str:
    """HTML of a text in which ``**…**`` sets bold."""
    return bold_html(printable(text))


def _cells(row: tuple[object, ...]) -> str:
    first, *others = (marked(str(cell)) for cell in row)
    return f'<tr><th scope="row">{first}</th>' + "".join(f"<td>{cell}</td>" for cell in others) + "</tr>"


def _block(block: part.Block) -> str:
    match block:
        case part.Paragraph(text, style):
            return f'<p class="{style}">{marked(text)}</p>' if style else f"<p>{marked(text)}</p>"
        case part.Listing(items):
            return "<ul>" + "".join(f"<li>{marked(item)}</li>" for item in items) + "</ul>"
        case part.Code(text):
            return f"<pre>{html.escape(printable(text))}</pre>"
        case part.Figure():
            return f"<figure>{_drawn(block)}<figcaption>{marked(block.caption)}</figcaption></figure>"
        case part.Row(cells):
            return f'<div class="row">{"".join(map(_cell, cells))}</div>'
        case part.Link(_, address):
            said, words = html.escape(printable(address), quote=True), marked(block.shown)
            return f'<p class="quiet"><a href="{said}">{words}</a></p>' if is_whole(address) else f"<p>{words}</p>"
        case part.Square(address):
            return f'<img alt="{html.escape(printable(address), quote=True)}" src="{_data(block.svg)}">'
        case part.Facts(rows):
            table = f'<table class="facts"><tbody>{"".join(map(_cells, rows))}</tbody></table>'
            return f'<div class="columns">{table}</div>' if block.is_long else table
    return _table(block)


def _drawn(figure: part.Figure) -> str:
    """The picture of a figure; nothing where what draws it is not installed: its reading says the numbers."""
    try:
        drawn = _data(figure.svg)
    except ImportError:
        return ""
    alternative = html.escape(figure.reading.replace("**", ""), quote=True)
    size = f' width="{figure.width}"' if isinstance(figure, part.PeopleFigure) else ""
    return f'<img{size} alt="{alternative}" src="{drawn}">'


def _data(svg: str) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"


def _cell(blocks: tuple[part.Block, ...]) -> str:
    narrow = ' class="square"' if any(isinstance(block, part.Square) for block in blocks) else ""
    return f"<div{narrow}>{''.join(map(_block, blocks))}</div>"


def _table(table: Table) -> str:
    head = "".join(f'<th scope="col">{marked(str(cell))}</th>' if cell else "<td></td>" for cell in table.columns)
    body = "".join(_cells(row) for row in table.rows)
    caption = f"<caption>{marked(table.caption)}</caption>" if table.caption else ""
    name = html.escape(printable(table.caption or ", ".join(filter(None, map(str, table.columns)))).replace("**", ""))
    reached = f'class="scroll" tabindex="0" role="region" aria-label="{name}"'  # reachable by keyboard, as it scrolls
    return f"<div {reached}><table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"


def article(document: part.Document, *, level: int) -> str:
    """The document as one element, its style with it; its title is a heading of this level."""
    title, heading = f"h{level}", f"h{level + 1}"
    byline = f'<p class="quiet">{marked(document.byline)}</p>' if document.byline else ""
    parts = [f"<header>{byline}<{title}>{marked(document.title)}</{title}></header>"]
    for section in document.sections:
        if section.part:
            parts.append(f'<{heading} class="part">{marked(section.part)}</{heading}>')
        headed = f"<{heading}>{marked(section.heading)}</{heading}>"
        parts.append(f"<section>{headed}{''.join(map(_block, section.blocks))}</section>")
    parts.append(f'<p class="foot">{marked(document.foot)}</p>')
    return f'<style>{STYLE}</style><article class="riskline-memo">{"".join(parts)}</article>'


def html_page(document: part.Document) -> str:
    """The document as a page of its own."""
    title, author = (html.escape(printable(text).replace("**", "")) for text in (document.title, document.author))
    by = f'<meta name="author" content="{author}">' if author else ""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title>{by}</head><body><main>{article(document, level=1)}</main></body></html>"
    )
