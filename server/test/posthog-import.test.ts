import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { gzipSync } from 'node:zlib'
import Fastify, { type FastifyPluginAsync } from 'fastify'
import { expect } from 'vitest'
import { spoolSettings } from '../src/engines/spool/index.ts'
import { createThreads } from '../src/engines/threads/index.ts'
import { schemaCompilers } from '../src/gateway/schema-compilers.ts'
import { ServiceError } from '../src/ground/errors/service-error.ts'
import { uuidv7 } from '../src/ground/ids/uuidv7.ts'
import { openConsent } from '../src/ground/privacy/consent.ts'
import { noMasks } from '../src/ground/privacy/masks.ts'
import { readSettings } from '../src/ground/settings/read.ts'
import { noSurveys } from '../src/ground/surveys/surveys.ts'
import {
  analyticsService,
  analyticsSettings,
  analyticsTables,
  createAnalytics,
} from '../src/services/analytics/index.ts'
import { createFlags, flagsService, flagsSettings, flagsTables } from '../src/services/flags/index.ts'
import { createReplay, replayService, replaySettings, replayTables } from '../src/services/replay/index.ts'
import { importPosthog, renderPosthogReport } from '../src/transfer/index.ts'
import { test as base } from './harness.ts'
import { recordedActions } from './operator-actions.ts'
import { refusedRowsIn } from './refused-rows.ts'

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** An instance that can be imported into, and a folder of PostHog's files. */
const test = base.extend('room', async ({ db, clickhouse }, { onCleanup }) => {
  await db.migrate('analytics', analyticsTables.postgres)
  await db.migrate('flags', flagsTables.postgres)
  await clickhouse.migrate('analytics', analyticsTables.clickhouse)
  await clickhouse.migrate('replay', replayTables.clickhouse)
  const folder = await mkdtemp(join(tmpdir(), 'clew-posthog-'))
  const threads = createThreads()
  const settings = { ...readSettings(replaySettings, []).values, retentionDays: 3650 }
  const replay = createReplay({ clickhouse, settings })
  const now = () => new Date()
  const analytics = await createAnalytics({
    ...{
      sql: db.admin,
      clickhouse,
      spoolDir: join(folder, 'spool'),
      refused: refusedRowsIn(folder),
      threads,
      now,
      log,
    },
    ...{ ingestTokens: ['phc_x'], isSecretKey: () => false, recordings: replay, newId: uuidv7 },
    spoolSettings: { ...readSettings(spoolSettings, []).values, batchMs: 20 },
    settings: readSettings(analyticsSettings, []).values,
  })
  const flags = await createFlags({
    ...{ sql: db.admin, reader: db.reader, listen: db.listen, consent: openConsent, log, now },
    people: { person: analytics.storedPerson, some: analytics.somePersons },
    groups: { types: analytics.groupTypes, properties: analytics.groupProperties, some: analytics.someGroups },
    settings: readSettings(flagsSettings, []).values,
  })
  const { actions, log: audit } = recordedActions('owner')
  const app = Fastify({ schemaController: schemaCompilers })
  app.decorateRequest('operator', null)
  const users = { byId: async () => new Map(), idsMatching: async () => [], account: async () => null }
  const others = { flags, surveys: noSurveys, users, pictureOf: async () => null, actions }
  const parts: readonly FastifyPluginAsync[] = [
    ...analyticsService(analytics, refusedRowsIn(folder), others).commandLine,
    ...replayService({ replay, masks: noMasks, consent: openConsent, threads, settings, jsonDepth: 200, now }, actions)
      .commandLine,
    ...flagsService(flags, actions).commandLine,
  ]
  for (const part of parts) await app.register(part)
  app.setErrorHandler((error, _request, reply) =>
    error instanceof ServiceError ? reply.code(error.status).send({ message: error.message }) : reply.send(error),
  )
  onCleanup(async () => {
    await app.close()
    await flags.close()
    await analytics.close()
    await threads.close()
    await rm(folder, { recursive: true, force: true })
  })
  let fails = () => false
  const send = async (method: string, url: string, body?: unknown) => {
    if (fails()) throw new Error('The process was killed.')
    const isPacked = Buffer.isBuffer(body)
    const headers = { 'content-type': isPacked ? 'application/gzip' : 'application/json' }
    const payload = isPacked ? body : JSON.stringify(body)
    const answer = await app.inject({ method: method as 'POST', url, headers, payload })
    if (answer.statusCode >= 400) throw new Error(answer.json().message)
    return answer.body === '' ? null : answer.json()
  }
  const source = join(folder, 'export')
  await mkdir(source)
  return {
    ...{ analytics, replay, audit, source },
    write: (name: string, content: string | Buffer) => writeFile(join(source, name), content),
    failWhen: (when: () => boolean) => {
      fails = when
    },
    run: (given: { isDryRun?: boolean; paths?: readonly string[] } = {}) =>
      importPosthog({
        paths: given.paths ?? [source],
        target: { send },
        isDryRun: given.isDryRun ?? false,
        checkpointPath: join(folder, 'checkpoint.json'),
        progress: () => undefined,
        nowMs: () => performance.now(),
        retryDelaysMs: [],
      }),
    rejects: async () =>
      (await readFile(join(folder, 'checkpoint.json.rejects.jsonl'), 'utf8').catch(() => ''))
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
    events: () =>
      clickhouse.query<Record<string, string>>({
        text: `select uuid, event, distinct_id, toString(timestamp) as at, toString(received_at) as arrived, elements_chain,
          JSONExtractString(properties, 'plan') as plan from events final order by timestamp, uuid`,
        parameters: {},
      }),
  }
})

