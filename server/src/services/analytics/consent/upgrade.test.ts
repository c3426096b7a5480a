import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect } from 'vitest'
import { type TestDatabase, test } from '../../../../test/harness.ts'
import { analyticsTables } from '../index.ts'

const person = '0199a1b2-0000-4000-8000-00000000000a'

/** Applies the room's migrations up to a number. */
async function migrateTo(db: TestDatabase, last: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'clew-upgrade-'))
  const isEarlier = (path: string) => !path.endsWith('.sql') || basename(path).slice(0, 4) <= last
  await cp(fileURLToPath(analyticsTables.postgres), folder, { recursive: true, filter: isEarlier })
  await db.migrate('analytics', pathToFileURL(`${folder}/`))
  await rm(folder, { recursive: true })
}

test('persons from before consents are kept by an upgrade, and their decisions hold for all of their ids', async ({
  db,
}) => {
  await migrateTo(db, '0002')
  const rows = async (text: string) => (await db.admin.query({ text, values: [] })).rows
  await rows(`insert into clew_analytics.persons (id, properties, created_at, is_identified, auth_user_id)
    values ('${person}', '{"email": "ana@example.test", "name": "Ana Lima"}', '2026-03-02T10:00:00Z', true, '${person}')`)
  await rows(`insert into clew_analytics.distinct_ids (distinct_id, person_id)
    values ('browser-1', '${person}'), ('browser-2', '${person}')`)
  await migrateTo(db, '9999')

  expect(
    await rows(
      `select properties ->> 'name' as name, is_identified, words @@ 'lima' as found from clew_analytics.persons`,
    ),
  ).toEqual([{ name: 'Ana Lima', is_identified: true, found: true }])
  expect(await rows('select from clew_analytics.consents')).toEqual([])
  await rows(`select clew_analytics.decide(array['browser-1'], false, now())`)
  expect(await rows('select distinct_id, granted from clew_analytics.consents order by distinct_id')).toEqual(
    [person, 'browser-1', 'browser-2'].map((distinct_id) => ({ distinct_id, granted: false })),
  )
  expect(await rows('select state, cardinality(distinct_ids) as ids from clew_analytics.erasures')).toEqual([
    { state: 'waiting', ids: 3 },
  ])
})

test('refusals from before their moment was kept have it, and so have consents while a removal is under way', async ({
  db,
}) => {
  await migrateTo(db, '0013')
  const rows = async (text: string) => (await db.admin.query({ text, values: [] })).rows
  const at = '2026-03-02T10:00:00Z'
  await rows(`insert into clew_analytics.consents (distinct_id, granted, decided_at)
    values ('refused', false, '${at}'), ('renewed', true, '${at}'), ('consented', true, '${at}')`)
  await rows(`insert into clew_analytics.erasures (distinct_ids, state, created_at)
    values (array['renewed'], 'running', '2026-03-02T09:59:00Z'), (array['consented'], 'done', '${at}')`)
  await migrateTo(db, '9999')
  expect(await rows('select distinct_id, withdrawn_at from clew_analytics.consents order by distinct_id')).toEqual([
    { distinct_id: 'consented', withdrawn_at: null },
    { distinct_id: 'refused', withdrawn_at: new Date(at) },
    { distinct_id: 'renewed', withdrawn_at: new Date('2026-03-02T09:59:00Z') },
  ])
})
