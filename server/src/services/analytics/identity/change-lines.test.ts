import { expect, test } from 'vitest'
import type { IdentityChange } from './change.ts'
import { changeSlices, renderChange } from './change-lines.ts'

const change = (n: number, set: IdentityChange['set'] = null): IdentityChange => ({
  uuid: `uuid-${n}`,
  distinctId: `person ${n}\n`,
  otherId: null,
  dangerous: false,
  set,
  setOnce: null,
  unset: [],
  atMs: n,
})
const blockOf = (changes: readonly IdentityChange[]): Buffer => Buffer.from(changes.map(renderChange).join('\n'))

test('changes come back in their order, in slices that hold the event loop briefly', () => {
  const changes = Array.from({ length: 1001 }, (_, n) => change(n))
  const slices = [...changeSlices([blockOf(changes.slice(0, 250)), blockOf(changes.slice(250))])]
  expect(slices.flat()).toEqual(changes)
  expect(slices.map((slice) => slice.length)).toEqual([200, 200, 200, 200, 200, 1])
})

test('a slice ends after a large change', () => {
  const large = change(1, { text: 'x'.repeat(300_000) })
  const slices = [...changeSlices([blockOf([change(0), large, change(2)])])]
  expect(slices).toEqual([[change(0), large], [change(2)]])
})
