/* SPDX-License-Identifier: Zlib */
/* html_style.c - the report's style sheet, its few lines of script, and its words on the method. */
#include "lab/html.h"

const char zw_lab_html_head[] =
	"<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
	"<meta name=viewport content='width=device-width, initial-scale=1'>\n<title>zwire lab</title>\n<style>\n"
	":root{color-scheme:light dark;--back:#fff;--ink:#1b1f24;--dim:#59636e;--line:#d5dae0;--soft:#f4f6f8;--c0:#8a8f98;"
	"--c1:#0a66c2;--c2:#c2410c;--c3:#15803d;--c4:#7c3aed;--c5:#b91c6b}\n"
	"@media(prefers-color-scheme:dark){:root{--back:#14171b;--ink:#e6e9ed;--dim:#9aa4af;--line:#333a42;--soft:#1c2026;--c0:#a3a9b2;"
	"--c1:#5aa9ff;--c2:#fb923c;--c3:#4ade80;--c4:#c4a1ff;--c5:#f472b6}}\n"
	"*{box-sizing:border-box}body{margin:0 auto;max-width:1100px;padding:1rem;background:var(--back);color:var(--ink);"
	"font:16px/1.45 system-ui,sans-serif}h1{margin:.2em 0}h2{margin:2em 0 .4em;border-bottom:1px solid var(--line)}"
	"h3{margin:1.4em 0 .3em}p,li{max-width:75ch}.dim{color:var(--dim)}#verdicts{columns:2 26em;column-gap:2.5em;font-size:.9rem}#summary{font-size:1.05rem}\n"
	".wide{overflow-x:auto}table{border-collapse:collapse;font-size:.85rem;font-variant-numeric:tabular-nums}"
	"th,td{padding:.25em .6em;border-bottom:1px solid var(--line);text-align:left;white-space:nowrap}"
	"td[data-v]{text-align:right}td.long{white-space:normal;min-width:18em;overflow-wrap:anywhere}"
	"td:first-child,th:first-child{position:sticky;left:0;background:var(--back)}"
	"th button{all:unset;cursor:pointer;font-weight:600}th button:focus-visible{outline:2px solid var(--c1)}"
	"th[aria-sort=ascending] button:after{content:' \\2191'}th[aria-sort=descending] button:after{content:' \\2193'}\n"
	".plots{columns:2 420px;column-gap:1rem}"
	"figure{break-inside:avoid;margin:0 0 1rem;padding:.6rem;background:var(--soft);border-radius:8px}figcaption{font-size:.85rem;color:var(--dim)}"
	"svg{width:100%;height:auto;font:12px system-ui,sans-serif}svg text{fill:var(--ink)}svg text.tick{fill:var(--dim);font-size:11px}"
	".grid,.row{stroke:var(--line);stroke-width:1}.row{stroke-dasharray:2 3}line{stroke-width:2}"
	".c0{fill:var(--c0)}.c1{fill:var(--c1)}.c2{fill:var(--c2)}.c3{fill:var(--c3)}.c4{fill:var(--c4)}.c5{fill:var(--c5)}"
	"polyline{fill:none;stroke-width:2}.l0{stroke:var(--c0)}.l1{stroke:var(--c1)}.l2{stroke:var(--c2)}.l3{stroke:var(--c3)}"
	".l4{stroke:var(--c4)}.l5{stroke:var(--c5)}\n"
	"@media print{body{max-width:none;font-size:10pt}.wide{overflow:visible}table{font-size:7pt}figure,tr{break-inside:avoid}"
	"h2,h3{break-after:avoid}th,td{padding:.15em .3em;white-space:normal}}\n"
	"</style>\n</head>\n<body>\n";

/* A click on a column's head sorts by it, by numbers where there are numbers; a second click turns it round. */
const char zw_lab_html_script[] =
	"<script>\n"
	"for (const head of document.querySelectorAll('th')) {\n"
	"  const button = document.createElement('button');\n"
	"  button.append(...head.childNodes); head.append(button);\n"
	"  button.onclick = () => {\n"
	"    const down = head.ariaSort === 'ascending', table = head.closest('table'), body = table.tBodies[0];\n"
	"    const key = row => { const cell = row.cells[head.cellIndex]; return cell.dataset.v ?? cell.textContent; };\n"
	"    for (const other of table.querySelectorAll('th')) other.ariaSort = null;\n"
	"    head.ariaSort = down ? 'descending' : 'ascending';\n"
	"    const rows = [...body.rows].sort((a, b) => { const x = key(a), y = key(b), d = x - y;\n"
	"      return (down ? -1 : 1) * (isNaN(d) ? String(x).localeCompare(y) : d); });\n"
	"    body.append(...rows);\n"
	"  };\n"
	"}\n"
	"</script>\n</body>\n</html>\n";

const char zw_lab_html_method[] =
	"<h2>Method</h2>\n<ul>\n"
	"<li>One NGINX master with one worker for each libz, with the same binary and configuration, on loopback; what the worker has "
	"mapped is read from /proc before anything is measured.</li>\n"
	"<li>Each arm is proved before it is measured: status, Content-Encoding, a body that is smaller, and that decodes to the file byte for "
	"byte by another library. What is not as it should be is refused with the reason, and the others go on. Under load the bytes of "
	"each response must be those of the proof.</li>\n"
	"<li>Arms and libraries take turns. Figures are medians over the turns; a ratio is the median of the ratios within a turn. An interval is "
	"what the arm's own turns cover, and at least what the scatter of all arms of its kind makes of a median of so many turns (95 %).</li>\n"
	"<li>CPU is the worker's, from the kernel's count in nanoseconds and, beside it, from its clock ticks. Requests for each second say "
	"something about the server only where the limit was the server.</li>\n"
	"<li>Load is a closed loop: the next request is sent when an answer is there. Latency is therefore latency at saturation; the table of "
	"latency at a fixed rate has requests that come when a schedule says so, whether or not others are answered.</li>\n"
	"<li>Loopback has no bandwidth limit. The table of networks adds the CPU of a response and the time that its bytes need; it knows "
	"nothing of round trips, of TCP's slow start or of TLS.</li>\n</ul>\n";
