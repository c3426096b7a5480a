import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import ws from 'ws'
import type { RequestDetail, RequestSummary } from '../../console/src/lib/api/schemas.ts'
import { type ConsoleApi, signInOwner } from '../support/console-api.ts'
import { until } from '../support/product.ts'
import { sharedCafe } from '../support/shared.ts'

const password = 'three oat biscuits'

/** What one answer said to the page that asked. */
interface Heard {
  readonly id: string | null
  readonly method: string
  readonly path: string
  readonly status: number
  readonly exposed: readonly string[]
  readonly allowed: string | null
}

describe('supabase-js, unmodified, against the running product', () => {
  let product: Awaited<ReturnType<typeof sharedCafe>>
  /** Of the page: one of the team's own, by the café's settings; others may not use the keys of local mode. */
  let origin: string
  let database: pg.Client
  let api: ConsoleApi
  const heard: Heard[] = []

  beforeAll(async () => {
    product = await sharedCafe()
    origin = product.appOrigin
    api = await signInOwner(product)
    database = new pg.Client({ connectionString: product.dbUrl })
    await database.connect()
  })
  afterAll(async () => {
    await database?.end()
  })

  /** The official client on a page of another origin, or on a server; each answer to a page noted. */
  const open = (key = product.publishableKey, isPage = true): SupabaseClient =>
    createClient(product.apiUrl, key, {
      auth: { persistSession: false, autoRefreshToken: false },
      // Node 20 has no WebSocket of its own, and the client asks for one when it is made.
      realtime: { transport: ws },
      global: {
        fetch: async (input, init) => {
          const headers = new Headers(init?.headers)
          if (isPage) headers.set('origin', origin)
          const answer = await fetch(input, { ...init, headers })
          if (!isPage) return answer
          heard.push({
            id: answer.headers.get('x-request-id'),
            method: init?.method ?? 'GET',
            path: new URL(String(input)).pathname,
            status: answer.status,
            exposed: (answer.headers.get('access-control-expose-headers') ?? '').split(',').map((name) => name.trim()),
            allowed: answer.headers.get('access-control-allow-origin'),
          })
          return answer
        },
      },
    })

  /** A client signed in as somebody who has just signed up. */
  const signedUp = async (email: string): Promise<{ client: SupabaseClient; userId: string }> => {
    const client = open()
    const { data, error } = await client.auth.signUp({ email, password })
    expect(error).toBeNull()
    return { client, userId: data.user?.id ?? '' }
  }

  describe('auth', () => {
    test('signs up, in, refreshes, tells who is there, and signs out', async () => {
      const client = open()
      const options = { data: { name: 'Rui Prado' } }
      const up = await client.auth.signUp({ email: 'rui@example.test', password, options })
      expect(up.error).toBeNull()
      expect(up.data.user).toMatchObject({
        email: 'rui@example.test',
        role: 'authenticated',
        user_metadata: options.data,
      })
      expect(up.data.session?.access_token).toMatch(/^ey/)

      const inAgain = await open().auth.signInWithPassword({ email: 'rui@example.test', password })
      expect(inAgain.data.user?.id).toBe(up.data.user?.id)

      const refreshed = await client.auth.refreshSession()
      expect(refreshed.error).toBeNull()
      expect(refreshed.data.session?.refresh_token).not.toBe(up.data.session?.refresh_token)
      const who = await client.auth.getUser()
      expect(who.data.user).toMatchObject({ id: up.data.user?.id, user_metadata: { name: 'Rui Prado' } })
      const claims = await client.auth.getClaims()
      expect(claims.data?.header.alg).toBe('ES256')
      expect(claims.data?.claims).toMatchObject({ sub: up.data.user?.id, role: 'authenticated' })

      const token = refreshed.data.session?.access_token
      expect((await client.auth.signOut()).error).toBeNull()
      expect((await client.auth.getSession()).data.session).toBeNull()
      // The client makes this of the server's 403 `session_not_found`.
      expect((await client.auth.getUser(token)).error?.name).toBe('AuthSessionMissingError')
      expect(heard.at(-1)).toMatchObject({ path: '/auth/v1/user', status: 403 })
      const spent = await client.auth.refreshSession({ refresh_token: refreshed.data.session?.refresh_token ?? '' })
      expect(spent.error?.code).toMatch(/^refresh_token_(not_found|already_used)$/)
    })

    test('refuses with the codes that applications branch on', async () => {
      await signedUp('twice@example.test')
      const client = open()
      const cases = [
        await client.auth.signUp({ email: 'twice@example.test', password }),
        await client.auth.signUp({ email: 'short@example.test', password: 'abc' }),
        await client.auth.signInWithPassword({ email: 'twice@example.test', password: 'not this one' }),
        await client.auth.verifyOtp({ email: 'twice@example.test', token: '000000', type: 'email' }),
      ]
      expect(cases.map(({ error }) => [error?.status, error?.code])).toEqual([
        [422, 'user_already_exists'],
        [422, 'weak_password'],
        [400, 'invalid_credentials'],
        [403, 'otp_expired'],
      ])
    })
  })

  describe('rest', () => {
    test('selects with embeds, filters, order, range and count', async () => {
      const client = open()
      const { data, count, error, status } = await client
        .from('products')
        .select('name, price_cents, categories!inner(name)', { count: 'exact' })
        .eq('categories.name', 'Coffee')
        .gte('price_cents', 300)
        .order('price_cents', { ascending: false })
        .range(0, 1)
      expect(error).toBeNull()
      expect({ count, status }).toEqual({ count: 3, status: 206 })
      expect(data).toEqual([
        { name: 'Flat white', price_cents: 380, categories: { name: 'Coffee' } },
        { name: 'Cappuccino', price_cents: 360, categories: { name: 'Coffee' } },
      ])
      const menu = await client.from('categories').select('name, products(name)').order('position').limit(1)
      expect(menu.data?.[0]).toMatchObject({ name: 'Coffee', products: { length: 4 } })
      const head = await client.from('products').select('*', { count: 'exact', head: true })
      expect({ count: head.count, data: head.data }).toEqual({ count: 11, data: null })
    })

    test('sees a table and a function made a moment ago, without one refusal', async () => {
      const client = open()
      for (let round = 1; round <= 3; round += 1) {
        await database.query(`
          create table public.fresh_${round} (id int primary key, word text not null);
          insert into public.fresh_${round} values (1, 'warm');
          create function public.add_${round}(a int, b int) returns int language sql immutable as 'select a + b';`)
        const rows = await client.from(`fresh_${round}`).select()
        expect([rows.error, rows.data]).toEqual([null, [{ id: 1, word: 'warm' }]])
        const sum = await client.rpc(`add_${round}`, { a: round, b: 40 })
        expect([sum.error, sum.data]).toEqual([null, round + 40])
        await database.query(`alter table public.fresh_${round} add column later text default 'yes'`)
        const wider = await client.from(`fresh_${round}`).select('later')
        expect([wider.error, wider.data]).toEqual([null, [{ later: 'yes' }]])
      }
    })

    test('inserts, updates, upserts and deletes, returning rows; and keeps two people apart', async () => {
      await database.query(`
        create table public.notes (
          id bigint generated always as identity primary key,
          owner uuid not null default auth.uid(),
          slug text not null unique,
          body text
        );
        alter table public.notes enable row level security;
        create policy "own notes" on public.notes to authenticated
          using (owner = (select auth.uid())) with check (owner = (select auth.uid()));`)
      const { client: nia, userId } = await signedUp('nia@example.test')
      const { client: leo } = await signedUp('leo@example.test')

      const inserted = await nia
        .from('notes')
        .insert([{ slug: 'a', body: 'one' }, { slug: 'b' }])
        .select('slug, owner')
      expect(inserted).toMatchObject({
        error: null,
        status: 201,
        data: [
          { slug: 'a', owner: userId },
          { slug: 'b', owner: userId },
        ],
      })
      const updated = await nia.from('notes').update({ body: 'two' }).eq('slug', 'a').select('body').single()
      expect(updated).toMatchObject({ error: null, data: { body: 'two' } })
      const upserted = await nia
        .from('notes')
        .upsert(
          [
            { slug: 'a', body: 'three' },
            { slug: 'c', body: 'new' },
          ],
          { onConflict: 'slug' },
        )
        .select('slug, body')
        .order('slug')
      expect(upserted.data).toEqual([
        { slug: 'a', body: 'three' },
        { slug: 'c', body: 'new' },
      ])

      expect((await leo.from('notes').select()).data).toEqual([])
      expect((await leo.from('notes').update({ body: 'mine' }).eq('slug', 'a').select()).data).toEqual([])
      expect((await leo.from('notes').delete().eq('slug', 'a').select()).data).toEqual([])
      const forged = await leo.from('notes').insert({ slug: 'd', owner: userId })
      expect(forged).toMatchObject({ status: 403, error: { code: '42501' } })
      expect((await open().from('notes').select()).data).toEqual([])

      const removed = await nia.from('notes').delete().in('slug', ['b', 'c']).select('slug').order('slug')
      expect(removed.data).toEqual([{ slug: 'b' }, { slug: 'c' }])
      expect((await nia.from('notes').select('slug, body')).data).toEqual([{ slug: 'a', body: 'three' }])
    })

    test('refuses with PostgREST’s and PostgreSQL’s codes', async () => {
      const client = open()
      const { client: signedIn } = await signedUp('codes@example.test')
      const refusals = [
        await client.from('nowhere').select(),
        await client.from('products').select('colour'),
        await client.rpc('nothing'),
        await client.from('products').select().single(),
        await client.from('products').select().eq('id', 'seven'),
        await client.from('categories').insert({ name: 'Cake' }),
        await signedIn.from('orders').insert({ status: 'eaten' }),
        await signedIn.from('order_items').insert({ order_id: 1, product_id: 999, quantity: 1 }),
      ]
      expect(refusals.map(({ status, error }) => [status, error?.code])).toEqual([
        [404, 'PGRST205'],
        [400, '42703'],
        [404, 'PGRST202'],
        [406, 'PGRST116'],
        [400, '22P02'],
        [401, '42501'],
        [400, '23514'],
        [500, 'P0002'],
      ])
    })
  })

  test('files of a user who was deleted stay, name their owner, and go when the service removes them', async () => {
    const service = open(product.serviceRoleKey, false)
    await service.storage.createBucket('belongings')
    await database.query(`
      create policy "own belongings" on storage.objects to authenticated
        using (bucket_id = 'belongings' and owner_id = (select auth.uid()::text))
        with check (bucket_id = 'belongings' and owner_id = (select auth.uid()::text))`)
    const { client: ida, userId } = await signedUp('ida@example.test')
    const { client: leaver, userId: leaverId } = await signedUp('leaver@example.test')
    for (const [client, name] of [
      [ida, 'ida.txt'],
      [leaver, 'leaver.txt'],
    ] as const)
      expect((await client.storage.from('belongings').upload(name, name)).error).toBeNull()
    expect((await service.auth.admin.deleteUser(userId)).error).toBeNull()
    // Soft: the user's row stays, and says no more whose it was.
    expect((await service.auth.admin.deleteUser(leaverId, true)).error).toBeNull()

    const files = service.storage.from('belongings')
    expect(await (await files.download('ida.txt')).data?.text()).toBe('ida.txt')
    const rows = () =>
      database.query(`
        select o.name, o.owner, o.owner_id, u.id is null as "isGone"
        from storage.objects o left join auth.users u on u.id::text = o.owner_id
        where o.bucket_id = 'belongings' order by o.name`)
    expect((await rows()).rows).toEqual([
      { name: 'ida.txt', owner: userId, owner_id: userId, isGone: true },
      { name: 'leaver.txt', owner: leaverId, owner_id: leaverId, isGone: false },
    ])
    const { client: other } = await signedUp('other@example.test')
    expect((await other.storage.from('belongings').list()).data).toEqual([])
    const removed = await files.remove(['ida.txt', 'leaver.txt'])
    expect([removed.error, removed.data?.map(({ name }) => name).sort()]).toEqual([null, ['ida.txt', 'leaver.txt']])
    expect((await rows()).rows).toEqual([])
    expect((await service.storage.deleteBucket('belongings')).error).toBeNull()
  })

  test('the four keys stand for their roles; a strange one is refused', async () => {
    await database.query(`
      create table public.drawer (id int primary key);
      alter table public.drawer enable row level security;
      insert into public.drawer values (1);
      create function public.my_role() returns text language sql stable as 'select current_role::text';`)
    const seen = async (key: string, isPage = true) => {
      const client = open(key, isPage)
      const [role, rows] = [await client.rpc('my_role'), await client.from('drawer').select()]
      return [role.data, rows.data?.length]
    }
    expect(await seen(product.publishableKey)).toEqual(['anon', 0])
    expect(await seen(product.anonKey)).toEqual(['anon', 0])
    expect(await seen(product.secretKey, false)).toEqual(['service_role', 1])
    expect(await seen(product.serviceRoleKey, false)).toEqual(['service_role', 1])
    // On a page whoever reads it could read the key.
    for (const key of [product.secretKey, product.serviceRoleKey])
      expect(await open(key).from('drawer').select()).toMatchObject({ status: 401, data: null })
    const strange = await open(`${product.secretKey.slice(0, -4)}AAAA`)
      .from('drawer')
      .select()
    expect(strange).toMatchObject({ status: 401, data: null })
  })

  test('every answer tells its request, which the console knows with its statements', async () => {
    expect(heard.length).toBeGreaterThan(50)
    for (const { id, exposed, allowed } of heard) {
      expect(id).toMatch(/^[0-9a-f-]{36}$/)
      expect(exposed).toContain('x-request-id')
      expect(['*', origin]).toContain(allowed)
    }
    let known = new Map<string, RequestSummary>()
    await until(async () => {
      const { requests } = await api.get<{ requests: RequestSummary[] }>('/requests?limit=500')
      known = new Map(requests.map((request) => [request.id, request]))
      return heard.every(({ id }) => known.has(id ?? ''))
    })
    for (const { id, method, path, status } of heard) {
      expect(known.get(id ?? '')).toMatchObject({ method, path, status })
    }
    const good = heard.filter(({ path, status }) => path.startsWith('/rest/') && status < 300)
    expect(good.filter(({ id }) => known.get(id ?? '')?.statements === 0)).toEqual([])

    const insertion = good.find(
      ({ method, path, status }) => method === 'POST' && path.endsWith('/notes') && status === 201,
    )
    const detail = await api.get<RequestDetail>(`/requests/${insertion?.id}`)
    expect(detail.statements[0]).toMatchObject({ role: 'authenticated', errorCode: null })
    expect(detail.statements.map(({ text }) => text).join()).toContain('insert into "public"."notes"')
    expect(detail.changes.map(({ table, operation }) => [operation, table])).toEqual([
      ['insert', 'notes'],
      ['insert', 'notes'],
    ])
  })
})
