import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import type { ClickHouse } from '../src/engines/clickhouse/index.ts'
import { spoolSettings } from '../src/engines/spool/index.ts'
import { createThreads } from '../src/engines/threads/index.ts'
import { unwatched } from '../src/ground/model/live.ts'
import { openConsent } from '../src/ground/privacy/consent.ts'
import { noMasks } from '../src/ground/privacy/masks.ts'
import { readSettings } from '../src/ground/settings/read.ts'
import { compileClickHouse } from '../src/ground/sql/clickhouse.ts'
import { sql } from '../src/ground/sql/sql.ts'
import {
  createOtlp,
  type Otlp,
  type OtlpDeps,
  type OtlpSettings,
  otlpService,
  otlpSettings,
  otlpTables,
} from '../src/services/otlp/index.ts'
import { test as base } from './harness.ts'
import { refusedRowsIn } from './refused-rows.ts'

/** The key that servers send spans with, and the one that is in every page. */
export const secretKey = 'sb_secret_of-tests'
export const publishableKey = 'sb_publishable_of-tests'

/** A trace of W3C's examples, and a span in it. */
export const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
export const spanId = '00f067aa0ba902b7'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** What takes spans and logs, on real engines. */
export interface OtlpWorld {
  readonly otlp: Otlp
  /** Of the server, without a path. */
  readonly url: string
  /** Posts a body, with the secret key unless other headers are given. */
  post(path: string, body: string | Buffer, headers?: Readonly<Record<string, string>>): Promise<Response>
  /** The rows of `spans`, once all that was taken is stored. */
  spans(): Promise<readonly Record<string, unknown>[]>
  /** The rows of `server_logs`, once all that was taken is stored. */
  logs(): Promise<readonly Record<string, unknown>[]>
}

/** Opens it on a ClickHouse; who opens it closes it. */
export async function openOn(
  clickhouse: ClickHouse,
  { settings, ...given }: Partial<Omit<OtlpDeps, 'settings'>> & { readonly settings?: Partial<OtlpSettings> } = {},
): Promise<OtlpWorld & { close(): Promise<void> }> {
  await clickhouse.migrate('otlp', otlpTables.clickhouse)
  const spoolDir = await mkdtemp(join(tmpdir(), 'clew-otlp-'))
  const threads = createThreads()
  const otlp = await createOtlp({
    ...{
      clickhouse,
      spoolDir,
      threads,
      masks: noMasks,
      consent: openConsent,
      live: unwatched,
      jsonDepth: 200,
      watchedBatchMs: 50,
    },
    spoolSettings: { ...readSettings(spoolSettings, []).values, batchMs: 20 },
    refused: refusedRowsIn(spoolDir),
    ...{ sessionsOf: async () => [], visitorTables: [] },
    now: () => new Date(),
    log: silent,
    settings: { ...readSettings(otlpSettings, []).values, ...settings },
    ...given,
  })
  const app = Fastify()
  const isKey = (own: string) => (key: string) => key === own
  const { mounts } = otlpService(otlp, { isSecret: isKey(secretKey), isPublishable: isKey(publishableKey) })
  for (const { plugin, prefix } of mounts) await app.register(plugin, { prefix })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const rows = async (statement: ReturnType<typeof sql>) => {
    await otlp.flush()
    return clickhouse.query(compileClickHouse(statement))
  }
  return {
    otlp,
    url,
    post: (path, body, headers = {}) =>
      fetch(`${url}${path}`, {
        method: 'POST',
        body: typeof body === 'string' ? body : new Uint8Array(body),
        headers: { apikey: secretKey, 'content-type': 'application/json', ...headers },
      }),
    spans: () =>
      rows(sql`
        select
          trace_id, span_id, parent_span_id, start_ns, duration_ns, name, kind, service, scope, status, status_message,
          session_id, attributes, resource, events, dropped
        from spans final
        order by start_ns, span_id`),
    logs: () =>
      rows(sql`
        select id, time_ns, trace_id, span_id, session_id, service, scope, level, event_name, text, attributes, dropped
        from server_logs final
        order by time_ns, id`),
    async close() {
      await app.close()
      await otlp.close()
      await threads.close()
      await rm(spoolDir, { recursive: true, force: true })
    },
  }
}

/** Vitest's `test` with `otlp`, and with `openOtlp` for one of other settings. */
export const test = base
  .extend('openOtlp', async ({ clickhouse }, { onCleanup }) => {
    const opened: (() => Promise<void>)[] = []
    onCleanup(async () => {
      for (const close of opened) await close()
    })
    return async (given: Parameters<typeof openOn>[1] = {}): Promise<OtlpWorld> => {
      const world = await openOn(clickhouse, given)
      opened.push(world.close)
      return world
    }
  })
  .extend('otlp', async ({ openOtlp }) => openOtlp())

/** An export request with one span in JSON. */
export const oneSpan = (more: object = {}, resource: readonly object[] = []): string =>
  JSON.stringify({
    resourceSpans: [{ resource: { attributes: resource }, scopeSpans: [{ spans: [{ ...span(), ...more }] }] }],
  })

/** An export request with one log record in JSON. */
export const oneLog = (more: object = {}): string =>
  JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [{ ...log(), ...more }] }] }] })

/** A span that began just now, in JSON. */
export const span = () => ({
  ...{ traceId, spanId, name: 'GET /checkout', kind: 2 },
  startTimeUnixNano: nanos(Date.now()),
  endTimeUnixNano: nanos(Date.now() + 12),
})

export const log = () => ({ timeUnixNano: nanos(Date.now()), severityNumber: 9, body: { stringValue: 'paid' } })

export const nanos = (ms: number): string => `${ms}000000`

/** A text attribute in JSON. */
export const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } })
