import { expect, test } from 'vitest'
import { type Batches, createBatches } from './batches.ts'

/** A store that can be switched off; what it was given, a batch a line. */
function openStore(
  options: {
    readonly maxItems?: number
    readonly maxHeld?: number
    readonly lingerMs?: number
    readonly underLoad?: { readonly rows: number; readonly lingerMs: number }
  } = {},
) {
  const stored: string[] = []
  const tokens: string[] = []
  const state = { up: true, dropped: 0, failures: 0 }
  const batches: Batches<number> = createBatches<number>({
    async write(items, token) {
      tokens.push(token)
      if (!state.up) throw new Error('down')
      stored.push(items.join(' '))
    },
    lingerMs: 5,
    maxItems: 3,
    maxHeld: 10,
    ...options,
    onDropped: (count) => {
      state.dropped += count
    },
    onFailed: () => {
      state.failures += 1
    },
  })
  return { batches, stored, tokens, state }
}

test('items wait for one another, in order, a batch at a time', async () => {
  const { batches, stored } = openStore()
  for (const item of [1, 2, 3, 4, 5]) batches.add(item)
  await batches.flush()
  expect(stored).toEqual(['1 2 3', '4 5'])
  await batches.close()
})

test('a lone item is stored after its linger', async () => {
  const { batches, stored } = openStore()
  batches.add(1)
  expect(stored).toEqual([])
  await expect.poll(() => stored, { interval: 2 }).toEqual(['1'])
  await batches.close()
})

test('under load items wait longer, and flushing does not', async () => {
  const { batches, stored } = openStore({ underLoad: { rows: 2, lingerMs: 60_000 } })
  batches.add(1)
  await expect.poll(() => stored, { interval: 2 }).toEqual(['1'])
  // One was no load yet.
  batches.add(2)
  batches.add(3)
  await expect.poll(() => stored, { interval: 2 }).toEqual(['1', '2 3'])
  const lone = batches.stored([4])
  expect(await Promise.race([lone, new Promise((resolve) => setTimeout(resolve, 50, 'waits'))])).toBe('waits')
  await batches.flush()
  await lone
  expect(stored).toEqual(['1', '2 3', '4'])
  await batches.close()
})

test('the load is over when nothing came for its linger', async () => {
  const { batches, stored } = openStore({ lingerMs: 1, underLoad: { rows: 2, lingerMs: 20 } })
  await batches.stored([1, 2])
  const since = performance.now()
  await expect.poll(() => performance.now() - since, { interval: 5 }).toBeGreaterThan(25)
  await batches.stored([3])
  expect(performance.now() - since).toBeLessThan(20 + 25)
  expect(stored).toEqual(['1 2', '3'])
  await batches.close()
})

test('who asks is told when his items are stored, not before', async () => {
  const { batches, state, stored } = openStore()
  state.up = false
  let told = false
  const asked = batches.stored([1, 2]).then(() => {
    told = true
  })
  await expect.poll(() => state.failures, { interval: 2 }).toBeGreaterThan(0)
  expect(told).toBe(false)
  state.up = true
  await asked
  expect(stored).toEqual(['1 2'])
  await batches.stored([])
  await batches.close()
})

test('a batch that failed is sent again with its token; the next has another', async () => {
  const { batches, state, tokens } = openStore()
  state.up = false
  const asked = batches.stored([1])
  await expect.poll(() => state.failures, { interval: 2 }).toBe(1)
  state.up = true
  await asked
  await batches.stored([2])
  expect([tokens.length, new Set(tokens).size]).toEqual([3, 2])
  expect(tokens[0]).toBe(tokens[1])
  await batches.close()
})

test('when the store stays away the oldest are dropped, and counted', async () => {
  const { batches, state, stored } = openStore({ lingerMs: 60_000, maxItems: 100 })
  for (let item = 1; item <= 12; item += 1) batches.add(item)
  expect(state.dropped).toBe(2)
  await batches.flush()
  expect(stored).toEqual(['3 4 5 6 7 8 9 10 11 12'])
  await batches.close()
})

test('closing stores what is held; later ones are refused', async () => {
  const { batches, stored, state } = openStore({ lingerMs: 60_000 })
  batches.add(1)
  await batches.close()
  expect(stored).toEqual(['1'])
  batches.add(2)
  await expect(batches.stored([3])).rejects.toThrow('closing')
  expect([stored, state.dropped]).toEqual([['1'], 1])
})

test('closing does not wait for a store that is away', async () => {
  const { batches, state } = openStore()
  state.up = false
  const asked = batches.stored([1])
  const refused = expect(asked).rejects.toThrow('down')
  await expect.poll(() => state.failures, { interval: 2 }).toBe(1)
  await batches.close()
  await refused
  expect(state.dropped).toBe(1)
})
