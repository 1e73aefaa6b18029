/* SPDX-License-Identifier: Zlib */
/* gate.c - lets as many threads compute as there are CPUs to use, while others wait for the disk. */
#include "precompress/precompress.h"

#include <stdlib.h>
#include <string.h>

void zw_twin_gate_init(struct zw_twin_gate *gate, unsigned slots)
{
	memset(gate, 0, sizeof *gate);
	pthread_mutex_init(&gate->lock, NULL);
	pthread_cond_init(&gate->has_slot, NULL);
	gate->slot_count = slots;
	for (; gate->idle_count < slots; gate->idle_count++)
		gate->idle[gate->idle_count] = &gate->slots[gate->idle_count];
}

/* No thread uses it any more. */
void zw_twin_gate_free(struct zw_twin_gate *gate)
{
	for (unsigned i = 0; i < gate->slot_count; i++) {
		struct zw_twin_slot *slot = &gate->slots[i];

		free(slot->block);
		free(slot->in);
		free(slot->out);
		free(slot->piece);
		free(slot->proof);
	}
	pthread_cond_destroy(&gate->has_slot);
	pthread_mutex_destroy(&gate->lock);
}

/* Waits for a slot, unless the worker has one. */
void zw_twin_gate_enter(struct zw_twin_worker *worker)
{
	struct zw_twin_gate *gate = worker->gate;

	if (worker->slot)
		return;
	pthread_mutex_lock(&gate->lock);
	while (!gate->idle_count)
		pthread_cond_wait(&gate->has_slot, &gate->lock);
	worker->slot = gate->idle[--gate->idle_count];
	pthread_mutex_unlock(&gate->lock);
}

/* Gives the slot to whoever waits for one, if the worker has one; what is in its memory is gone then. */
void zw_twin_gate_leave(struct zw_twin_worker *worker)
{
	struct zw_twin_gate *gate = worker->gate;

	if (!worker->slot)
		return;
	pthread_mutex_lock(&gate->lock);
	gate->idle[gate->idle_count++] = worker->slot;
	worker->slot = NULL;
	pthread_cond_signal(&gate->has_slot);
	pthread_mutex_unlock(&gate->lock);
}
