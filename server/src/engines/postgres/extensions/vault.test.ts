import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { createPostgres, type Postgres } from '../index.ts'

const ask = async (db: Postgres, text: string, ...values: unknown[]): Promise<readonly Record<string, unknown>[]> =>
  (await db.owner.query({ text, values })).rows

const storeSecret = async (db: Postgres, secret: string, name?: string): Promise<string> => {
  const [row] = await ask(db, 'select vault.create_secret($1, $2) as id', secret, name ?? null)
  return String(row?.id)
}

const decrypted = 'select name, description, decrypted_secret as secret from vault.decrypted_secrets where id = $1'

/** As one of the API's roles. */
const askAs = (db: Postgres, role: string, text: string) =>
  db.owner.transaction(async (own) => {
    await own.query({ text: `set local role ${role}`, values: [] })
    return (await own.query({ text, values: [] })).rows
  })

test('every database has the vault; a secret is kept encrypted and shown by the view', async ({ db }) => {
  await db.load('create extension if not exists supabase_vault with schema vault')
  const [row] = await ask(db, `select vault.create_secret('sésame', 'door', 'of the house') as id`)
  expect(await ask(db, decrypted, row?.id)).toEqual([{ name: 'door', description: 'of the house', secret: 'sésame' }])
  const [kept] = await ask(db, 'select * from vault.secrets')
  expect(kept).toMatchObject({ id: row?.id, name: 'door', key_id: null })
  const bytes = Buffer.from(String(kept?.secret), 'base64')
  expect(bytes).toHaveLength(16 + 32)
  expect(bytes.includes('same')).toBe(false)
})

test.for(['', 'x', 'x'.repeat(16), '🔑'.repeat(10_000)])(
  'a secret is read as it was written (case %#)',
  async (secret, { db }) => {
    expect(await ask(db, decrypted, await storeSecret(db, secret))).toMatchObject([
      { name: null, description: '', secret },
    ])
  },
)

test('equal secrets do not look alike, and a change makes a new nonce', async ({ db }) => {
  const first = await storeSecret(db, 'equal')
  await storeSecret(db, 'equal')
  const kept = async () => (await ask(db, 'select secret, nonce::text from vault.secrets')).flatMap(Object.values)
  expect(new Set(await kept()).size).toBe(4)
  await ask(db, `select vault.update_secret($1, 'equal')`, first)
  expect(new Set(await kept()).size).toBe(4)
})

test('an update changes what is given, by place or by name', async ({ db }) => {
  const id = await storeSecret(db, 'first', 'one')
  await ask(db, 'select vault.update_secret($1, new_name := $2)', id, 'two')
  expect(await ask(db, decrypted, id)).toEqual([{ name: 'two', description: '', secret: 'first' }])
  await ask(db, 'select vault.update_secret($1, $2, null, $3)', id, 'second', 'said')
  expect(await ask(db, decrypted, id)).toEqual([{ name: 'two', description: 'said', secret: 'second' }])
})

test('two secrets of one name are refused; without a name there may be many', async ({ db }) => {
  await storeSecret(db, 'a', 'name')
  await expect(storeSecret(db, 'b', 'name')).rejects.toThrow('duplicate key')
  await Promise.all([storeSecret(db, 'a'), storeSecret(db, 'b')])
  await expect(ask(db, 'select vault.create_secret(null)')).rejects.toThrow('null value in column "secret"')
})

test('a secret that was changed, or put in another’s place, is not decrypted', async ({ db }) => {
  const [one, other] = [await storeSecret(db, 'one'), await storeSecret(db, 'other')]
  const change = (text: string) => db.admin.query({ text, values: [one, other] })
  const refused = () => expect(ask(db, decrypted, one)).rejects.toThrow(`the secret ${one} cannot be decrypted`)
  await change(
    'update vault.secrets s set secret = o.secret, nonce = o.nonce from vault.secrets o where s.id = $1 and o.id = $2',
  )
  await refused()
  for (const secret of ['', 'AAAA', Buffer.alloc(48).toString('base64')]) {
    await change(`update vault.secrets set secret = '${secret}' where id = $1 and $2::uuid is not null`)
    await refused()
  }
})

test('service_role uses it as the owner does, and other roles do not', async ({ db }) => {
  await askAs(db, 'service_role', `select vault.create_secret('s', 'of service_role')`)
  const read = 'select decrypted_secret from vault.decrypted_secrets'
  expect(await askAs(db, 'service_role', read)).toEqual([{ decrypted_secret: 's' }])
  for (const role of ['anon', 'authenticated'])
    for (const text of [read, 'select * from vault.secrets', `select vault.create_secret('x')`])
      await expect(askAs(db, role, text)).rejects.toThrow('permission denied for schema vault')
  await askAs(db, 'service_role', 'delete from vault.secrets')
  expect(await ask(db, read)).toEqual([])
})

test.for([
  'select vault._key()',
  `select pg_read_binary_file(current_setting('unix_socket_directories') || '/vault.key')`,
  `select vault._encrypt('x', gen_random_uuid(), '')`,
  `insert into vault.secrets (secret, nonce) values ('', '')`,
  `update vault.secrets set secret = ''`,
  'create function vault.mine() returns int return 1',
  'drop schema vault cascade',
])('the owner may not: %s', async (text, { db }) => {
  await expect(ask(db, text)).rejects.toThrow(/permission denied|must be owner/)
})

test('the owner’s functions give a secret to roles that cannot read it', async ({ db }) => {
  await storeSecret(db, 'sk_test', 'stripe')
  await db.load(`create function public.stripe_key() returns text language sql security definer set search_path = ''
    as $$ select decrypted_secret from vault.decrypted_secrets where name = 'stripe' $$`)
  expect(await askAs(db, 'authenticated', 'select public.stripe_key()')).toEqual([{ stripe_key: 'sk_test' }])
})

test('the owner drops and creates it again', async ({ db }) => {
  await db.load('drop extension supabase_vault; create extension if not exists supabase_vault')
  expect(await ask(db, decrypted, await storeSecret(db, 'again'))).toMatchObject([{ secret: 'again' }])
})

test('a schema that another role owns is not taken', async ({ db }) => {
  await db.load('drop extension supabase_vault')
  await db.admin.query({ text: 'alter schema vault owner to postgres', values: [] })
  await expect(db.load('create extension supabase_vault')).rejects.toThrow('the schema "vault" belongs to another role')
})

test('what stands in a statement that fails, is ended or is killed is not in the log; its sender is told what is wrong', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-vault-'))
  const socketDir = await mkdtemp(join(tmpdir(), 'clew-s-'))
  const logged: string[] = []
  const key = randomBytes(64)
  const db = await createPostgres({
    kind: 'embedded',
    dataDir: join(folder, 'data'),
    socketDir,
    port: null,
    password: 'postgres',
    vaultKeys: () => key,
    log: (line) => logged.push(line),
    exposedSchemas: ['public'],
    poolSize: 2,
  })
  const secret = 'sk_live_of_the_test'
  try {
    const store = `vault.create_secret('${secret}', 'stripe')`
    await ask(db, `select ${store}`)
    await expect(ask(db, `select ${store}`)).rejects.toThrow('duplicate key value violates unique constraint')
    await expect(ask(db, `select ${store}, none`)).rejects.toThrow('column "none" does not exist')
    await expect(ask(db, `select vault.create_secret($1, $2)`, secret, 'stripe')).rejects.toMatchObject({
      detail: 'Key (name)=(stripe) already exists.',
    })
    // Each way in which the server itself speaks of a statement that runs.
    const sleeping = `do $$ begin perform pg_sleep(60), ${store}; end $$`
    const isSleeping = `select pid from pg_stat_activity where query like 'do %' and wait_event = 'PgSleep'`
    const pidOfSleeper = async (): Promise<number> => {
      const running = async () => (await db.admin.query<{ pid: number }>({ text: isSleeping, values: [] })).rows
      await expect.poll(running).toHaveLength(1)
      return (await running())[0]?.pid ?? 0
    }
    const ended = expect(ask(db, sleeping)).rejects.toThrow()
    await db.admin.query({ text: 'select pg_terminate_backend($1)', values: [await pidOfSleeper()] })
    await ended
    const killed = expect(ask(db, sleeping)).rejects.toThrow()
    process.kill(await pidOfSleeper(), 'SIGKILL')
    await killed
    await expect.poll(() => ask(db, 'select 1').catch(() => [])).toHaveLength(1)
    const log = await readFile(join(folder, 'data', 'server.log'), 'utf8')
    expect(log).toContain('terminating connection due to administrator command')
    expect(log).toContain('was terminated by signal 9')
    expect(`${log}${logged.join()}`).not.toContain(secret)
  } finally {
    await db.close()
    await rm(folder, { recursive: true })
    await rm(socketDir, { recursive: true })
  }
})

