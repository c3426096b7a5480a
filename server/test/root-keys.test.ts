import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { runCommand } from './command-line.ts'
import { openTestDatabase } from './harness.ts'
import type { Kept, Kind, SealedRow } from './root-key-kept.ts'
import { kinds, sealedKinds } from './root-key-kinds.ts'
import { openRootKeyWorld, type RootKeyWorld } from './root-key-world.ts'
import { openS3, type S3App } from './s3-app.ts'

let world: RootKeyWorld
beforeAll(async () => {
  world = await openRootKeyWorld()
}, 120_000)
afterAll(() => world?.close(), 60_000)

interface KeptOfKind extends Kept {
  readonly kind: Kind
}

/** Does something to each, and tells of which kind it was that failed. */
async function each(all: readonly KeptOfKind[], act: (kept: KeptOfKind) => Promise<unknown>): Promise<void> {
  for (const kept of all)
    await act(kept).catch((cause: unknown) => {
      throw new Error(`${kept.kind.name}: ${String(cause)}`, { cause })
    })
}

async function keepEach(bucket: S3App, of: readonly Kind[] = kinds): Promise<readonly KeptOfKind[]> {
  const all: KeptOfKind[] = []
  for (const kind of of) all.push({ kind, ...(await kind.keep(world, bucket)) })
  return all
}

async function openBucket(): Promise<S3App> {
  const outer = await openTestDatabase()
  onTestFinished(() => outer.close())
  return openS3(outer)
}

const works = ({ works: work }: Kept) => work()

test('what is kept under a root key is good before, while and after another takes its place', {
  timeout: 300_000,
}, async () => {
  const bucket = await openBucket()
  const before = await keepEach(bucket)
  await each(before, works)
  const meanwhile: KeptOfKind[][] = []
  await world.rotate(async () => {
    await each(before, works)
    const kept = await keepEach(bucket)
    await each(kept, works)
    meanwhile.push([...kept])
  })
  await world.moved()
  const [opening = [], counting = []] = meanwhile
  await each([...before, ...opening, ...counting], works)
  await world.retire()
  expect(await world.rootKeys()).toHaveLength(1)
  // What was made while the new root key only opened is under the one before.
  await each([...before, ...opening], ({ works: work, isRefused }) => (isRefused ?? work)())
  await each(counting, works)
  await world.restart()
  await each(
    [...before, ...opening].filter(({ isRefused }) => isRefused === undefined),
    works,
  )
  await each(counting, works)
})

test('the commands rotate, tell and retire, and the audit log says so', { timeout: 120_000 }, async () => {
  const clew = (...args: readonly string[]) => runCommand('keys', ...args, '--data', world.data)
  const invited = await world.asOwner('POST', '/team/invitations', { email: 'left@example.test', role: 'analyst' })
  expect(invited.status).toBe(201)
  const rotated = JSON.parse((await clew('rotate', '--root', '--production', '--json')).stdout)
  expect(rotated).toMatchObject({ takenOver: true, replacedId: expect.stringMatching(/^[0-9a-f]{16}$/) })
  await world.moved()
  const told = (await clew('roots')).stdout
  expect(told).toMatch(new RegExp(`root key ${rotated.id} +current`))
  expect(told).toMatch(/invitations +\d+, moved when they are used/)
  for (const id of ['', '../keys', rotated.id, '0123456789abcdef'])
    expect(await clew('retire', id)).toMatchObject({ code: 16, stdout: '', stderr: expect.stringMatching(/\S/) })
  const refused = expect.stringMatching(/Still under it: .*invitations: \d+/)
  expect(await clew('retire', rotated.replacedId)).toMatchObject({ code: 16, stderr: refused })
  expect(await clew('retire', rotated.replacedId, '--end')).toMatchObject({ code: 0 })
  const done = await world.asSuperuser(
    'select action, outcome, operator_email as by from clew_operators.actions where target like $1 order by at',
    `%root key%`,
  )
  const by = 'command line'
  // What is no id at all comes to no action.
  const refusals = Array.from({ length: 3 }, () => ({ action: 'secret.revoke', outcome: 'failed', by }))
  expect(done.slice(-5)).toEqual([
    { action: 'secret.rotate', outcome: 'succeeded', by },
    ...refusals,
    { action: 'secret.revoke', outcome: 'succeeded', by },
  ])
})

/** What a row keeps sealed, and puts it back. */
async function copyOf({ table, columns, where, value }: SealedRow) {
  const [row] = await world.asSuperuser(`select ${columns.join()} from ${table} where ${where}`, value)
  const values = columns.map((column) => row?.[column])
  const set = columns.map((column, index) => `${column} = $${index + 2}`).join()
  return { putBack: () => world.asSuperuser(`update ${table} set ${set} where ${where}`, value, ...values) }
}

test('what is sealed under a root key that is no more is told, and holds up nothing else', {
  timeout: 300_000,
}, async () => {
  const bucket = await openBucket()
  const sealed = (all: readonly KeptOfKind[]) => all.flatMap((kept) => (kept.sealed === undefined ? [] : [kept.sealed]))
  const lost = await keepEach(bucket, sealedKinds)
  expect(sealed(lost)).toHaveLength(sealedKinds.length)
  const copies = await Promise.all(sealed(lost).map(copyOf))
  await world.rotate()
  await world.moved()
  // Their passwords move when they are used.
  await each(lost, works)
  await world.retire()
  for (const { putBack } of copies) await putBack()
  await world.restart()
  await each(lost, async (kept) => kept.sealed?.isLost())
  const isLost = expect.arrayContaining(sealedKinds.map(({ name }) => ({ name, count: 1 })))
  expect(await world.lost()).toEqual(isLost)
  const later = await keepEach(bucket, sealedKinds)
  await world.rotate()
  await world.moved()
  await each(later, works)
  await each(lost, async (kept) => kept.sealed?.isLost())
  await world.retire()
  await each(later, works)
  await each(lost, async (kept) => kept.sealed?.isLost())
})
