import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
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

test('a holder whose process cannot be looked up, as one in another container, is found by its socket', async () => {
  const lock = await lockDirectory(dataDir)
  const path = join(dataDir, 'clew.lock')
  const held = JSON.parse(await readFile(path, 'utf8')) as object
  // A process of that number is another one here.
  await writeFile(path, JSON.stringify({ ...held, born: 'of another container' }))
  await expect(lockDirectory(dataDir)).rejects.toMatchObject({ code: 'CLEW_START_RUNNING' })
  await lock.release()
  await writeFile(path, JSON.stringify({ ...held, born: 'of another container' }))
  const next = await lockDirectory(dataDir)
  await next.release()
  expect(await readdir(dataDir)).toEqual([])
})

test('the socket of a holder that was killed is removed with its lock', async () => {
  const program = `import { lockDirectory } from ${JSON.stringify(new URL('lock.ts', import.meta.url).href)}
    await lockDirectory(process.argv[1])
    setInterval(() => undefined, 1000)
    console.log('locked')`
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program, dataDir])
  await once(child.stdout, 'data')
  expect((await readdir(dataDir)).length).toBe(2)
  await expect(lockDirectory(dataDir)).rejects.toMatchObject({ details: { pid: child.pid } })
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
  await (await lockDirectory(dataDir)).release()
  expect(await readdir(dataDir)).toEqual([])
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
