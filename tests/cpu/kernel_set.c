/* SPDX-License-Identifier: Zlib */
/* kernel_set.c - prints the name of the kernel set that this process uses, so that ./check sees whether forcing one worked. */
#include "cpu/kernels.h"

#include <stdio.h>

int main(void)
{
	puts(zw_kernels_get()->name);
	return 0;
}
