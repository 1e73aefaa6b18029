#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Opens a report in headless Chromium: it loads with nothing to complain about, asks for nothing else, and its tables can be
# sorted. Skipped (77) where chromium, nginx or wrk is missing.
# usage: lab_browser.sh ZWIRE
set -u

zwire=$1
PATH=$PATH:/usr/sbin:/sbin
for program in chromium nginx wrk; do
	type -P $program >/dev/null || { echo "$program is missing"; exit 77; }
done
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
export HOME=$dir
failed=0

"$zwire" lab --quick --rounds 1 --levels 1,6 --json "$dir/results.json" >"$dir/out" 2>&1 || { cat "$dir/out"; exit 1; }

# The same page with a script behind it that sorts a column twice and writes down what came first, and what went wrong.
{
	sed 's|</body>||; s|</html>||; s|<head>|<head><script>var wrong = []; onerror = text => { wrong.push(text); };</script>|' "$dir/report.html"
	cat <<-'END'
		<pre id=outcome></pre><script>
		const table = document.getElementById('results'), rows = () => [...table.tBodies[0].rows].map(row => +row.cells[3].dataset.v);
		const button = table.querySelectorAll('th button')[3], before = rows();
		button.click(); const up = rows(), up_sort = button.parentNode.ariaSort;
		button.click(); const down = rows(), down_sort = button.parentNode.ariaSort;
		const sorted = [...before].sort((a, b) => a - b);
		const loads = performance.getEntriesByType('resource').map(entry => entry.name);
		const box = table.parentNode.getBoundingClientRect();
		document.getElementById('outcome').textContent = JSON.stringify({ wrong, loads, rows: before.length, up: '' + up === '' + sorted,
			down: '' + down === '' + sorted.reverse(), up_sort, down_sort, dark: matchMedia('(prefers-color-scheme: dark)').matches,
			back: getComputedStyle(document.body).backgroundColor, overflow: document.documentElement.scrollWidth - innerWidth });
		</script></body></html>
	END
} >"$dir/tried.html"

browse() { timeout 90 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage "$@" --dump-dom "file://$dir/tried.html" 2>"$dir/stderr"; }

for window in 1200,900 500,900; do
	browse "--window-size=$window" >"$dir/dom" || { echo "FAILED: chromium at $window: exit $?"; tail -n 20 "$dir/stderr"; failed=1; continue; }
	python3 - "$dir/dom" "$dir/results.json" <<-'END' || { echo "FAILED: at $window"; failed=1; }
		import html, json, re, sys
		found = re.search(r"<pre id=\"outcome\">(.*?)</pre>", open(sys.argv[1], encoding="utf-8").read(), re.S)
		outcome = json.loads(html.unescape(found.group(1)))
		measured = [r for r in json.load(open(sys.argv[2]))["results"] if r["is_measured"]]
		assert outcome["wrong"] == [] and outcome["loads"] == [] and outcome["rows"] == len(measured), outcome
		assert outcome["up"] and outcome["down"] and (outcome["up_sort"], outcome["down_sort"]) == ("ascending", "descending"), outcome
		assert outcome["overflow"] <= 0, outcome                         # nothing is wider than a phone, tables scroll by themselves
	END
	! grep -i 'CONSOLE' "$dir/stderr" || { echo "FAILED: the browser complained at $window"; failed=1; }
done

[ $failed -eq 0 ] && echo 'report.html: loads, sorts, fits'
exit $failed