test('a start with another key, or with none, says so; with its own key the secrets are there', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-vault-'))
  const socketDir = await mkdtemp(join(tmpdir(), 'clew-s-'))
  const vaultKey = randomBytes(64)
  const withServer = async (key: Buffer | undefined, body: (db: Postgres) => Promise<void>) => {
    const db = await createPostgres({
      kind: 'embedded',
      dataDir: join(folder, 'data'),
      socketDir,
      port: null,
      password: 'postgres',
      ...(key === undefined ? {} : { vaultKeys: () => key }),
      log: () => undefined,
      exposedSchemas: ['public'],
      poolSize: 1,
    })
    await body(db).finally(() => db.close())
  }
  const file = join(socketDir, 'pg', 'vault.key')
  let id = ''
  try {
    await withServer(vaultKey, async (db) => {
      id = await storeSecret(db, 'kept')
      expect((await stat(file)).mode & 0o777).toBe(0o600)
      expect(await readFile(file)).toEqual(vaultKey)
    })
    await withServer(randomBytes(64), (db) => expect(ask(db, decrypted, id)).rejects.toThrow('cannot be decrypted'))
    await withServer(undefined, (db) => expect(storeSecret(db, 'x')).rejects.toThrow('the key of the vault is missing'))
    await withServer(vaultKey, async (db) => expect(await ask(db, decrypted, id)).toMatchObject([{ secret: 'kept' }]))
  } finally {
    await rm(folder, { recursive: true })
    await rm(socketDir, { recursive: true })
  }
})

test('its key is another from one statement to the next; what the earlier key has is read and encrypted anew', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-vault-'))
  const socketDir = await mkdtemp(join(tmpdir(), 'clew-s-'))
  const [one, two] = [randomBytes(64), randomBytes(64)]
  let keys = one
  const db = await createPostgres({
    kind: 'embedded',
    dataDir: join(folder, 'data'),
    socketDir,
    port: null,
    password: 'postgres',
    vaultKeys: () => keys,
    log: () => undefined,
    exposedSchemas: ['public'],
    poolSize: 1,
  })
  const take = async (...next: readonly Buffer[]) => {
    keys = Buffer.concat(next)
    await db.renewVaultKeys()
  }
  const superuser = async (text: string) => (await db.admin.query({ text, values: [] })).rows
  const reencrypt = () => superuser('select vault._reencrypt(2)::int as done')
  try {
    const ids = [await storeSecret(db, 'first'), await storeSecret(db, 'second'), await storeSecret(db, 'third')]
    const before = await superuser('select updated_at from vault.secrets order by id')
    await take(two, one)
    ids.push(await storeSecret(db, 'fourth'))
    const readAll = async () => (await Promise.all(ids.map((id) => ask(db, decrypted, id)))).map(([row]) => row?.secret)
    const all = ['first', 'second', 'third', 'fourth']
    expect([await readAll(), await keyNumbers(superuser)]).toEqual([all, [1, 2, 2, 2]])
    expect([await reencrypt(), await readAll()]).toEqual([[{ done: 2 }], all])
    expect([await reencrypt(), await reencrypt()]).toEqual([[{ done: 1 }], [{ done: 0 }]])
    expect(await keyNumbers(superuser)).toEqual([1, 1, 1, 1])
    expect((await superuser('select updated_at from vault.secrets order by id')).slice(0, 4)).toEqual(
      expect.arrayContaining([...before]),
    )
    await take(two)
    expect(await readAll()).toEqual(all)
    await expect(ask(db, 'select vault._reencrypt(2)')).rejects.toThrow('permission denied')
  } finally {
    await db.close()
    await rm(folder, { recursive: true })
    await rm(socketDir, { recursive: true })
  }
})

/** The numbers of the keys that secrets are encrypted with. */
const keyNumbers = async (superuser: (text: string) => Promise<readonly { readonly n?: unknown }[]>) =>
  (await superuser('select vault._key_number(secret, id, nonce)::int as n from vault.secrets order by 1')).map(
    ({ n }) => n,
  )
