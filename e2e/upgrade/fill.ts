import { createClient } from '@supabase/supabase-js'
import ws from 'ws'
import { type ConsoleApi, claimOwner } from '../support/console-api.ts'
import { type Product, until } from '../support/product.ts'
import { metaOf, sendRecording, snapshotOf } from '../support/recorded.ts'

/** The reader whose rows are kept. */
export const reader = { email: 'reader@example.test', password: 'a long password of a reader' }

/** The official client, as the reader's browser has it. */
export const clientOf = ({ apiUrl, publishableKey }: Product) =>
  createClient(apiUrl, publishableKey, { auth: { persistSession: false }, realtime: { transport: ws } })

/**
 * Puts rows, events, files and definitions into every room of a new instance.
 *
 * @returns the session that the events and the recording are of
 */
export async function fill(product: Product): Promise<string> {
  const api = await claimOwner(product)
  const sessionId = await record(product)
  await borrow(product, sessionId)
  await define(api)
  await annotate(api, sessionId)
  await until(async () => {
    const { jobs } = await api.get<{ jobs: readonly { endedAt: string | null }[] }>('/privacy')
    return jobs.every(({ endedAt }) => endedAt !== null)
  }, 60_000)
  return sessionId
}

/** A page that was recorded, what was done there, and an error. */
async function record(product: Product): Promise<string> {
  const page = snapshotOf([], [{ tag: 'h1', children: ['The library'] }])
  const sessionId = await sendRecording(product, [metaOf('https://library.test/'), page])
  const event = (name: string, properties: object) => ({
    ...{ event: name, distinct_id: 'visitor-1', timestamp: new Date().toISOString() },
    properties: { $session_id: sessionId, $current_url: 'https://library.test/', ...properties },
  })
  const exception = {
    ...{ type: 'RangeError', value: 'The shelf is empty', mechanism: { handled: false, type: 'generic' } },
    stacktrace: {
      type: 'raw',
      frames: [{ filename: 'https://library.test/app.js', function: 'shelf', lineno: 7, colno: 3 }],
    },
  }
  const answer = await fetch(`${product.apiUrl}/ingest/batch/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      api_key: product.ingestToken,
      batch: [
        event('$pageview', {}),
        event('searched', { words: 'Wuthering Heights' }),
        event('borrowed', { days: 14 }),
        event('$exception', { $exception_list: [exception], $exception_level: 'error' }),
      ],
    }),
  })
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
  return sessionId
}

/** Rows, their history, and files, by the official client. */
async function borrow(product: Product, sessionId: string): Promise<void> {
  const client = clientOf(product)
  const { data } = must(await client.auth.signUp(reader))
  if (data.session === null) throw new Error('The reader has no session.')
  for (const [author, title] of [
    [1, 'Jane Eyre'],
    [2, 'Дама с собачкой'],
    [3, '源氏物語'],
  ] as const) {
    const row = { author, title, due: '2030-01-31', notes: { shelf: author } }
    must(await client.from('loans').insert(row).setHeader('x-posthog-session-id', sessionId))
  }
  must(await client.from('loans').update({ returned: true }).eq('author', 1))
  must(await client.from('loans').delete().eq('author', 3))
  const service = createClient(product.apiUrl, product.secretKey, { realtime: { transport: ws } })
  must(await service.storage.createBucket('covers', { public: true }))
  must(
    await service.storage
      .from('covers')
      .upload('bronte/jane-eyre.txt', Buffer.from('Reader, I married him. '.repeat(3))),
  )
}

/** What operators define in the console. */
async function define(api: ConsoleApi): Promise<void> {
  await api.post('/flags', {
    ...{ key: 'long-loans', description: 'A month', active: true, keepsBucket: false, bucketing: 'distinct_id' },
    filters: {
      groups: [{ rollout_percentage: 100 }],
      multivariate: {
        variants: [
          { key: 'control', rollout_percentage: 50 },
          { key: 'test', rollout_percentage: 50 },
        ],
      },
    },
    ...{ runtime: 'all', contexts: [], earlyAccess: null },
  })
  await api.post('/cohorts', { name: 'Regulars', filters: null })
  const borrowed = {
    name: 'borrowed',
    kind: 'conversion',
    windowHours: 24,
    source: { type: 'events', event: 'borrowed', property: null },
  }
  await api.post('/experiments', {
    name: 'A month',
    hypothesis: 'They return',
    flagKey: 'long-loans',
    metrics: [borrowed],
  })
  await api.post('/surveys', {
    ...{ name: 'After a loan', description: '', type: 'popover' },
    questions: [{ type: 'open', id: 'more', question: 'What is missing?', optional: true }],
    ...{ appearance: {}, conditions: {}, linkedFlagKey: null, schedule: 'once', partialResponses: false },
  })
  await api.post('/vault', { name: 'printer', description: 'of receipts', secret: 'kept through upgrades' })
  await api.post('/sql/queries', {
    name: 'Overdue',
    engine: 'postgres',
    text: 'select * from public.loans where due < now()',
  })
  await api.post('/session-views', { name: 'Borrowers', search: { event: 'borrowed' }, isShared: true })
  await api.post('/privacy/masks', { kind: 'property', property: 'email' })
  await api.post('/function-secrets', [{ name: 'PRINTER', value: 'tray 2' }])
  await api.post('/queues/reminders/messages', { message: '{"loan":1}', delaySeconds: 0 })
  await api.post('/exports', {
    ...{ name: 'Nightly', kinds: ['events'], format: 'jsonl', schedule: '0 4 * * *', endpoint: 'http://127.0.0.1:9' },
    ...{
      region: 'us-east-1',
      bucket: 'library',
      prefix: '',
      pathStyle: true,
      accessKeyId: 'key',
      secretAccessKey: 'secret',
    },
  })
  await api.post('/team/invitations', { email: 'second@example.test', role: 'viewer' })
}

/** What hangs on the session, once it is stored. */
async function annotate(api: ConsoleApi, sessionId: string): Promise<void> {
  await until(async () => (await api.get<{ moments?: unknown[] }>(`/sessions/${sessionId}`).catch(() => null)) !== null)
  const at = new Date().toISOString()
  await api.post('/notes', { sessionId, at, text: 'She looked for it twice.' })
  await api.post('/shares', { sessionId, lanes: ['clicks', 'rows'], showsValues: false, showsPerson: false, hours: 24 })
}

/** @throws what the client says went wrong */
function must<T extends { readonly error: unknown }>(answer: T): T {
  if (answer.error !== null) throw answer.error
  return answer
}
