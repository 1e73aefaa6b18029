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
    """Rows of each table by its id: (text, data-v) for each cell; the items of each list by its id; every tag and attribute."""

    VOID, CLOSED = {"meta"}, {"line", "circle", "polyline"}

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tables, self.heads, self.table, self.lists, self.list, self.open, self.outside = {}, {}, None, {}, None, [], []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag not in self.VOID:
            self.open.append(tag)
        for name in ("src", "href", "srcset", "data", "action"):
            if name in attributes:
                self.outside.append((tag, name, attributes[name]))
        if tag == "table":
            self.table = self.tables[attributes["id"]] = []
            self.heads[attributes["id"]] = self.head = []
        if tag == "th":
            self.head.append("")
        if tag == "tr" and self.table is not None:
            self.table.append([])
        if tag == "td":
            self.table[-1].append(["", attributes.get("data-v")])
        if tag == "ul":
            self.list = self.lists.setdefault(attributes.get("id", ""), [])
        if tag == "li":
            self.list.append("")

    def handle_startendtag(self, tag, attributes):
        assert tag in self.CLOSED, tag

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> while {self.open[-3:]} is open"
        self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] == "td":
            self.table[-1][-1][0] += data
        if self.open and self.open[-1] == "th":
            self.head[-1] += data
        if self.open and self.open[-1] == "li":
            self.list[-1] += data


reader = Reader()
reader.feed(page)
assert not reader.open, reader.open
assert not reader.outside and "http:" not in page and "https:" not in page and "@import" not in page, reader.outside
tables = {name: rows[1:] for name, rows in reader.tables.items()}


def median(name):
    return lambda row: row[name]["median"]


def end(name, which):
    return lambda row: row[name][which]


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
    if not rows:
        assert name not in tables, name
        return
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
    median("requests_per_s"), end("requests_per_s", "low"), end("requests_per_s", "high"), field("requests_to_first"),
    field("requests_to_first_low"), field("requests_to_first_high"), median("cpu_us_per_response"),
    end("cpu_us_per_response", "low"), end("cpu_us_per_response", "high"), median("cpu_us_per_response_by_ticks"),
    field("cpu_to_first"), field("cpu_to_first_low"), field("cpu_to_first_high"), median("p50_ms"), median("p95_ms"), median("p99_ms"),
    field("wire_bytes"), median("peak_rss_kb"), median("server_busy"), median("client_busy"), field("limit")])
for row in measured:
    for name in ("requests_to_first", "cpu_to_first"):
        assert row[name + "_low"] <= row[name] <= row[name + "_high"], row
    for name in ("requests_per_s", "cpu_us_per_response", "p99_ms"):
        assert row[name]["low"] <= row[name]["median"] <= row[name]["high"], row
compare("sizes", measured, key + [field("content_type"), field("wire_bytes"), field("content_encoding"), field("vary")])
compare("rates", document["fixed_rate"], key + [
    field("rate_per_s"), median("achieved_per_s"), median("p50_ms"), median("p95_ms"), median("p99_ms"), median("cpu_us_per_response"),
    median("late_share"), field("refused")])
compare("network", document["network"], [
    field("body"), field("library"), field("arm"), field("cpu_us"), field("wire_bytes"), field("ms_at_20"), field("ms_at_100"),
    field("ms_at_1000"), field("break_even_mbit"), field("before")])
compare("memory", document["memory"], [
    field("arm"), field("library"), field("body"), field("clients"), field("peak_kb"), field("kb_per_client")])
compare("refused", refused, key + [field("refused")])
compare("libraries", document["libraries"], [
    field("name"), field("version"), lambda row: row["broken"] or row["mapped"], field("alerts"), field("soname"), field("sha256"),
    field("build_id")])
for name in ("summary", "verdicts", "absent"):
    assert reader.lists.get(name, []) == document[name], (name, reader.lists.get(name), document[name])

# Bytes by level: a row for each body and library, a column for each arm that was measured there.
wire = {(row["body"], row["arm"], row["library"]): row["wire_bytes"] for row in measured}
places = [(body["name"], library["name"]) for body in document["bodies"] for library in document["libraries"]]
arms = reader.heads["levels"][2:]
assert set(arms) == {arm for _, arm, _ in wire} & {"off", "gzip_static", "module", *(f"level {n}" for n in range(1, 10))}, arms
assert len(tables["levels"]) == len(places)
for cells, (body, library) in zip(tables["levels"], places):
    assert [cell[0] for cell in cells[:2]] == [body, library], cells
    for cell, arm in zip(cells[2:], arms):
        assert is_same(cell, wire.get((body, arm, library))), (cell, body, arm, library)

# An article's published figures stand beside ours.
if "article" in document:
    rows = document["article"]["rows"]
    assert reader.heads["article"][2:] == [library["name"] for library in document["libraries"]]
    for cells, row in zip(tables["article"], rows):
        assert cells[0][0] == row["what"] and is_same(cells[1], row["published"]), (cells, row)
        assert all(is_same(cell, value) for cell, value in zip(cells[2:], row["ours"])), (cells, row)
    assert len(rows) == len(tables["article"]) >= 5
else:
    assert "article" not in tables

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
assert found or len(levels) < 2 or "article" in document, document["verdicts"]
assert not any("," in row["arm"] for row in document["network"]), "another client is no choice among levels"
for row in document["network"]:
    for mbit in (20, 100, 1000):
        wanted = row["cpu_us"] / 1e3 + row["wire_bytes"] * 8 / mbit / 1e3
        assert abs(row[f"ms_at_{mbit}"] - wanted) <= 1e-4 * wanted, row

# A picture for each body that was measured: as many dots as there are figures.
dots = page.count("<title>") - 1
wanted_dots = sum((row["requests_per_s"]["median"] > 0) + (row["cpu_us_per_response"]["median"] > 0) + (row["p99_ms"]["median"] > 0)
                  for row in measured) + sum(not row["refused"] and row["p99_ms"]["median"] > 0 for row in document["fixed_rate"])
assert page.count("<svg") >= 3 * len({row["body"] for row in measured}) and dots == wanted_dots, (dots, wanted_dots)
for needed in ("prefers-color-scheme:dark", "@media print", "name=viewport", "ariaSort"):
    assert needed in page, needed
print(f"{len(measured)} measured, {len(refused)} refused, {len(document['verdicts'])} verdicts: the page says what the document says")
