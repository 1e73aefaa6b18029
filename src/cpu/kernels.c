/* SPDX-License-Identifier: Zlib */
/* kernels.c - which set of kernels this process uses: chosen once, held in one atomic pointer.
 * Never: allocates, locks, prints; no constructor and no ifunc, so it works however early it is called. */
#include "cpu/kernels.h"

#include "cpu/features.h"
#include "cpu/kernel_sets.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>                          /* secure_getenv */
#include <string.h>

#define OVERRIDE_VARIABLE "ZWIRE_KERNELS"

#if ZW_ARCH_X86
static const struct zw_kernels *const best_first[] = {
	&zw_kernels_x86_avx512, &zw_kernels_x86_vpclmul, &zw_kernels_x86_avx2, &zw_kernels_x86_pclmul, &zw_kernels_x86_sse2,
	&zw_kernels_portable
};
#elif ZW_ARCH_ARM64
static const struct zw_kernels *const best_first[] = {
	&zw_kernels_arm_dotprod, &zw_kernels_arm_pmull, &zw_kernels_arm_crc, &zw_kernels_arm_neon, &zw_kernels_portable
};
#else
static const struct zw_kernels *const best_first[] = { &zw_kernels_portable };
#endif

#define SET_COUNT (sizeof best_first / sizeof best_first[0])

#define CONTAINS(more, less) (((more) & (less)) == (less))

static_assert(CONTAINS(ZW_NEEDS_X86_AVX512, ZW_NEEDS_X86_VPCLMUL) &&
	      CONTAINS(ZW_NEEDS_X86_VPCLMUL, ZW_NEEDS_X86_AVX2) && CONTAINS(ZW_NEEDS_X86_AVX2, ZW_NEEDS_X86_PCLMUL) &&
	      CONTAINS(ZW_NEEDS_X86_PCLMUL, ZW_NEEDS_X86_SSE2) && CONTAINS(ZW_NEEDS_ARM_CRC, ZW_NEEDS_ARM_NEON) &&
	      CONTAINS(ZW_NEEDS_ARM_PMULL, ZW_NEEDS_ARM_CRC) && CONTAINS(ZW_NEEDS_ARM_DOTPROD, ZW_NEEDS_ARM_PMULL),
	      "the runnable sets are a tail of best_first");

_Atomic(const struct zw_kernels *) zw_kernels_active;

/* Index of the best set that runs here. */
static size_t first_runnable(void)
{
	uint32_t cpu = zw_cpu_features();
	size_t   i   = 0;

	while (!CONTAINS(cpu, best_first[i]->needs))
		i++;                                 /* ends at portable, which needs nothing */
	return i;
}

/* The set that the environment asks for if it runs here, else the best one.  Ignored in setuid programs, whose
 * environment belongs to somebody else. */
static const struct zw_kernels *choose(void)
{
	const char *wanted = secure_getenv(OVERRIDE_VARIABLE);
	size_t      best   = first_runnable();

	if (wanted) {
		for (size_t i = best; i < SET_COUNT; i++)
			if (!strcmp(wanted, best_first[i]->name))
				return best_first[i];
	}
	return best_first[best];
}

const struct zw_kernels *zw_kernels_choose(void)
{
	const struct zw_kernels *k = choose();

	atomic_store_explicit(&zw_kernels_active, k, memory_order_release);
	return k;
}

const struct zw_kernels *const *zw_kernels_all(size_t *count_ret)
{
	size_t best = first_runnable();

	*count_ret = SET_COUNT - best;
	return best_first + best;
}

void zw_kernels_force(const struct zw_kernels *k)
{
	atomic_store_explicit(&zw_kernels_active, k, memory_order_release);
}