const lines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
const id = (n: number): string => `01998a5e-7b7c-7e3f-8a4e-${String(n).padStart(12, '0')}`

/** As a batch export to S3 writes events in JSON Lines. */
const event = (n: number, fields: object = {}) => ({
  uuid: id(n),
  event: 'bought',
  distinct_id: 'ann@shop.test',
  person_id: 'b1d5c1c0-0000-4000-8000-000000000001',
  team_id: 7,
  properties: { plan: 'pro', $session_id: 's1' },
  person_properties: { email: 'ann@shop.test' },
  elements_chain: '',
  timestamp: '2024-03-01 10:00:00.123456',
  created_at: '2024-03-01 10:00:01.000000',
  _inserted_at: '2024-03-01 10:00:02.000000',
  ...fields,
})

const person = (distinctId: string, fields: object = {}) => ({
  team_id: 7,
  distinct_id: distinctId,
  person_id: 'b1d5c1c0-0000-4000-8000-000000000001',
  properties: { email: 'ann@shop.test', plan: 'pro' },
  person_version: 3,
  person_distinct_id_version: 0,
  created_at: '2024-02-01 00:00:00.000000',
  ...fields,
})

test('events keep their ids, times and elements; persons are one by all their ids; a second run changes nothing', async ({
  room,
}) => {
  const { analytics, run, write, events, rejects, audit } = room
  const browser = 'anon-1'
  await write('persons.jsonl', lines([person('ann@shop.test'), person('bo', { person_id: 'other' }), person(browser)]))
  await write(
    'events.jsonl.gz',
    gzipSync(lines([event(1), event(2, { elements_chain: 'button:text="Buy"', event: '$autocapture' }), event(1)])),
  )
  await write(
    'page.json',
    JSON.stringify({
      next: null,
      results: [
        { id: id(3), distinct_id: browser, event: '$pageview', timestamp: '2024-03-02T00:00:00+00:00', properties: {} },
      ],
    }),
  )
  expect(await run({ isDryRun: true })).toMatchObject({ imported: { persons: 3, events: 4 }, rejects: [] })
  expect(audit).toEqual([])
  expect(await run()).toMatchObject({ imported: { persons: 3, events: 4 }, rejects: [], unknown: [], notes: [] })
  expect(audit).toEqual([{ name: 'import.begin', target: expect.stringContaining('PostHog: ') }])
  await expect.poll(async () => (await events()).length).toBe(3)
  expect(await events()).toMatchObject([
    { uuid: id(1), event: 'bought', at: '2024-03-01 10:00:00.123', arrived: '2024-03-01 10:00:01.000', plan: 'pro' },
    { uuid: id(2), event: '$autocapture', elements_chain: 'button:text="Buy"' },
    { uuid: id(3), event: '$pageview', distinct_id: browser, at: '2024-03-02 00:00:00.000' },
  ])
  const facts = await analytics.personsByDistinctId(['ann@shop.test', browser, 'bo'])
  expect(facts.get(browser)?.personId).toBe(facts.get('ann@shop.test')?.personId)
  expect(facts.get('bo')?.personId).not.toBe(facts.get(browser)?.personId)
  expect((await analytics.storedPerson(browser))?.properties).toMatchObject({ email: 'ann@shop.test', plan: 'pro' })
  expect(await run()).toMatchObject({ imported: { persons: 0, events: 0 }, resumed: 7 })
  expect(await events()).toHaveLength(3)
  expect(await rejects()).toEqual([])
})

