import { expect } from 'vitest'
import { test as base } from '../../../../test/harness.ts'
import { uuidv7 } from '../../../ground/ids/uuidv7.ts'
import { createMasks, privacyTables } from '../index.ts'
import { createMaskChanges, type MaskBody } from './masks.ts'

const test = base.extend('room', async ({ db }) => {
  await db.migrate('privacy', privacyTables.postgres)
  await db.load(`
    create table people (id int primary key, email text, code text, at date, unique (code));
    create table visits (at date not null, address text) partition by range (at);
    create table visits_2026 partition of visits for values from ('2026-01-01') to ('2027-01-01');
    create table plain (mail text);
    create view mails as select email from people;
    create table keyed (mail text not null unique, id int);
    alter table keyed replica identity using index keyed_mail_key`)
  return {
    changes: createMaskChanges({ sql: db.admin, newId: uuidv7, settings: { maxMasks: 3 } }),
    masks: createMasks(db.admin),
  }
})

const column = (table: string, name: string, schema = 'public'): MaskBody => ({
  kind: 'column',
  schema,
  table,
  column: name,
})

test('a masked column is known under the name that it was masked by and the one that it has, in every partition', async ({
  db,
  room: { changes, masks },
}) => {
  await changes.add(column('people', 'email'), 'ada')
  await changes.add(column('visits', 'address'), 'ada')
  await db.load(`
    alter table people rename to humans;
    alter table humans rename email to mail;
    create table visits_2027 partition of visits for values from ('2027-01-01') to ('2028-01-01')`)
  const { columns } = await masks.current()
  const names = columns.map(({ schema, table, column: name }) => `${schema}.${table}.${name}`)
  expect(names.toSorted()).toEqual([
    'public.humans.mail',
    'public.people.email',
    'public.visits.address',
    'public.visits_2026.address',
    'public.visits_2027.address',
  ])
})

const refused: readonly (readonly [MaskBody, string])[] = [
  [column('people', 'phone'), 'CLEW_PRIVACY_COLUMN_NOT_FOUND'],
  [column('mails', 'email'), 'CLEW_PRIVACY_COLUMN_NOT_FOUND'],
  [column('people', 'id'), 'CLEW_PRIVACY_KEY_COLUMN'],
  [column('keyed', 'mail'), 'CLEW_PRIVACY_KEY_COLUMN'],
  [column('masks', 'property', 'clew_privacy'), 'CLEW_PRIVACY_NOT_KEPT'],
  [{ kind: 'property', property: 'distinct_id' }, 'CLEW_PRIVACY_RESERVED_PROPERTY'],
  [{ kind: 'property', property: '$exception_list' }, 'CLEW_PRIVACY_RESERVED_PROPERTY'],
]

test('no mask is set for what is not there, not kept, or tells rows, people and errors apart', async ({
  room: { changes },
}) => {
  for (const [mask, code] of refused) await expect(changes.add(mask, 'ada'), code).rejects.toMatchObject({ code })
  expect(await changes.list()).toEqual([])
})

test('a mask is set once, and no more of them than the setting allows', async ({ db, room: { changes, masks } }) => {
  const { id } = await changes.add(column('people', 'code'), 'ada')
  await expect(changes.add(column('people', 'code'), 'ada')).rejects.toMatchObject({
    code: 'CLEW_PRIVACY_MASKED_ALREADY',
  })
  await changes.add({ kind: 'property', property: 'email' }, 'ada')
  await changes.add(column('plain', 'mail'), 'ada')
  await expect(changes.add(column('people', 'email'), 'ada')).rejects.toMatchObject({ code: 'CLEW_PRIVACY_TOO_MANY' })
  await changes.remove(id)
  await expect(changes.remove(id)).rejects.toMatchObject({ code: 'CLEW_PRIVACY_NOT_FOUND' })
  expect(await masks.current()).toEqual({
    columns: [{ schema: 'public', table: 'plain', column: 'mail' }],
    properties: ['email'],
  })
  const { rows } = await db.admin.query<{ label: string }>({
    text: 'select label from clew_privacy.jobs order by id',
    values: [],
  })
  expect(rows.map(({ label }) => label)).toEqual(['public.people.code', 'email', 'public.plain.mail'])
})
