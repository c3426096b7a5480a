import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findHolder, type Lock, lockDirectory } from './lock.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'clew-lock-'))
})
afterEach(() => rm(dataDir, { recursive: true }))

test('a second start is refused with the other’s process id', async () => {
  const lock = await lockDirectory(dataDir)
  await expect(lockDirectory(dataDir)).rejects.toMatchObject({
    code: 'CLEW_START_RUNNING',
    details: { pid: process.pid },
  })
  await lock.release()
  await (await lockDirectory(dataDir)).release()
})

test('the lock of a process that is gone is taken over, also when its id is in use again', async () => {
  await writeFile(join(dataDir, 'clew.lock'), JSON.stringify({ pid: process.pid, born: 'another life' }))
  expect(await findHolder(dataDir)).toBeNull()
  const lock = await lockDirectory(dataDir)
  expect(await findHolder(dataDir)).toBe(process.pid)
  await lock.release()
})

/** More by `npm run trials`. */
const rounds = 40 * Number(process.env.CLEW_TRIALS ?? 1)

test('of many starters at once exactly one wins, and the others are told so', async () => {
  for (let round = 0; round < rounds; round += 1) {
    await writeFile(join(dataDir, 'clew.lock'), 'torn')
    // Each a step behind the one before, so that every one is somewhere else when the lock changes hands.
    const starter = async (steps: number): Promise<Lock> => {
      for (let step = 0; step < steps; step += 1) await new Promise(setImmediate)
      return lockDirectory(dataDir)
    }
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, (_, index) => starter(index * (round % 5))))
    const won = outcomes.filter((outcome) => outcome.status === 'fulfilled')
    const codes = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []))
    expect([won.length, ...new Set(codes)]).toEqual([1, 'CLEW_START_RUNNING'])
    await won[0]?.value.release()
    expect(await readdir(dataDir)).toEqual([])
  }
})
