import { type ConsoleApi, signInOwner } from '../support/console-api.ts'
import type { Product } from '../support/product.ts'
import { clientOf, reader } from './fill.ts'

/** What the product answers about the data that `fill` made, without ids and times. */
export interface Answers {
  readonly [question: string]: unknown
}

interface Loan {
  readonly id: string
  readonly title: string
}

/**
 * Asks the product for what was put into each room: rows as their owner sees them, and the rest as operators do.
 *
 * @param sessionId as `fill` returned it
 */
export async function readAnswers(product: Product, sessionId: string): Promise<Answers> {
  const api = await signInOwner(product)
  const client = clientOf(product)
  const { error } = await client.auth.signInWithPassword(reader)
  if (error !== null) throw error
  const loans = await client.from('loans').select('id, author, title, due, notes, returned').order('author')
  const cover = await client.storage.from('covers').download('bronte/jane-eyre.txt')
  const names = namesOf(api)
  return {
    loans: (loans.data ?? []).map(({ id: _, ...row }) => row),
    history: await Promise.all((loans.data ?? []).map((loan) => historyOf(api, loan))),
    cover: await cover.data?.text(),
    ...(await readSession(api, sessionId)),
    users: await names('/users', 'users', 'email'),
    buckets: await names('/storage/buckets', 'buckets', 'id'),
    errors: await names('/errors', 'issues', 'title'),
    flags: await names('/flags', 'flags', 'key'),
    cohorts: await names('/cohorts', 'cohorts', 'name'),
    experiments: await names('/experiments', 'experiments', 'name'),
    surveys: await names('/surveys', 'surveys', 'name'),
    queries: await names('/sql/queries', 'queries', 'text'),
    views: await names('/session-views', 'views', 'name'),
    masks: await names('/privacy', 'masks', 'label'),
    functionSecrets: await names('/function-secrets', 'secrets', 'name'),
    queues: await names('/queues?limit=10', 'queues', 'name'),
    jobs: await names('/jobs', 'jobs', 'name'),
    exports: await names('/exports', 'exports', 'name'),
    members: await names('/team', 'members', 'email'),
    notes: await names(`/notes?session=${sessionId}`, 'notes', 'text'),
    secrets: await revealSecrets(api),
  }
}

/** One property of each thing in a list of the console. */
const namesOf =
  (api: ConsoleApi) =>
  async (path: string, list: string, property: string): Promise<readonly unknown[]> => {
    const answer = await api.get<Record<string, readonly Record<string, unknown>[]>>(path)
    return (answer[list] ?? []).map((each) => each[property])
  }

/** The versions of a row, the oldest first. */
async function historyOf(api: ConsoleApi, { id, title }: Loan): Promise<object> {
  const key = encodeURIComponent(JSON.stringify({ id }))
  const path = `/data/public/loans/history?key=${key}&limit=10`
  const { entries } = await api.get<{ entries: readonly { change: { operation: string } }[] }>(path)
  return { title, versions: entries.map(({ change }) => change.operation).reverse() }
}

interface Moment {
  readonly kind: string
  readonly label: string
  readonly requests: readonly {
    readonly method: string
    readonly path: string
    readonly status: number
    readonly changes: readonly { readonly operation: string }[]
  }[]
}

/** What was done in the session, with its calls and the rows that they changed, and the words on the recorded page. */
async function readSession(api: ConsoleApi, sessionId: string): Promise<Answers> {
  const { moments } = await api.get<{ moments: readonly Moment[] }>(`/sessions/${sessionId}`)
  const recording = await api.getText(`/sessions/${sessionId}/recording`)
  return {
    moments: moments.flatMap(({ kind, label }) => (kind === 'gap' ? [] : [`${kind}: ${label}`])).sort(),
    calls: moments.flatMap(({ requests }) =>
      requests.map(({ method, path, status, changes }) =>
        [method, path, status, ...changes.map(({ operation }) => operation)].join(' '),
      ),
    ),
    page: recording.includes('The library'),
  }
}

async function revealSecrets(api: ConsoleApi): Promise<readonly string[]> {
  const { secrets } = await api.get<{ secrets: readonly { id: string }[] }>('/vault?limit=10')
  const revealed = secrets.map(({ id }) => api.post<{ secret: string }>(`/vault/${id}/reveal`))
  return (await Promise.all(revealed)).map(({ secret }) => secret)
}
