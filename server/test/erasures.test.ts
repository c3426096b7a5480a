import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { certificateKeyOf, checkCertificate } from '../src/ground/privacy/certificate.ts'
import { personStores } from '../src/plan/privacy/erasures.ts'
import {
  ada,
  adaPerson,
  count,
  email,
  everyName,
  fill,
  name,
  pepper,
  session,
  test,
  type World,
} from './erasure-world.ts'
import { tablesWith } from './tables-with.ts'

/** Where any name of Ada stands, in the tables of all schemas. */
async function placesOf({ db, clickhouse }: World): Promise<readonly string[]> {
  const found = new Set<string>()
  for (const text of everyName) for (const table of await tablesWith(db, clickhouse, text)) found.add(table)
  for (const table of ['auth.users', 'auth.audit_log_entries', 'public.profiles', 'public.orders', 'public.posts'])
    for (const text of everyName) {
      const statement = { text: `select from ${table} each where strpos(each::text, $1) > 0`, values: [text] }
      if ((await db.admin.query(statement)).rows.length > 0) found.add(table)
    }
  return [...found].toSorted()
}

const tables = [
  { schema: 'public', table: 'orders', column: 'user_id', action: 'delete' },
  { schema: 'public', table: 'posts', column: 'author_id', action: 'delete' },
]

test('everything of a person goes, others keep theirs without the name, and a signed certificate tells of it', {
  timeout: 180_000,
}, async ({ world }) => {
  const { open, db, clickhouse } = world
  await fill(world)
  const { ask, log, erasures } = await open()
  const preview = (await ask('GET', `/privacy/preview?kind=user&id=${ada}`)).body
  expect(preview).toMatchObject({ personId: adaPerson, userId: ada, hasAccount: true, ids: 2 })
  expect(preview.texts).toEqual([
    { text: name, isTelling: true },
    { text: email, isTelling: true },
  ])
  const rows = new Map(preview.counts.map((each: { store: string; rows: number }) => [each.store, each.rows]))
  for (const store of [
    'statements',
    'headers and bodies',
    'requests',
    'people',
    'errors',
    'mails',
    'SQL history',
    'shared sessions',
    'notes',
    'log of sign-ins',
    'refused rows',
  ])
    expect([store, rows.get(store)]).toEqual([store, 1])
  expect(rows.get('events')).toBe(2)
  expect(preview.tables).toMatchObject([
    { table: 'orders', column: 'user_id', rows: 1, onDelete: 'kept from being deleted', canBeEmptied: true },
    { table: 'posts', column: 'author_id', rows: 1, onDelete: 'kept from being deleted' },
    { table: 'profiles', column: 'id', rows: 1, onDelete: 'deleted', canBeEmptied: false },
  ])
  // The history of the rows is in its table before the erasure begins.
  await expect.poll(async () => (await tablesWith(db, clickhouse, name)).includes('changes')).toBe(true)

  erasures.start()
  const begun = await ask('POST', '/privacy/erasures', {
    kind: 'user',
    id: ada,
    texts: [email, name],
    tables,
    refuse: false,
  })
  expect(begun.status).toBe(202)
  expect(log.at(-1)).toEqual({ name: 'person.erase', target: `erasure ${begun.body.id}` })
  const one = async () => (await ask('GET', `/privacy/erasures/${begun.body.id}`)).body
  await expect.poll(async () => (await one()).state, { timeout: 120_000 }).toBe('done')

  expect(await placesOf(world)).toEqual(['public.profiles'])
  const refused = await readFile(join(world.spools, 'refused', 'rows.ndjson'), 'utf8')
  for (const text of everyName) expect(refused).not.toContain(text)
  const done = await one()
  // Bob's own words about her are the application's, and said to be left.
  expect(done.left).toEqual([{ table: 'public.profiles', rows: 1 }])
  expect(done.tables).toEqual([
    { table: 'public.orders', column: 'user_id', action: 'delete', rows: 1 },
    { table: 'public.posts', column: 'author_id', action: 'delete', rows: 1 },
  ])
  for (const [table, left] of [
    ['auth.users', 1],
    ['public.orders', 1],
    ['public.order_lines', 1],
    ['public.posts', 1],
    ['clew_mail.mails', 1],
    ['clew_sql_editor.queries', 1],
  ] as const)
    expect([table, await count(db, table)]).toEqual([table, left])
  const [wrote] = await clickhouse.query<{ properties: string }>({
    text: `select properties from events final`,
    parameters: {},
  })
  expect(JSON.parse(wrote?.properties ?? '')).toEqual({ to: '[erased]', of: '[erased]' })
  const [asked] = await clickhouse.query<{ query: string }>({ text: `select query from requests`, parameters: {} })
  expect(asked?.query).toBe('email=eq.[erased]&id=eq.2')
  // Nothing of the row that went is left in the history, and Bob's is.
  const history = await clickhouse.query<{ key: string }>({
    text: `select distinct key from changes where table_name in ('orders', 'order_lines') order by key`,
    parameters: {},
  })
  expect(history.map(({ key }) => key)).toEqual(['{"id":"12"}', '{"id":"2"}'])

  const file = (await ask('GET', `/privacy/erasures/${begun.body.id}/certificate`)).body
  for (const text of everyName) expect(JSON.stringify(file)).not.toContain(text)
  const { publicKey, digest } = certificateKeyOf(pepper)
  expect(checkCertificate(file, [publicKey])).toMatchObject({ kind: 'good', isOfKey: true })
  expect(file.certificate.subject).toContain(digest(` ${email.toUpperCase()}`))
  expect(file.certificate.backups).toEqual({ count: 2, until: '2027-01-01T00:00:00.000Z' })
  const verify = async (certificate: unknown) =>
    (await ask('POST', '/privacy/certificates/verify', { certificate })).body.outcome
  expect(await verify(file)).toBe('good')
  expect(await verify({ ...file, certificate: { ...file.certificate, refusesFuture: true } })).toBe('changed')
  expect(await verify({ hello: 1 })).toBe('not a certificate')
})

