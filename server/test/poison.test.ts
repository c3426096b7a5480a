import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import Fastify from 'fastify'
import { expect } from 'vitest'
import { type ClickHouse, createClickHouse } from '../src/engines/clickhouse/index.ts'
import { spoolSettings } from '../src/engines/spool/index.ts'
import { createThreads } from '../src/engines/threads/index.ts'
import { uuidv7 } from '../src/ground/ids/uuidv7.ts'
import type { RequestRecord } from '../src/ground/model/request.ts'
import { readSettings } from '../src/ground/settings/read.ts'
import { analyticsSettings, analyticsTables, capturePlugin, createAnalytics } from '../src/services/analytics/index.ts'
import { createReplay, replaySettings, replayTables } from '../src/services/replay/index.ts'
import { test as base } from './harness.ts'
import { oddJson, oddNumber, oddText } from './odd-text.ts'
import { refusedRowsIn } from './refused-rows.ts'
import { openWorld } from './thread-world.ts'

/** Seeded, so that a failing run can be repeated; `CLEW_TRIALS` for more of it. */
const runs = {
  endOnFailure: true,
  seed: Number(process.env.CLEW_SEED ?? 20_260_102),
  numRuns: Number(process.env.CLEW_TRIALS ?? 8),
}
const waitMs = 60_000

/** The rows that were set aside, as they are. */
async function setAside(folder: string): Promise<string> {
  const files = await readdir(join(folder, 'refused')).catch(() => [])
  return (await Promise.all(files.map((name) => readFile(join(folder, 'refused', name), 'utf8')))).join('')
}

const count = async (clickhouse: ClickHouse, text: string): Promise<ReadonlyMap<string, number>> => {
  const rows = await clickhouse.query<{ id: string; n: string }>({ text, parameters: {} })
  return new Map(rows.map(({ id, n }) => [id, Number(n)]))
}

// biome-ignore lint/correctness/noEmptyPattern: Vitest reads a fixture's needs from this pattern
const test = base.extend('folder', async ({}, { onCleanup }) => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-poison-'))
  onCleanup(() => rm(folder, { recursive: true, force: true }))
  return folder
})