test('without persons, events say who is who', async ({ room }) => {
  const { analytics, run, write } = room
  const identify = {
    event: '$identify',
    distinct_id: 'ann',
    properties: { $anon_distinct_id: 'anon', $set: { plan: 'a' } },
  }
  await write('events.ndjson', lines([event(1, { distinct_id: 'anon' }), event(2, identify)]))
  expect(await run()).toMatchObject({ imported: { events: 2 } })
  await expect
    .poll(async () => {
      const facts = await analytics.personsByDistinctId(['ann', 'anon'])
      return facts.size === 2 && facts.get('ann')?.personId === facts.get('anon')?.personId
    })
    .toBe(true)
  expect((await analytics.storedPerson('anon'))?.properties).toMatchObject({ plan: 'a' })
})

test('an import that is killed goes on behind what was taken, and each event is there once', async ({ room }) => {
  const { run, write, events, failWhen } = room
  await write('events.jsonl', lines(Array.from({ length: 2_500 }, (_, n) => event(n))))
  let calls = 0
  failWhen(() => {
    calls += 1
    return calls > 2
  })
  await expect(run()).rejects.toThrow('The process was killed.')
  failWhen(() => false)
  expect(await run()).toMatchObject({ imported: { events: 1_500 }, resumed: 1_000 })
  await expect.poll(async () => (await events()).length, { timeout: 20_000 }).toBe(2_500)
})

test('what an earlier run left out is in the report of the later one, and in the file of what was left out once', async ({
  room,
}) => {
  const { run, write, rejects, failWhen } = room
  const rows = Array.from({ length: 2_500 }, (_, n) => JSON.stringify(event(n)))
  // One in a batch that is taken, one in the batch in which the import is killed.
  await write('events.jsonl', rows.toSpliced(1_500, 1, '{"torn').toSpliced(10, 1, '{"torn').join('\n'))
  let calls = 0
  failWhen(() => {
    calls += 1
    return calls > 2
  })
  await expect(run()).rejects.toThrow('The process was killed.')
  expect((await rejects()).map(({ row }) => row)).toEqual([11, 1_501])
  failWhen(() => false)
  const report = await run()
  expect(report).toMatchObject({ resumedRejects: 1, rejects: [{ reason: 'no_json', count: 1 }] })
  expect(renderPosthogReport(report, false).slice(0, 3)).toEqual([
    'Imported 1498 events.',
    'Earlier runs had done 1001 rows, and left out 1 row of them.',
    expect.stringMatching(/^Left out: 1 of events, not a JSON object \(.*:1501\)$/),
  ])
  expect((await rejects()).map(({ row }) => row)).toEqual([11, 1_501])
})

test('rows that cannot be imported are counted with their places, and kept beside the others', async ({ room }) => {
  const { run, write, rejects, events } = room
  await write(
    'events.jsonl',
    `${lines([event(1)])}{"torn\n${lines([event(2, { timestamp: 'never' }), event(3, { distinct_id: '' }), { event: 7 }])}`,
  )
  await write('notes.json', '{"a": 1}')
  expect(await run()).toMatchObject({
    imported: { events: 1 },
    rejects: [
      { reason: 'no_json', count: 1, examples: [expect.stringMatching(/events\.jsonl:2$/)] },
      { reason: 'no events', count: 1, examples: [expect.stringMatching(/events\.jsonl:5$/)] },
      { reason: 'no_time', count: 1, examples: [expect.stringMatching(/events\.jsonl:3$/)] },
      { reason: 'no_distinct_id', count: 1, examples: [expect.stringMatching(/events\.jsonl:4$/)] },
    ],
    unknown: [expect.stringMatching(/notes\.json$/)],
  })
  expect((await rejects()).map(({ row, text }) => [row, text.slice(0, 6)])).toContainEqual([2, '{"torn'])
  await expect.poll(async () => (await events()).length).toBe(1)
})

