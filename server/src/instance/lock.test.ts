import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findHolder, lockDirectory } from './lock.ts'

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

test('of many starters at once exactly one wins', async () => {
  await writeFile(join(dataDir, 'clew.lock'), 'torn')
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => lockDirectory(dataDir)))
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
})
