#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
# report_page.py RESULTS.json REPORT.html - is every figure of the page the document's, is all of the document on the page,
# and does the page need nothing from elsewhere?
import html.parser
import json
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    document = json.load(file)
with open(sys.argv[2], encoding="utf-8") as file:
    page = file.read()


class Reader(html.parser.HTMLParser):
    """Rows of each table by its id: (text, data-v) for each cell; the list items of the verdict; every tag and attribute."""

    VOID, CLOSED = {"meta"}, {"line", "circle", "polyline"}

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tables, self.table, self.verdicts, self.in_verdicts, self.open, self.outside = {}, None, [], False, [], []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag not in self.VOID:
            self.open.append(tag)
        for name in ("src", "href", "srcset", "data", "action"):
            if name in attributes:
                self.outside.append((tag, name, attributes[name]))
        if tag == "table":
            self.table = self.tables[attributes["id"]] = []
        if tag == "tr" and self.table is not None:
            self.table.append([])
        if tag == "td":
            self.table[-1].append(["", attributes.get("data-v")])
        if tag == "ul":
            self.in_verdicts = attributes.get("id") == "verdicts"
        if tag == "li" and self.in_verdicts:
            self.verdicts.append("")

    def handle_startendtag(self, tag, attributes):
        assert tag in self.CLOSED, tag

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> while {self.open[-3:]} is open"
        self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] == "td":
            self.table[-1][-1][0] += data
        if self.open and self.open[-1] == "li" and self.in_verdicts:
            self.verdicts[-1] += data


reader = Reader()
reader.feed(page)
assert not reader.open, reader.open
assert not reader.outside and "http:" not in page and "https:" not in page and "@import" not in page, reader.outside
tables = {name: rows[1:] for name, rows in reader.tables.items()}


def median(name):
    return lambda row: row[name]["median"]


def field(name):
    return lambda row: row[name]


def is_same(cell, wanted):
    text, value = cell
    if wanted is None:
        return text == "" and value is None
    if isinstance(wanted, str):
        return text == wanted and value is None
    shown = float(text.replace(",", ""))
    digits = len(text.partition(".")[2])
    return abs(float(value) - wanted) <= 1e-5 * abs(wanted) and abs(shown - float(value)) <= 0.51 * 10 ** -digits


def compare(name, rows, columns):
    assert len(tables[name]) == len(rows), (name, len(tables[name]), len(rows))
    for cells, row in zip(tables[name], rows):
        assert len(cells) == len(columns), (name, cells)
        for cell, column in zip(cells, columns):
            wanted = column(row)
            assert is_same(cell, wanted), (name, cell, wanted, row)


measured = [row for row in document["results"] if row["is_measured"]]
refused = [row for row in document["results"] if not row["is_measured"]]
key = [field("body"), field("arm"), field("library")]
compare("results", measured, key + [
    median("requests_per_s"), lambda row: row["requests_per_s"]["mad"], field("requests_to_first"),
    median("cpu_us_per_response"), median("cpu_us_per_response_by_ticks"), field("cpu_to_first"), median("p50_ms"),
    median("p95_ms"), median("p99_ms"), field("wire_bytes"), median("peak_rss_kb"), median("server_busy"),
    median("client_busy"), field("limit")])
compare("sizes", measured, key + [field("wire_bytes"), field("content_encoding"), field("vary")])
compare("network", document["network"], [
    field("body"), field("library"), field("arm"), field("cpu_us"), field("wire_bytes"), field("ms_at_20"), field("ms_at_100"),
    field("ms_at_1000"), field("break_even_mbit"), field("before")])
if document["memory"]:
    compare("memory", document["memory"], [
        field("arm"), field("library"), field("body"), field("clients"), field("peak_kb"), field("kb_per_client")])
compare("refused", refused, key + [field("refused")])
compare("libraries", document["libraries"], [
    field("name"), field("version"), lambda row: row["broken"] or row["mapped"], field("alerts")])
assert reader.verdicts == document["verdicts"], (reader.verdicts, document["verdicts"])

# The words say what the figures say.
by_key = {(row["body"], row["arm"], row["library"]): row for row in measured}
sentence = re.compile(r"(\S+), (\S+): (level \d) costs (\d+) % (less|more) CPU per response than (level \d) .* for ([\d.]+) % (fewer|more) bytes")
found = 0
for text in document["verdicts"]:
    match = sentence.match(text)
    if not match:
        continue
    body, library, level, cpu, cpu_word, usual, size, size_word = match.groups()
    a, b = by_key[body, level, library], by_key[body, usual, library]
    cpu_less = 100 * (1 - a["cpu_us_per_response"]["median"] / b["cpu_us_per_response"]["median"])
    size_less = 100 * (1 - a["wire_bytes"] / b["wire_bytes"])
    assert abs(abs(cpu_less) - float(cpu)) < 0.51 and (cpu_less >= 0) == (cpu_word == "less"), text
    assert abs(abs(size_less) - float(size)) < 0.06 and (size_less >= 0) == (size_word != "more"), text
    found += 1
levels = {row["arm"] for row in measured if row["level"] and "," not in row["arm"]}
assert found or len(levels) < 2, document["verdicts"]
for row in document["network"]:
    for mbit in (20, 100, 1000):
        wanted = row["cpu_us"] / 1e3 + row["wire_bytes"] * 8 / mbit / 1e3
        assert abs(row[f"ms_at_{mbit}"] - wanted) <= 1e-4 * wanted, row

# A picture for each body that was measured: as many dots as there are figures.
dots = page.count("<title>") - 1
assert page.count("<svg") >= 3 * len({row["body"] for row in measured}) and dots == sum((row["requests_per_s"]["median"] > 0) + (row["cpu_us_per_response"]["median"] > 0) + (row["p99_ms"]["median"] > 0) for row in measured), dots
for needed in ("prefers-color-scheme:dark", "@media print", "name=viewport", "ariaSort"):
    assert needed in page, needed
print(f"{len(measured)} measured, {len(refused)} refused, {len(reader.verdicts)} verdicts: the page says what the document says")