test('Parquet is read as a batch export writes it', async ({ room, clickhouse }) => {
  const { run, events, source } = room
  const columns = `toString(generateUUIDv4()) as uuid, 'bought' as event, concat('person ', toString(number)) as distinct_id,
    'p' as person_id, '{"plan":"pro"}' as properties, '{}' as person_properties, toInt64(7) as team_id, '' as elements_chain,
    toDateTime64('2024-03-01 10:00:00.123', 6, 'UTC') as timestamp, toDateTime64('2024-03-01 10:00:01', 6, 'UTC') as created_at`
  for (const compression of ['zstd', 'snappy', 'gzip']) {
    const text = `select ${columns} from numbers(1500)
      settings output_format_parquet_compression_method = '${compression}', output_format_parquet_string_as_string = 1 format Parquet`
    const bytes = await clickhouse.streamBytes({ text: text.replace(' settings', ' settings'), parameters: {} })
    await pipeline(bytes, createWriteStream(join(source, `${compression}.parquet`)))
  }
  expect(await run()).toMatchObject({ imported: { events: 4_500 }, rejects: [] })
  await expect.poll(async () => (await events()).length, { timeout: 20_000 }).toBe(4_500)
  expect((await events())[0]).toMatchObject({
    at: '2024-03-01 10:00:00.123',
    arrived: '2024-03-01 10:00:01.000',
    plan: 'pro',
  })
})

test('flags ask for the cohorts that were imported; what has no place here is named', async ({ room }) => {
  const { run, write } = room
  const flag = (key: string, cohort: number) => ({
    ...{ id: 9, key, name: 'New menu', active: true, deleted: false, ensure_experience_continuity: false, tags: ['x'] },
    filters: {
      groups: [{ properties: [{ type: 'cohort', key: 'id', value: cohort, operator: 'in' }], rollout_percentage: 50 }],
    },
  })
  const properties = { type: 'AND', values: [{ type: 'person', key: 'plan', value: ['pro'], operator: 'exact' }] }
  await write(
    'cohorts.json',
    JSON.stringify({
      results: [
        { id: 41, name: 'Payers', is_static: false, filters: { properties } },
        { id: 42, name: 'List', is_static: true, filters: {} },
      ],
    }),
  )
  await write('flags.json', JSON.stringify({ results: [flag('menu', 41), flag('other', 42)] }))
  const report = await run()
  expect(report).toMatchObject({
    imported: { cohorts: 1, flags: 1 },
    rejects: [
      { kind: 'cohorts', reason: expect.stringContaining('a list of persons') },
      { kind: 'flags', reason: 'it asks for the cohort 42, which was not imported' },
    ],
    notes: ['flag menu: without its tags'],
  })
})

test('a recording as PostHog’s player exports it is played here', async ({ room }) => {
  const { run, write, replay } = room
  const at = Date.now() - 60_000
  const snapshots = [
    { type: 4, timestamp: at, windowId: 'w1', data: { href: 'http://a.test/', width: 800, height: 600 } },
    {
      type: 2,
      timestamp: at + 1,
      windowId: 'w1',
      data: { node: { type: 0, childNodes: [], id: 1 }, initialOffset: {} },
    },
    { type: 3, timestamp: at + 50, windowId: 'w1', data: { source: 2, type: 2, id: 1 } },
  ]
  const data = { id: id(77), person: { distinct_ids: ['ann'] }, snapshots }
  await write('recording.json', JSON.stringify({ version: '2023-04-28', data }))
  expect(await run()).toMatchObject({ imported: { recordings: 1 }, rejects: [] })
  expect(await replay.sessionSummaries([id(77)])).toMatchObject([
    { sessionId: id(77), distinctId: 'ann', clicks: 1, pages: 1 },
  ])
})
