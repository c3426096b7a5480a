import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { createGuardedAgents } from '../src/engines/outbound/index.ts'
import type { ExportBucket, ExportsDeps } from '../src/services/exports/deps.ts'
import { openS3Bucket } from '../src/services/storage/index.ts'
import { exportRows } from '../src/transfer/index.ts'
import {
  addPersons,
  change,
  createExport,
  definition,
  events,
  folderOf,
  keysIn,
  linesOf,
  openExports,
  runNow,
  runOf,
  test,
} from './exports-world.ts'

test('a run exports what was stored since the last one, in files of some rows, and persons as they are', async ({
  world,
}) => {
  const app = await openExports(world)
  onTestFinished(app.close)
  await world.clickhouse.insert('events', events(700))
  await world.clickhouse.insert('events', events(700))
  await addPersons(world.db, 3)
  const id = await createExport(app, definition(world))
  app.exports.start()
  const first = await runNow(app, id)
  expect(first).toMatchObject({ askedBy: '', error: null, writing: null })
  expect(first.kinds).toMatchObject([
    { kind: 'events', files: 2, rows: 1400 },
    { kind: 'persons', files: 1, rows: 3 },
  ])
  const keys = await keysIn(world)
  expect(keys.map((key) => key.replaceAll(/\d{8}T\d{6}\.\d{3}Z/g, 'at').replace(/date=[\d-]{10}/, 'day'))).toEqual([
    'clew/shop/events/day/at-at.jsonl',
    'clew/shop/events/day/start-at.jsonl',
    'clew/shop/persons/day/at.jsonl',
  ])
  const exported = (await Promise.all(keys.slice(0, 2).map((key) => linesOf(world, key)))).flat()
  expect(new Set(exported.map(({ uuid }) => uuid)).size).toBe(1400)
  expect(await linesOf(world, keys[2] ?? '')).toHaveLength(3)

  const late = events(1)
  await world.clickhouse.insert('events', late)
  await addPersons(world.db, 1)
  const second = await runNow(app, id)
  expect(second.kinds).toMatchObject([
    { kind: 'events', files: 1, rows: 1 },
    { kind: 'persons', files: 1, rows: 4 },
  ])
  const added = (await keysIn(world)).filter((key) => !keys.includes(key))
  expect(added).toHaveLength(2)
  expect(await linesOf(world, added[0] ?? '')).toMatchObject([{ uuid: late[0]?.uuid }])
  expect(app.log.map(({ name }) => name)).toEqual(['export.create', 'export.run', 'export.run'])
})

test('what was stored before the column was there is exported once', async ({ world }) => {
  const { clickhouse } = world
  const command = (text: string) => clickhouse.command({ text, parameters: {} })
  // The table as an earlier version made it, with rows of it.
  await command('alter table events drop index storing_index')
  await command('alter table events drop column stored_at')
  await clickhouse.insert('events', events(10))
  await command(
    `alter table migrations delete where room = 'analytics' and name like '0008%' settings mutations_sync = 1`,
  )
  await clickhouse.migrate('analytics', new URL('clickhouse/', folderOf('analytics')))
  await clickhouse.insert('events', events(5))
  const stored = await clickhouse.query({
    text: `select stored_at = received_at as old, toString(count()) as rows from events group by old order by old`,
    parameters: {},
  })
  expect(stored).toEqual([
    { old: 0, rows: '5' },
    { old: 1, rows: '10' },
  ])
  const app = await openExports(world)
  onTestFinished(app.close)
  const id = await createExport(app, definition(world, { kinds: ['events'] }))
  app.exports.start()
  expect((await runNow(app, id)).kinds).toMatchObject([{ rows: 15 }])
  expect((await runNow(app, id)).kinds).toEqual([expect.objectContaining({ files: 0 })])
})

test('a run that was cut off goes on in another process, and leaves no file twice', async ({ world }) => {
  await world.clickhouse.insert('events', events(700))
  await world.clickhouse.insert('events', events(700))
  // Uploaded, and gone before that was kept: as a process that is killed in between.
  const uploaded: string[] = []
  let isFirst = true
  let giveUp = (): void => undefined
  const hangs = new Promise<never>((_, fail) => {
    giveUp = () => fail(new Error('The process is gone.'))
  })
  const openBucket: ExportsDeps['openBucket'] = async ({ rules, ...location }) => {
    const bucket: ExportBucket = await openS3Bucket({ ...location, agents: createGuardedAgents(rules) })
    return {
      ...bucket,
      async upload(key, body, bytes) {
        const etag = await bucket.upload(key, body, bytes)
        uploaded.push(key)
        return isFirst ? hangs : etag
      },
    }
  }
  const killed = await openExports(world, { openBucket, leaseMs: 100_000 })
  const id = await createExport(killed, definition(world, { kinds: ['events'] }))
  killed.exports.start()
  await killed.call('POST', `/exports/${id}/runs`)
  await expect.poll(() => uploaded.length, { timeout: 20_000 }).toBe(1)
  isFirst = false
  const other = await openExports(world, { openBucket, folder: join(world.folder, 'other') })
  onTestFinished(async () => {
    giveUp()
    await Promise.all([killed.close(), other.close()])
  })
  // Its lease ends.
  await change(world.db, `update clew_exports.exports set leased_until = now()`)
  // Rows that came meanwhile do not move the end of the file that was being written.
  await world.clickhouse.insert('events', events(5))
  other.exports.start()
  const run = await runOf(other, id)
  expect(run.kinds).toMatchObject([{ kind: 'events', files: 2, rows: 1400 }])
  expect(uploaded).toHaveLength(3)
  expect(uploaded[0]).toBe(uploaded[1])
  const lines = (await Promise.all((await keysIn(world)).map((key) => linesOf(world, key)))).flat()
  expect(lines).toHaveLength(1400)
})