test('whatever events and recordings hold, storing goes on and nothing acknowledged is missing', {
  timeout: 300_000,
}, async ({ db, clickhouse, folder, onTestFinished }) => {
  await db.migrate('analytics', analyticsTables.postgres)
  await clickhouse.migrate('analytics', analyticsTables.clickhouse)
  await clickhouse.migrate('replay', replayTables.clickhouse)
  const threads = createThreads()
  onTestFinished(() => threads.close())
  const analytics = await createAnalytics({
    threads,
    sql: db.admin,
    clickhouse,
    spoolDir: join(folder, 'spool'),
    spoolSettings: { ...readSettings(spoolSettings, []).values, batchMs: 20 },
    refused: refusedRowsIn(folder),
    ingestTokens: ['phc_odd'],
    isSecretKey: () => false,
    recordings: createReplay({ clickhouse, settings: readSettings(replaySettings, []).values }),
    now: () => new Date(),
    newId: uuidv7,
    settings: readSettings(analyticsSettings, []).values,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  })
  const app = Fastify()
  await app.register(capturePlugin(analytics), { prefix: '/ingest' })
  onTestFinished(async () => {
    await app.close()
    await analytics.close()
  })

  const time = fc.oneof(
    oddNumber,
    oddText.map((text) => JSON.stringify(text)),
    fc.date().map((at) => `"${at.getTime()}"`),
  )
  const event = fc
    .record({ event: oddText, id: oddText, timestamp: time, properties: oddJson, set: oddJson, offset: oddNumber })
    .map(({ event: name, id, timestamp, properties, set, offset }) => {
      const uuid = uuidv7()
      const people = fc.sample(fc.constantFrom('$identify', '$pageview'), 1)[0]
      const text =
        `{"uuid":"${uuid}","event":${JSON.stringify(name === '' ? people : name)},"distinct_id":${JSON.stringify(`d${id}`)},` +
        `"timestamp":${timestamp},"offset":${offset},"properties":{"$anon_distinct_id":${JSON.stringify(id)},"p":${properties}},` +
        `"$set":{"a":${set}},"$set_once":${set}}`
      return { uuid, text }
    })
  const recording = fc
    .record({ href: oddText, sentAt: time, data: oddJson, timestamp: fc.double({ min: 0, max: 8.64e15, noNaN: true }) })
    .map(({ href, sentAt, data, timestamp }) => {
      const uuid = uuidv7()
      const properties =
        `"$session_id":"${uuid}","$window_id":${JSON.stringify(href)},"distinct_id":${JSON.stringify(`d${href}`)},` +
        `"$snapshot_data":[{"type":4,"timestamp":${timestamp},"data":{"href":${JSON.stringify(href)},"more":${data}}}]`
      return {
        uuid,
        text: `[{"event":"$snapshot","uuid":"${uuid}","sent_at":${sentAt},"properties":{${properties},"token":"phc_odd"}}]`,
      }
    })

  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { minLength: 10, maxLength: 20 }),
      fc.array(recording, { minLength: 5, maxLength: 10 }),
      time,
      async (events, recordings, sentAt) => {
        const answer = await app.inject({
          method: 'POST',
          url: '/ingest/i/v1/analytics/events',
          headers: { authorization: 'Bearer phc_odd', 'content-type': 'application/json', 'user-agent': 'ü \u007f' },
          payload: `{"batch":[${events.map(({ text }) => text).join(',')}],"sent_at":${sentAt}}`,
        })
        expect(answer.statusCode, answer.payload).toBe(200)
        const { results } = answer.json<{ results: Record<string, { result: string }> }>()
        const taken = events.filter(({ uuid }) => results[uuid]?.result === 'ok').map(({ uuid }) => uuid)
        expect(taken.length).toBeGreaterThan(0)
        const recorded: string[] = []
        for (const { uuid, text } of recordings) {
          const reply = await app.inject({ method: 'POST', url: '/ingest/s/', payload: text })
          expect(reply.statusCode, reply.payload).toBe(200)
          recorded.push(uuid)
        }
        await expect.poll(() => analytics.waiting(), { timeout: waitMs }).toMatchObject({ bytes: 0, trouble: null })
        const aside = await setAside(folder)
        const stored = await count(
          clickhouse,
          'select toString(uuid) as id, count() as n from events final group by id',
        )
        expect(taken.filter((id) => stored.get(id) !== 1 && !aside.includes(id))).toEqual([])
        const kept = await count(
          clickhouse,
          'select toString(uuid) as id, count() as n from snapshots final group by id',
        )
        expect(recorded.filter((id) => kept.get(id) !== 1 && !aside.includes(id))).toEqual([])
        // Today nothing is so odd that it does not fit, once it is taken.
        expect(aside).toBe('')
      },
    ),
    runs,
  )
})