test('while a hold is open on a person nothing of them is removed, and the operator is told', {
  timeout: 180_000,
}, async ({ world }) => {
  const { open, db } = world
  await fill(world)
  const hold = { id: adaPerson, reason: 'Claim 12', until: null }
  let holds = [hold]
  const holdsOn = async ({ distinctIds }: { readonly distinctIds: readonly string[] }) =>
    distinctIds.includes(ada) ? holds : []
  const { ask, erasures } = await open('owner', { holdsOn })
  const preview = await ask('GET', `/privacy/preview?kind=user&id=${ada}`)
  expect(preview.body.holds).toEqual([hold])
  const wish = { kind: 'user', id: ada, texts: [], tables, refuse: false }
  const refused = await ask('POST', '/privacy/erasures', wish)
  expect([refused.status, refused.body.code]).toEqual([409, 'CLEW_PRIVACY_HELD'])
  expect(await count(db, 'clew_privacy.erasures')).toBe(0)
  // One that is placed after the erasure was asked for wins, too.
  holds = []
  const begun = await ask('POST', '/privacy/erasures', wish)
  expect(begun.status).toBe(202)
  holds = [hold]
  erasures.start()
  const one = async () => (await ask('GET', `/privacy/erasures/${begun.body.id}`)).body
  await expect.poll(async () => (await one()).error).toContain('A legal hold keeps data of this person: Claim 12')
  expect(await count(db, 'auth.users')).toBe(2)
})

test('what stands against it is said before anything is erased, and in the certificate never', {
  timeout: 180_000,
}, async ({ world }) => {
  const { open, db } = world
  await fill(world)
  const { ask } = await open()
  const wish = { kind: 'user', id: ada, texts: [], refuse: false }
  const check = async (given: object) =>
    (await ask('POST', '/privacy/erasures/check', { kind: 'user', id: ada, ...given })).body
  expect((await check({ tables: [] })).refusal).toMatchObject({ table: 'orders' })
  expect((await check({ tables })).refusal).toBeNull()
  const emptied = { schema: 'public', table: 'orders', column: 'user_id', action: 'set null' }
  expect((await check({ tables: [emptied, ...tables.slice(1)] })).refusal).toBeNull()
  expect(await count(db, 'public.orders')).toBe(2)
  const codes = async (given: object) => (await ask('POST', '/privacy/erasures', { ...wish, ...given })).body.code
  expect(await codes({ tables: [] })).toBe('CLEW_PRIVACY_ACCOUNT_REFUSED')
  expect(await codes({ tables: [{ ...emptied, table: 'order_lines', column: 'id' }] })).toBe(
    'CLEW_PRIVACY_ROWS_NOT_FOUND',
  )
  expect(await codes({ tables: [{ ...emptied, table: 'profiles', column: 'id' }] })).toBe('CLEW_PRIVACY_ROWS_NOT_FOUND')
  expect(await codes({ id: session, tables: [] })).toBe('CLEW_PRIVACY_PERSON_NOT_FOUND')
  // Two operators at once: one of them begins it.
  const both = await Promise.all([1, 2].map(() => ask('POST', '/privacy/erasures', { ...wish, tables })))
  expect(both.map(({ status }) => status).toSorted()).toEqual([202, 409])
  expect(await codes({ tables })).toBe('CLEW_PRIVACY_ERASURE_OPEN')
  expect((await ask('GET', '/privacy/erasures')).body.erasures).toMatchObject([{ state: 'waiting', left: null }])
})