test('a bucket that refuses is tried again, then the run has failed; the next run goes on where it was', async ({
  world,
}) => {
  await world.clickhouse.insert('events', events(3))
  const settings = {
    maxExports: 3,
    rowsPerFile: 1000,
    runDays: 90,
    firstRetrySeconds: 1,
    maxRetries: 1,
    timeoutSeconds: 10,
  }
  const app = await openExports(world, { settings })
  onTestFinished(app.close)
  const id = await createExport(app, definition(world, { kinds: ['events'], secretAccessKey: 'wrong' }))
  app.exports.start()
  await app.call('POST', `/exports/${id}/runs`)
  const waiting = await runOf(app, id, 'waiting')
  expect(waiting.error).toMatch(/signature/i)
  await app.call('POST', `/exports/${id}/runs`)
  const failed = await runOf(app, id, 'failed')
  expect(failed).toMatchObject({ retryAt: null, kinds: [] })
  const mended = { version: 1, export: definition(world, { kinds: ['events'] }) }
  expect((await app.call('PUT', `/exports/${id}`, mended)).status).toBe(200)
  expect((await runNow(app, id)).kinds).toMatchObject([{ rows: 3 }])
})

test('a run that is done after a failed attempt keeps what it failed at', async ({ world }) => {
  await world.clickhouse.insert('events', events(3))
  const app = await openExports(world)
  onTestFinished(app.close)
  const id = await createExport(app, definition(world, { kinds: ['events'], secretAccessKey: 'wrong' }))
  app.exports.start()
  await app.call('POST', `/exports/${id}/runs`)
  const { error } = await runOf(app, id, 'waiting')
  await app.call('PUT', `/exports/${id}`, { version: 1, export: definition(world, { kinds: ['events'] }) })
  await app.call('POST', `/exports/${id}/runs`)
  const done = await runOf(app, id, 'done')
  expect(done).toMatchObject({ error: null, attemptsFailed: 1, lastFailure: error, kinds: [{ rows: 3 }] })
})

test('what is due runs by itself, of several processes in one; what is paused does not', async ({ world }) => {
  await world.clickhouse.insert('events', events(3))
  const apps = await Promise.all([openExports(world), openExports(world, { folder: join(world.folder, 'other') })])
  const [app] = apps
  onTestFinished(async () => void (await Promise.all(apps.map(({ close }) => close()))))
  const id = await createExport(app, definition(world, { kinds: ['events'] }))
  const paused = await createExport(app, definition(world, { name: 'paused', kinds: ['events'] }))
  expect((await app.call('POST', `/exports/${paused}/pause`, { paused: true })).status).toBe(204)
  expect((await app.call('POST', `/exports/${paused}/runs`)).body.code).toBe('CLEW_EXPORTS_PAUSED')
  await change(world.db, `update clew_exports.exports set next_at = now()`)
  for (const { exports } of apps) exports.start()
  await runOf(app, id)
  const { exports } = (await app.call('GET', '/exports')).body
  expect(exports).toMatchObject([
    { name: 'paused', paused: true, nextAt: null, lastRun: null },
    { name: 'to the lake', scheduleWords: 'at 03:30 every day', lastRun: { askedBy: null, kinds: [{ rows: 3 }] } },
  ])
  expect(new Date(exports[1].nextAt).getTime()).toBeGreaterThan(Date.now())
  expect((await app.call('GET', `/exports/${id}/runs`)).body.runs).toHaveLength(1)
  expect(await keysIn(world)).toHaveLength(1)
})

test('nothing leaves while what was stored before a mask was set is not masked', async ({ world }) => {
  await world.clickhouse.insert('events', events(3))
  let masked: string | null = null
  let written = 0
  const writeRows: ExportsDeps['writeRows'] = async (file) => {
    written += 1
    // A mask is set, and its job done, while the file is written.
    if (written === 1) masked = '8'
    return exportRows({ ...file, by: 'storing', clickhouse: world.clickhouse, database: world.db.admin })
  }
  const app = await openExports(world, { maskedTo: async () => masked, writeRows })
  onTestFinished(app.close)
  const id = await createExport(app, definition(world, { kinds: ['events'] }))
  app.exports.start()
  const again = () => app.call('POST', `/exports/${id}/runs`)
  await again()
  expect((await runOf(app, id, 'waiting')).error).toContain('masked')
  expect(written).toBe(0)
  masked = '7'
  await again()
  await expect.poll(() => written).toBe(1)
  expect((await runOf(app, id, 'waiting')).error).toContain('A mask was set')
  expect(await keysIn(world)).toEqual([])
  await again()
  expect((await runOf(app, id)).kinds).toMatchObject([{ rows: 3 }])
})
