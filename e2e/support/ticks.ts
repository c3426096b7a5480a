import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect } from 'vitest'
import type { SessionDetail } from '../../console/src/lib/api/schemas.ts'
import type { ConsoleApi } from './console-api.ts'
import type { Product } from './product.ts'

const eventsPerBatch = 5
export const user = { email: 'ticker@example.test', password: 'a long password for ticks' }

/** The table that these tests write to. */
export const createTicks = `
  create table public.ticks (id bigint generated always as identity primary key, n int not null);
  grant all on public.ticks to authenticated`

/** What the product said yes to. */
export interface Acknowledged {
  readonly rows: { readonly n: number; readonly requestId: string; readonly atMs: number }[]
  readonly events: string[]
}

/** Signs the user up; answers their access token. */
export async function signUp(product: Product): Promise<string> {
  const answer = await fetch(`${product.apiUrl}/auth/v1/signup`, {
    method: 'POST',
    headers: { apikey: product.publishableKey, 'content-type': 'application/json' },
    body: JSON.stringify(user),
  })
  const { access_token: token } = (await answer.json()) as { access_token?: string }
  if (token === undefined) throw new Error(`${answer.status}: no session`)
  return token
}

/** Inserts one row by REST; written down once it is answered with 201. */
export async function insertRow(
  product: Product,
  n: number,
  { token, sessionId }: { readonly token: string; readonly sessionId: string },
  { rows }: Acknowledged,
): Promise<void> {
  const answer = await fetch(`${product.apiUrl}/rest/v1/ticks`, {
    method: 'POST',
    headers: {
      apikey: product.publishableKey,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      prefer: 'return=minimal',
      'x-posthog-session-id': sessionId,
      'x-posthog-distinct-id': 'metronome',
    },
    body: JSON.stringify({ n }),
  })
  if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`)
  rows.push({ n, requestId: answer.headers.get('x-request-id') ?? '', atMs: performance.now() })
}

/** Sends five events; written down once they are answered with 200. */
export async function sendEvents(product: Product, sessionId: string, { events }: Acknowledged): Promise<void> {
  const ids = Array.from({ length: eventsPerBatch }, () => randomUUID())
  const timestamp = new Date().toISOString()
  const answer = await fetch(`${product.apiUrl}/ingest/batch/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      api_key: product.ingestToken,
      batch: ids.map((uuid) => ({
        uuid,
        event: 'ticked',
        distinct_id: 'metronome',
        timestamp,
        properties: { $session_id: sessionId, mark: uuid },
      })),
    }),
  })
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
  events.push(...ids)
}

/** The marks of a session's events, as the console shows them. */
export async function eventsOf(api: ConsoleApi, sessionId: string): Promise<readonly string[]> {
  const detail = await api.get<SessionDetail>(`/sessions/${sessionId}`).catch(() => undefined)
  expect(detail?.truncated ?? false).toBe(false)
  return (detail?.moments ?? []).flatMap(({ label, properties }) =>
    label === 'ticked' ? [String(properties?.mark)] : [],
  )
}

/** Asks the database as `postgres`, on a connection of its own. */
export async function inDatabase<Answer>(
  product: Pick<Product, 'dbUrl'>,
  ask: (client: pg.Client) => Promise<Answer>,
): Promise<Answer> {
  const client = new pg.Client({ connectionString: product.dbUrl })
  await client.connect()
  try {
    return await ask(client)
  } finally {
    await client.end()
  }
}
