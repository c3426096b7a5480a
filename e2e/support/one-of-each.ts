import pg from 'pg'
import type { ConsoleApi } from './console-api.ts'
import { type ProductFacts, until } from './product.ts'

/** Makes one of each entity that has a screen and that the café lacks at its start. */
export async function makeOneOfEach(product: ProductFacts, api: ConsoleApi): Promise<void> {
  const variants = ['red', 'blue'].map((key) => ({ key, rollout_percentage: 50 }))
  const filters = { groups: [{ properties: [], rollout_percentage: 100 }], multivariate: { variants } }
  await api.post('/flags', {
    ...{ key: 'cup-colour', description: 'The colour of a cup', active: true, filters, keepsBucket: false },
    ...{ bucketing: 'distinct_id', runtime: 'all', contexts: [], earlyAccess: null },
  })
  await api.post('/cohorts', { name: 'Regulars', filters: { type: 'OR', values: [] } })
  const source = { type: 'events', event: 'order placed', property: null }
  const metrics = [{ name: 'order placed', kind: 'conversion', windowHours: 168, source }]
  await api.post('/experiments', { name: 'Cups', hypothesis: 'Blue cups sell more.', flagKey: 'cup-colour', metrics })
  await api.post('/surveys', {
    ...{ name: 'Taste', description: '', type: 'popover', appearance: {}, conditions: {}, linkedFlagKey: null },
    ...{ questions: [{ type: 'rating', id: 'taste', question: 'How was it?', display: 'number', scale: 5 }] },
    ...{ schedule: 'once', partialResponses: true },
  })
  await nameGroup(product, api)
  const client = new pg.Client(product.dbUrl)
  await client.connect()
  try {
    await client.query(`
      create extension if not exists pg_cron;
      select cron.schedule('nightly count', '0 3 * * *', 'select count(*) from public.orders');
      create extension if not exists pgmq;
      select pgmq.create('mails');
      select pgmq.send('mails', '{"to": "ana"}')`)
  } finally {
    await client.end()
  }
}

/** A group that is described, and named by an error of one of its people. */
async function nameGroup({ apiUrl, ingestToken }: ProductFacts, api: ConsoleApi): Promise<void> {
  const named = { distinct_id: 'ana', $session_id: crypto.randomUUID(), $groups: { company: 'corner-house' } }
  const describes = {
    $group_type: 'company',
    $group_key: 'corner-house',
    $group_set: { name: 'Corner House', seats: 12 },
  }
  const batch = [
    { event: '$groupidentify', properties: { ...named, ...describes } },
    { event: '$exception', properties: { ...named, $exception_list: [{ type: 'Error', value: 'No cups' }] } },
  ].map((event) => ({ ...event, uuid: crypto.randomUUID() }))
  await fetch(`${apiUrl}/ingest/batch/`, { method: 'POST', body: JSON.stringify({ api_key: ingestToken, batch }) })
  await until(async () => {
    const { groups } = await api.get<{ groups: readonly { readonly events: number }[] }>('/groups/company')
    return groups.some(({ events }) => events === 2)
  })
}