test('whatever requests, statements and row changes hold, storing goes on and nothing is missing', {
  timeout: 300_000,
}, async ({ db, clickhouse, folder, onTestFinished }) => {
  const { thread, changes } = await openWorld(db, clickhouse, { refused: refusedRowsIn(folder) })
  onTestFinished(async () => {
    await changes.close()
    await thread.close()
  })
  const number = fc.oneof(fc.nat(), fc.double({ noNaN: true, min: 0, max: 1e300 }))
  const request = fc
    .record({
      path: oddText,
      person: oddText,
      text: oddText,
      user: oddText,
      ms: number,
      rows: fc.option(fc.maxSafeInteger()),
    })
    .map(({ path, person, text, user, ms, rows }): RequestRecord => {
      const startedAt = new Date()
      const id = uuidv7(startedAt.getTime())
      const headers = {
        'user-agent': text,
        cookie: `ph_phc_own_posthog=${encodeURIComponent(JSON.stringify({ distinct_id: person, $sesid: [Date.now(), id, 1] }).replaceAll('%', ''))}`,
        'x-posthog-distinct-id': path,
      }
      const tag =
        thread.tagRequest(headers, null, startedAt, person) ??
        thread.tagRequest({ cookie: headers.cookie }, null, startedAt, person)
      return {
        context: {
          id,
          startedAt,
          method: 'POST',
          path,
          query: text,
          headers,
          remoteAddress: person,
          identity: {
            kind: 'caller',
            token: null,
            caller: { role: user, claims: {}, claimsJson: '{}', userId: uuidv7(), authSessionId: user },
          },
          tag,
          signal: new AbortController().signal,
          causeId: null,
          statements: [
            { startedAt, durationMs: ms, text, parameterTypes: [path, user], rows, role: user, errorCode: person },
          ],
          errorCode: text,
          rows,
        },
        service: 'rest',
        durationMs: ms,
        status: 201,
        requestBytes: 1,
        responseBytes: 1,
      }
    })
  const values = fc.dictionary(oddText, fc.option(oddText), { maxKeys: 4 })
  const change = fc.record({
    schema: oddText,
    table: oddText,
    key: values,
    old: fc.option(values),
    new: fc.option(values),
  })
  let lsn = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(request, { minLength: 10, maxLength: 20 }),
      fc.array(change, { minLength: 5, maxLength: 10 }),
      async (records, rows) => {
        for (const record of records) thread.requestEnded(record)
        await thread.flush()
        const requests = await count(clickhouse, 'select id, count() as n from requests group by id')

        expect(records.filter(({ context }) => requests.get(context.id) !== 1)).toEqual([])
        const statements = await count(clickhouse, 'select request_id as id, count() as n from statements group by id')
        expect(records.filter(({ context }) => statements.get(context.id) !== 1)).toEqual([])
        const sightings = await db.admin.query<{ user_id: string }>({
          text: 'select user_id from clew_thread.session_users',
          values: [],
        })
        const seen = new Set(sightings.rows.map((row) => row.user_id))
        const aside = await setAside(folder)
        const isKept = (id: string | null): boolean => id !== null && (seen.has(id) || aside.includes(id))
        const tied = records.filter(({ context: { tag, identity } }) => {
          const session = identity.kind === 'caller' ? identity.caller.authSessionId : null
          return tag !== null && tag.sessionId !== null && session !== null && session !== ''
        })
        expect(
          tied.filter(({ context: { identity } }) => identity.kind === 'caller' && !isKept(identity.caller.userId)),
        ).toEqual([])

        lsn += 1
        await changes.rowsChanged({
          lsn: `1/${lsn.toString(16)}`,
          xid: 1,
          committedAt: new Date(),
          cause: null,
          changes: rows.map((row) => ({
            ...row,
            schema: `s${row.schema}`,
            operation: 'update' as const,
            types: {},
            relation: { id: 7, keyNumbers: [1, 2] },
          })),
        })
        const stored = await count(
          clickhouse,
          'select toString(lsn) as id, uniqExact(seq) as n from changes group by id',
        )
        expect(stored.get(String(4_294_967_296n + BigInt(lsn)))).toBe(rows.length)
      },
    ),
    runs,
  )
})

test('an engine that is stopped in the middle of it all stores everything once when it is back', {
  timeout: 300_000,
}, async ({ folder, db }) => {
  const clickhouse = createClickHouse({
    kind: 'embedded',
    dataDir: join(folder, 'data'),
    socketPath: join(folder, 's'),
    memoryBytes: 300 * 1024 * 1024,
    log: () => undefined,
  })
  try {
    const { thread } = await openWorld(db, clickhouse)
    const ids: string[] = []
    const deaths = Number(process.env.CLEW_TRIALS ?? 4)
    for (let death = 0; death < deaths; death += 1) {
      for (let turn = 0; turn < 40; turn += 1) {
        const record = plainRequest()
        ids.push(record.context.id)
        thread.requestEnded(record)
        await new Promise((resolve) => setTimeout(resolve, 10))
        if (turn === 30) {
          const { pid } = await clickhouse.health()
          if (pid !== null) process.kill(pid, 'SIGKILL')
        }
      }
    }
    await thread.flush()
    const stored = await count(clickhouse, 'select id, count() as n from requests group by id')
    expect(ids.filter((id) => stored.get(id) !== 1)).toEqual([])
    const statements = await count(clickhouse, 'select request_id as id, count() as n from statements group by id')
    expect(ids.filter((id) => statements.get(id) !== 2)).toEqual([])
    await thread.close()
  } finally {
    await clickhouse.close()
  }
})

function plainRequest(): RequestRecord {
  const startedAt = new Date()
  const statement = {
    startedAt,
    durationMs: 1,
    text: 'select 1',
    parameterTypes: [],
    rows: 1,
    role: 'anon',
    errorCode: null,
  }
  return {
    context: {
      id: uuidv7(startedAt.getTime()),
      startedAt,
      method: 'GET',
      path: '/rest/v1/notes',
      query: '',
      headers: {},
      remoteAddress: '127.0.0.1',
      identity: { kind: 'no_key' },
      tag: null,
      signal: new AbortController().signal,
      causeId: null,
      statements: [statement, statement],
      errorCode: null,
      rows: 1,
    },
    service: 'rest',
    durationMs: 1,
    status: 200,
    requestBytes: 1,
    responseBytes: 1,
  }
}
