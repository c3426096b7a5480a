import { expect } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { listen } from './listen.ts'

test('a first LISTEN that fails is retried for a patient caller until it stops, and for no other', async ({ db }) => {
  const open = (lost: string[], patient: boolean) =>
    listen(db.login('postgres'), '', () => undefined, undefined, { patient, onLost: (reason) => lost.push(reason) })
  const lost: string[] = []
  await expect(open(lost, false)).rejects.toThrow('zero-length')
  const patientlyLost: string[] = []
  const stop = await open(patientlyLost, true)
  // Its third failure comes later than a first retry of the other one would.
  await expect.poll(() => patientlyLost.length).toBeGreaterThan(2)
  expect(lost).toEqual([])
  await stop()
  const before = patientlyLost.length
  const stopAnother = await open(lost, true)
  await expect.poll(() => lost.length).toBeGreaterThan(2)
  expect(patientlyLost.length - before).toBeLessThanOrEqual(1)
  await stopAnother()
})
