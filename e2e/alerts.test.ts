import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { startReceiver } from '../server/test/receiver.ts'
import { type Product, run, startProduct, until } from './support/product.ts'
import { type Acknowledged, inDatabase, sendEvents } from './support/ticks.ts'

interface Told {
  readonly rule: string
  readonly subject: string
  readonly kind: string
  readonly detail: string | null
}

/** A product that looks at itself each second and tells a webhook; what it was told, the oldest first. */
async function startTold(env: NodeJS.ProcessEnv, args: readonly string[] = []) {
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  const product = await startProduct({
    args,
    env: { CLEW_ALERTS_EVERY_SECONDS: '1', CLEW_ALERTS_WEBHOOK_URL: `${receiver.url}/alerts`, ...env },
  })
  onTestFinished(() => product.close())
  const told = (): readonly Told[] =>
    receiver.received.flatMap(({ body }) => (JSON.parse(body) as { readonly alerts: readonly Told[] }).alerts)
  const find = (rule: string, kind: string, subject = '') =>
    told().find((each) => each.rule === rule && each.kind === kind && each.subject.endsWith(subject))
  const isTold = (rule: string, kind = 'fired', subject = '') =>
    until(() => find(rule, kind, subject) !== undefined, 100_000).catch((error: unknown) => {
      throw new Error(`${rule}: ${String(error)}\n${JSON.stringify(told())}`)
    })
  return { product, find, isTold }
}

const call = ({ apiUrl, publishableKey }: Product, name: string) =>
  fetch(`${apiUrl}/rest/v1/rpc/${name}`, { method: 'POST', headers: { apikey: publishableKey } })

test('requests that fail, slow ones and failed jobs are told by webhook and mail', async () => {
  const { product, find, isTold } = await startTold({
    CLEW_ALERTS_MIN_REQUESTS: '10',
    CLEW_ALERTS_ERROR_PERCENTAGE: '50',
    CLEW_ALERTS_P95_MS: '200',
    CLEW_ALERTS_MAILS: 'team@shop.test',
  })
  await inDatabase(product, (client) =>
    client.query(`
      create function public.fails() returns void language plpgsql as $$ begin raise sqlstate 'PT503'; end $$;
      create function public.lasts() returns void language sql as 'select pg_sleep(0.3)';
      create extension pg_cron;
      select cron.schedule('broken', '1 second', 'select 1 / 0');
      notify pgrst, 'reload schema'`),
  )
  await until(async () => (await call(product, 'fails')).status === 503)
  await Promise.all(Array.from({ length: 20 }, () => call(product, 'fails')))
  for (let calls = 0; calls < 5; calls += 1) await call(product, 'lasts')
  for (const rule of ['error rate', 'duration', 'failed jobs']) await isTold(rule)
  expect(find('error rate', 'fired')?.detail).toMatch(/^\d+ of \d+ requests in 5 minutes failed/)
  const mails = async () => {
    const headers = { authorization: `Bearer ${product.secretKey}` }
    const answer = await fetch(`${product.inboxUrl}/api/v1/messages`, { headers })
    const { messages } = (await answer.json()) as {
      readonly messages: readonly { readonly Subject: string; readonly Snippet: string }[]
    }
    // Several that begin together are one mail.
    return messages.map(({ Subject, Snippet }) => `${Subject} ${Snippet}`).join('\n')
  }
  await until(async () => /Alert: (?:Requests fail|Requests are slow|Scheduled jobs fail)/.test(await mails()))
})

test('a store that takes nothing, changes that stay behind, and their end are told', async () => {
  const { product, isTold } = await startTold({
    CLEW_ALERTS_DOWN_SECONDS: '1',
    CLEW_ALERTS_CHANGES_BEHIND_MIB: '1',
    CLEW_SPOOL_STUCK_SECONDS: '1',
  })
  const clickhouse = product.engines.find(({ name }) => name === 'clickhouse')?.pid ?? expect.fail('no process')
  await inDatabase(product, (client) => client.query('create table public.rows (n int primary key, text text)'))
  process.kill(clickhouse, 'SIGSTOP')
  try {
    const acknowledged: Acknowledged = { rows: [], events: [] }
    await sendEvents(product, randomUUID(), acknowledged)
    expect(acknowledged.events.length).toBeGreaterThan(0)
    await inDatabase(product, (client) =>
      client.query('insert into public.rows select n, repeat(md5(n::text), 30) from generate_series(1, 10000) n'),
    )
    await isTold('component', 'fired', 'storing events')
    await isTold('changes behind')
  } finally {
    process.kill(clickhouse, 'SIGCONT')
  }
  await isTold('component', 'resolved', 'storing events')
  await isTold('changes behind', 'resolved')
})

test('a certificate that ends, and a disk that is short, are told', async () => {
  const env = { CLEW_ALERTS_CERTIFICATE_DAYS: '3650', CLEW_DISK_RESERVE_MIB: '1048576' }
  const { product, isTold } = await startTold(env, ['--tls'])
  await isTold('certificate')
  await isTold('disk')
  expect((await run(['metrics', '--data', product.dataDir])).stdout).toMatch(/^clew_alerts_firing [2-9]/m)
})
