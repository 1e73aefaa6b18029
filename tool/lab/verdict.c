/* SPDX-License-Identifier: Zlib */
/* verdict.c - what the figures say in words, and what a network makes of them.
 * Takes: measured cells.  Gives: "verdicts" and "network" of the document.  Only what was measured is said. */
#include "lab/document.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEVEL_USUAL 6                        /* what others are compared with, where it was measured */

static const double networks_mbit[] = { 20, 100, 1000 };

#define NETWORK_COUNT (sizeof networks_mbit / sizeof networks_mbit[0])

/* The ways of serving one body with one library that a choice is to be made among: off, then the levels, upwards. */
struct choice { const struct zw_lab_cell *list[LAB_LEVEL_MAX + 1]; size_t count; const struct zw_lab_cell *packed; };

static double cpu_us(const struct zw_lab_cell *cell)
{
	return zw_lab_median(cell, LAB_CPU_US);
}

/* Milliseconds until a lone client has all of it: the worker's CPU, then the bytes at the network's speed. */
static double arrival_ms(const struct zw_lab_cell *cell, double mbit)
{
	return cpu_us(cell) / 1e3 + (double)cell->body_bytes * 8 / (mbit * 1e3);
}

static struct choice choices_of(const struct zw_lab_plan *plan, const struct zw_lab_result *result, size_t payload, size_t library)
{
	struct choice choice = { .count = 0 };

	for (size_t i = 0; i < result->count; i++) {
		const struct zw_lab_cell *cell = &result->cells[i];
		const struct zw_lab_arm *arm = &plan->arms.list[cell->arm];

		if (cell->payload != payload || cell->library != library || arm->client != LAB_CLIENT_WRK || !zw_lab_is_measured(cell))
			continue;
		if (arm->kind == LAB_ARM_OFF || (arm->kind == LAB_ARM_LEVEL && arm->gives_gzip))
			choice.list[choice.count++] = cell;
		if (arm->kind == LAB_ARM_STATIC)
			choice.packed = cell;
	}
	return choice;
}

static void say(json_t *verdicts, char *text)
{
	json_array_append_new(verdicts, json_string(text));
	free(text);
}

static const char *name_of_arm(const struct zw_lab_plan *plan, const struct zw_lab_cell *cell)
{
	return plan->arms.list[cell->arm].name;
}

static double percent_less(double value, double base)
{
	return 100 * (1 - value / base);
}

static const char *more_or_less(double percent)
{
	return percent >= 0 ? "less" : "more";
}

static const char *more_or_fewer(double percent)
{
	return percent >= 0 ? "fewer" : "more";
}

/* Each level against the usual one, then files on disk against it. */
static void judge_levels(const struct zw_lab_plan *plan, const struct choice *choice, const char *library, const char *body,
			 json_t *verdicts)
{
	const struct zw_lab_cell *usual = NULL;

	for (size_t i = 0; i < choice->count; i++)
		if (plan->arms.list[choice->list[i]->arm].level && (!usual || plan->arms.list[usual->arm].level < LEVEL_USUAL))
			usual = choice->list[i];
	for (size_t i = 0; usual && i < choice->count; i++) {
		const struct zw_lab_cell *cell = choice->list[i];
		double cpu = percent_less(cpu_us(cell), cpu_us(usual));
		double bytes = percent_less((double)cell->body_bytes, (double)usual->body_bytes);

		if (cell != usual && plan->arms.list[cell->arm].level)
			say(verdicts, zw_tool_format("%s, %s: %s costs %.0f %% %s CPU per response than %s (%.1f against %.1f us) for "
				"%.1f %% %s bytes (%zu against %zu).", body, library, name_of_arm(plan, cell), fabs(cpu), more_or_less(cpu),
				name_of_arm(plan, usual), cpu_us(cell), cpu_us(usual), fabs(bytes), more_or_fewer(bytes),
				cell->body_bytes, usual->body_bytes));
	}
	if (usual && choice->packed)
		say(verdicts, zw_tool_format("%s, %s: files compressed beforehand (gzip_static) cost %.1f us of CPU per response instead of "
			"the %.1f us of %s, %.0f %% less.", body, library, cpu_us(choice->packed), cpu_us(usual),
			name_of_arm(plan, usual), percent_less(cpu_us(choice->packed), cpu_us(usual))));
}

static void judge_networks(const struct zw_lab_plan *plan, const struct choice *choice, const char *library, const char *body,
			   json_t *verdicts)
{
	const char *best_names[NETWORK_COUNT];

	if (choice->count < 2)
		return;
	for (size_t n = 0; n < NETWORK_COUNT; n++) {
		const struct zw_lab_cell *best = choice->list[0];

		for (size_t i = 1; i < choice->count; i++)
			if (arrival_ms(choice->list[i], networks_mbit[n]) < arrival_ms(best, networks_mbit[n]))
				best = choice->list[i];
		best_names[n] = name_of_arm(plan, best);
	}
	say(verdicts, zw_tool_format("%s, %s: a lone client has the whole body soonest with %s at %.0f Mbit/s, %s at %.0f Mbit/s, %s "
		"at %.0f Mbit/s.", body, library, best_names[0], networks_mbit[0], best_names[1], networks_mbit[1], best_names[2],
		networks_mbit[2]));
}

