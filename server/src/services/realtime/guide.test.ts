import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { test } from '../../../test/harness.ts'
import { followed, joined, openRealtime } from '../../../test/realtime-app.ts'

const member = '11111111-1111-4111-8111-111111111111'

/** The blocks of the guide, in their order, by their language. */
async function readBlocks(): Promise<Readonly<Record<'js' | 'sql' | 'sh', readonly string[]>>> {
  const text = await readFile(new URL('../../../../docs/guide/realtime.md', import.meta.url), 'utf8')
  const of = (language: string) =>
    [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, block]) => block ?? '')
  return { js: of('js'), sql: of('sql'), sh: of('sh') }
}

test('what the guide says to type does what the guide says', async ({ db }) => {
  const { js, sql, sh } = await readBlocks()
  const [publish = '', send = '', policies = '', ...more] = sql
  expect([js.length, sh.length, more.length]).toEqual([1, 1, 0])
  await db.load(`
    create table orders (id int primary key, status text);
    create table members (room_id int, user_id uuid);
    grant select on members to authenticated;
    insert into orders values (7, 'new');
    insert into members values (1, '${member}')`)
  await db.load(publish)
  await db.load(policies)
  const app = await openRealtime(db)

  const shown: unknown[] = []
  let syncs = 0
  const supabase = app.client()
  // The page's code, with what it calls of its own.
  const page = new Function('supabase', 'show', 'showWhoIsThere', `return (async () => { ${js[0]}; return channel })()`)
  const channel = await page(
    supabase,
    (each: unknown) => shown.push(each),
    () => {
      syncs += 1
    },
  )
  await expect.poll(() => Object.values(channel.presenceState())).toEqual([[expect.objectContaining({ name: 'Ann' })]])
  expect(syncs).toBeGreaterThan(0)
  await followed(db)
  await db.load(send)
  await expect.poll(() => shown).toContainEqual(expect.objectContaining({ order: 7 }))
  shown.length = 0
  await promisify(execFile)('bash', ['-ec', sh[0] ?? ''], {
    env: { ...process.env, CLEW_URL: new URL(app.url).origin, CLEW_SECRET_KEY: 'sb_secret_x' },
  })
  await expect.poll(() => shown).toEqual([{ order: 7 }])
  await expect
    .poll(async () => {
      await db.load(`update orders set status = 'ready' where id = 7`)
      return shown
    })
    .toContainEqual({ id: 7, status: 'ready' })

  const room = async (who: string, name: string) => {
    const client = app.client(who)
    await client.setAuth()
    return (await joined(client.channel(name, { config: { private: true } }))).status
  }
  expect(await room(member, 'room:1')).toBe('SUBSCRIBED')
  expect(await room(member, 'room:2')).toBe('CHANNEL_ERROR')
})
