import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClickHouse } from '../../src/engines/clickhouse/index.ts'
import { createPostgres, type Sql } from '../../src/engines/postgres/index.ts'
import { uuidv7 } from '../../src/ground/ids/uuidv7.ts'
import { certificateKeyOf } from '../../src/ground/privacy/certificate.ts'
import { personStores } from '../../src/plan/privacy/erasures.ts'
import { serviceTables } from '../../src/plan/tables/service-tables.ts'
import { findKnownPerson, refuseIds } from '../../src/services/analytics/index.ts'
import { createAccountEraser } from '../../src/services/auth/index.ts'
import { createErasures } from '../../src/services/privacy/index.ts'
import { openSmallClickHouse } from './clickhouse.ts'

const ada = '0199a1b2-0000-4000-8000-00000000ada0'

/**
 * Erasures as a process that can be killed, with both engines in `folder`. The first life has a person and begins their
 * erasure. After each store, before that is recorded, the process tells its parent and waits for an answer.
 */
async function main(folder: string): Promise<void> {
  const log = (line: string): void => console.error(line)
  const clickhouse = openSmallClickHouse(folder, log)
  const postgres = await createPostgres({
    kind: 'embedded',
    dataDir: join(folder, 'postgres'),
    socketDir: folder,
    port: null,
    password: 'postgres',
    exposedSchemas: ['public'],
    poolSize: 4,
    log,
  })
  await clickhouse.ready()
  for (const { name, ...tables } of serviceTables) {
    if (tables.postgres !== undefined) await postgres.migrate(name, tables.postgres)
    if (tables.clickhouse !== undefined) await clickhouse.migrate(name, tables.clickhouse)
  }
  const { admin: sql } = postgres
  const spools = join(folder, 'spools')
  await mkdir(spools, { recursive: true })
  const account = createAccountEraser(postgres)
  const key = certificateKeyOf('a pepper')
  const erasures = createErasures({
    ...{
      sql,
      clickhouse,
      now: () => new Date(),
      settleMs: 0,
      leaseMs: 1000,
      key: () => key,
      publicKeys: () => [key.publicKey],
    },
    log: { info: () => undefined, warn: (_details, text) => log(text), error: (_details, text) => log(text) },
    stores: personStores({ postgres, clickhouse }, null, spools).map((store) => ({
      ...store,
      async erase(subject, work) {
        const rows = await store.erase(subject, work)
        await toldAt(store.name)
        return rows
      },
    })),
    holdsOn: async () => [],
    account: {
      ...account,
      async erase(userId, choices, ending) {
        const outcome = await account.erase(userId, choices, ending)
        if (ending.end === 'commit') await toldAt('account')
        return outcome
      },
    },
    people: {
      find: (by) => findKnownPerson(sql, by),
      sessionIds: async () => [],
      refuse: (ids) => refuseIds(sql, ids),
    },
    backups: async () => ({ count: 0, until: null }),
    changesCaughtUp: async () => undefined,
  })
  if ((await erasures.list(1)).length === 0) {
    await leaveTraces(sql, clickhouse)
    const wish = { key: { userId: ada }, texts: ['ada@shop.test'], choices: [], refuses: false }
    await erasures.begin(uuidv7(), wish, { email: 'op@x.test', role: 'owner' })
  }
  erasures.start()
  for (;;) {
    const [row] = await erasures.list(1)
    if (row?.state === 'done') return tell({ certificate: row.certificate, subject: row.subject, done: row.done })
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

function tell(message: object): void {
  process.send?.(message)
}

/** Tells the parent which store is erased, and waits until it answers. */
async function toldAt(store: string): Promise<void> {
  const answered = new Promise((resolve) => process.once('message', resolve))
  tell({ store })
  await answered
}

/** Ada's account, events and mail, and a mail to Bob that names her. */
async function leaveTraces(sql: Sql, clickhouse: ClickHouse): Promise<void> {
  for (const text of [
    `insert into auth.users (id, email, created_at) values ('${ada}', 'ada@shop.test', now())`,
    `insert into clew_analytics.persons (id, created_at, auth_user_id) values ('${ada}', now(), '${ada}')`,
    `insert into clew_mail.mails (id, recipient, subject, body_text, body_html, created_at)
     select gen_random_uuid(), recipient, 'Hello', 'ada@shop.test', '', now()
     from unnest(array['ada@shop.test', 'bob@shop.test']) as recipient`,
  ])
    await sql.query({ text, values: [] })
  const time = new Date().toISOString().replace('T', ' ').replace('Z', '')
  const event = { event: 'ordered', timestamp: time, client_time: time, received_at: time, properties: '{}' }
  await clickhouse.insert(
    'events',
    Array.from({ length: 3 }, () => ({ ...event, uuid: uuidv7(), distinct_id: ada })),
  )
}

await main(process.argv[2] ?? '')