/* The same levels on the library and on the first one. */
static void judge_library(const struct zw_lab_plan *plan, const struct zw_lab_result *result, const struct choice *choice,
			  const char *library, const char *body, json_t *verdicts)
{
	for (size_t i = 0; i < choice->count; i++) {
		const struct zw_lab_cell *cell = choice->list[i], *first = zw_lab_first_of(result, cell);
		struct zw_spread ratio;
		double cpu, bytes;

		if (!plan->arms.list[cell->arm].level || first == cell || !zw_lab_is_measured(first))
			continue;
		ratio = zw_lab_ratio_spread(plan, result, cell, LAB_CPU_US);
		cpu = 100 * (1 - ratio.median);
		bytes = percent_less((double)cell->body_bytes, (double)first->body_bytes);
		if (ratio.low <= 1 && ratio.high >= 1) {
			say(verdicts, zw_tool_format("%s, %s: %s takes as much CPU as %s's, as far as this run can tell: the ratio is between %.2f "
				"and %.2f, which is noise; it sends %.1f %% %s bytes.", body, library, name_of_arm(plan, cell),
				plan->libraries.list[0].name, ratio.low, ratio.high, fabs(bytes), more_or_fewer(bytes)));
			continue;
		}
		say(verdicts, zw_tool_format("%s, %s: %s takes %.0f %% %s CPU than %s's and sends %.1f %% %s bytes.", body, library,
			name_of_arm(plan, cell), fabs(cpu), more_or_less(cpu), plan->libraries.list[0].name, fabs(bytes),
			more_or_fewer(bytes)));
	}
}

/* One row for each choice, with the speed of network below which it pays against the choice before it. */
static void tabulate(const struct zw_lab_plan *plan, const struct choice *choice, const char *library, const char *body,
		     json_t *network)
{
	for (size_t i = 0; i < choice->count; i++) {
		const struct zw_lab_cell *cell = choice->list[i], *before = i ? choice->list[i - 1] : NULL;
		double saved_bits = before ? 8 * ((double)before->body_bytes - (double)cell->body_bytes) : 0;
		double extra_us = before ? cpu_us(cell) - cpu_us(before) : 0;
		json_t *even = json_null();

		if (before && extra_us > 0)
			even = json_real(saved_bits > 0 ? saved_bits / extra_us : 0);    /* bits for each microsecond are Mbit/s */
		json_array_append_new(network, json_pack("{s:s, s:s, s:s, s:s, s:f, s:I, s:f, s:f, s:f, s:o}", "body", body, "library",
			library, "arm", name_of_arm(plan, cell), "before", before ? name_of_arm(plan, before) : "", "cpu_us",
			cpu_us(cell), "wire_bytes", (json_int_t)cell->body_bytes, "ms_at_20", arrival_ms(cell, networks_mbit[0]),
			"ms_at_100", arrival_ms(cell, networks_mbit[1]), "ms_at_1000", arrival_ms(cell, networks_mbit[2]),
			"break_even_mbit", even));
	}
}

void zw_lab_judge(const struct zw_lab_plan *plan, const struct zw_lab_result *result, json_t *verdicts, json_t *network)
{
	for (size_t payload = 0; payload < plan->payloads.count; payload++) {
		const struct zw_payload *body = &plan->payloads.list[payload];

		for (size_t library = 0; library < plan->libraries.count; library++) {
			const char *name = plan->libraries.list[library].name;
			struct choice choice = choices_of(plan, result, payload, library);

			if (body->is_incompressible || body->body.size_bytes < LAB_MIN_LENGTH_BYTES)
				continue;
			judge_library(plan, result, &choice, name, body->name, verdicts);
			judge_levels(plan, &choice, name, body->name, verdicts);
			judge_networks(plan, &choice, name, body->name, verdicts);
			tabulate(plan, &choice, name, body->name, network);
		}
	}
}

/* For each library but the first: what it does to the arms that compress something compressible. */
void zw_lab_sum_up(const struct zw_lab_plan *plan, const struct zw_lab_result *result, json_t *summary)
{
	for (size_t library = 1; library < plan->libraries.count; library++) {
		double rate_log = 0, cpu_log = 0, size_log = 0;
		unsigned count = 0;

		for (size_t i = 0; i < result->count; i++) {
			const struct zw_lab_cell *cell = &result->cells[i];
			bool is_deflate = plan->arms.list[cell->arm].kind == LAB_ARM_LEVEL;

			if (cell->library != library || !is_deflate || !zw_lab_is_measured(cell) ||
			    zw_lab_first_of(result, cell) == cell || !zw_lab_is_measured(zw_lab_first_of(result, cell)) ||
			    plan->arms.list[cell->arm].client != LAB_CLIENT_WRK ||
			    !strcmp(cell->content_encoding, "") || plan->payloads.list[cell->payload].is_incompressible)
				continue;
			rate_log += log(zw_lab_ratio_to_first(result, cell, LAB_REQUESTS_PER_S));
			cpu_log += log(zw_lab_ratio_to_first(result, cell, LAB_CPU_US));
			size_log += log((double)cell->body_bytes / (double)zw_lab_first_of(result, cell)->body_bytes);
			count++;
		}
		if (count)
			say(summary, zw_tool_format("Mean of the levels: %s serves %.2f times the requests of %s, with %.2f times the CPU and %.3f "
				"times the bytes for each.", plan->libraries.list[library].name, exp(rate_log / count),
				plan->libraries.list[0].name, exp(cpu_log / count), exp(size_log / count)));
	}
}
