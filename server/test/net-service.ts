import { onTestFinished } from 'vitest'
import { createTraces } from '../src/ground/http/trace.ts'
import { readSettings } from '../src/ground/settings/read.ts'
import { createNet, type Net, netSettings, netTables, webhookSecretOf } from '../src/services/net/index.ts'
import type { NetDeps } from '../src/services/net/net.ts'
import type { TestDatabase } from './harness.ts'

/** A response as `net._http_response` shows it. */
export interface ResponseRow {
  readonly id: string
  readonly status_code: number | null
  readonly content_type: string | null
  readonly headers: Readonly<Record<string, string>> | null
  readonly content: string | null
  readonly timed_out: boolean | null
  readonly error_msg: string | null
}

/** pg_net, webhooks and their sender on a database. */
export interface TestNet {
  readonly net: Net
  /** One value of the first row, as the application's owner. */
  value<T>(text: string, ...values: unknown[]): Promise<T>
  rows<Row>(text: string, ...values: unknown[]): Promise<readonly Row[]>
  /** Resolves with the responses, by id, when there are that many. */
  responses(count: number): Promise<readonly ResponseRow[]>
  /** Resolves when a condition of SQL holds. */
  holds(condition: string): Promise<void>
}

type Options = Partial<Omit<NetDeps, 'settings'>> & { readonly settings?: Partial<NetDeps['settings']> }

/** The sender without its start. */
export const netOn = (db: TestDatabase, { settings = {}, ...more }: Options = {}): Net =>
  createNet({
    sql: db.admin,
    owner: db.owner,
    listen: db.listen,
    own: { url: 'http://127.0.0.1:1', port: 1 },
    anonKey: () => 'the anon key',
    traces: createTraces(Buffer.from('a key of the tests')),
    production: false,
    webhookSecrets: () => [webhookSecretOf('a pepper of the tests')],
    now: () => new Date(),
    log: { warn: () => undefined },
    ...more,
    settings: { ...readSettings(netSettings, []).values, ...settings },
  })

/** Applies the migrations and starts the sender, which ends with the test. */
export async function startNet(db: TestDatabase, options: Options = {}): Promise<TestNet> {
  await db.migrate('net', netTables.postgres)
  const net = netOn(db, options)
  await net.start()
  onTestFinished(() => net.close(0))
  const rows = async <Row>(text: string, ...values: unknown[]) => (await db.owner.query<Row>({ text, values })).rows
  const until = async (condition: () => Promise<boolean>): Promise<void> => {
    while (!(await condition())) await new Promise((done) => setTimeout(done, 20))
  }
  return {
    net,
    rows,
    async value<T>(text: string, ...values: unknown[]) {
      const [row] = await rows<Record<string, T>>(text, ...values)
      const [value] = Object.values(row ?? {})
      if (value === undefined) throw new Error(`No row: ${text}`)
      return value
    },
    async responses(count) {
      const all = 'select * from net._http_response order by id'
      await until(async () => (await rows(all)).length >= count)
      return rows<ResponseRow>(all)
    },
    holds: (condition) => until(async () => (await rows(`select where ${condition}`)).length === 1),
  }
}