test('an erasure that is interrupted is taken up where it was', { timeout: 180_000 }, async ({ world }) => {
  const { open, db, clickhouse, spools } = world
  await fill(world)
  const stores = personStores({ postgres: db, clickhouse }, null, spools)
  let reached = false
  const first = await open('owner', {
    stores: stores.map((store) =>
      store.name !== 'mails'
        ? store
        : {
            ...store,
            // Never done: its process is killed here.
            erase: (_subject, { signal }) => {
              reached = true
              return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
            },
          },
    ),
    leaseMs: 500,
  })
  first.erasures.start()
  const { body } = await first.ask('POST', '/privacy/erasures', {
    kind: 'person',
    id: adaPerson,
    texts: [email],
    tables,
    refuse: true,
  })
  await expect.poll(() => reached, { timeout: 60_000 }).toBe(true)
  expect((await first.ask('GET', `/privacy/erasures/${body.id}`)).body).toMatchObject({
    state: 'running',
    store: 'mails',
  })
  await first.erasures.close()
  const second = await open()
  second.erasures.start()
  const state = async () => (await second.ask('GET', `/privacy/erasures/${body.id}`)).body
  await expect.poll(async () => (await state()).state, { timeout: 120_000 }).toBe('done')
  const { stores: erased, error } = await state()
  expect(error).toBeNull()
  // Steps that were done are not counted twice.
  expect(erased.find((each: { store: string }) => each.store === 'events')).toMatchObject({ removed: 2 })
  // Only the refusal that was asked for stays.
  expect(await tablesWith(db, clickhouse, ada)).toEqual(['clew_analytics.consents'])
})

test('a person’s data leave as one JSON file, and no secret with them', { timeout: 180_000 }, async ({ world }) => {
  const { open, db } = world
  await fill(world)
  await db.admin.query({ text: `update auth.users set encrypted_password = 'hash-of-ada'`, values: [] })
  const { ask, log } = await open()
  const { body } = await ask('GET', `/privacy/export?kind=user&id=${ada}`)
  expect(body.stores.account[0].user).toMatchObject({ id: ada, email })
  expect(body.stores['rows of the application']).toContainEqual({
    table: 'public.orders',
    row: { id: 1, user_id: ada, note: `for ${name}` },
  })
  expect(body.stores.events.map(({ event }: { event: string }) => event)).toEqual(['ordered', 'ordered'])
  expect(body.stores.mails).toMatchObject([{ recipient: email }])
  expect(body.stores['refused rows']).toMatchObject([{ target: 'events', row: expect.stringContaining(ada) }])
  expect(JSON.stringify(body)).not.toContain('hash-of-ada')
  expect(JSON.stringify(body)).not.toContain('bob@shop.test')
  expect(log).toEqual([{ name: 'person.export', target: `user ${ada}` }])
})

test.for(['developer', 'analyst'] as const)(
  'a %s sees erasures, and neither previews nor begins one',
  async (role, { world }) => {
    const { ask } = await world.open(role)
    expect((await ask('GET', '/privacy/erasures')).status).toBe(200)
    expect((await ask('GET', `/privacy/preview?kind=user&id=${ada}`)).status).toBe(403)
    expect((await ask('GET', `/privacy/export?kind=user&id=${ada}`)).status).toBe(403)
    expect(
      (await ask('POST', '/privacy/erasures', { kind: 'user', id: ada, texts: [], tables: [], refuse: false })).status,
    ).toBe(403)
  },
)
