import { expect } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { viewOrigins } from './view-origins.ts'

test('a view’s columns are followed to their table, expressions and unions come from nowhere', async ({ db }) => {
  await db.load(`
    create table public.t (id int primary key, "odd {name}" text, n int);
    create view public.v as
      select n + 1 as sum, "odd {name}", id as first, id as second, (select max(id) from public.t) as most from public.t;
    create view public.u as select id from public.t union all select n from public.t;`)
  const trees = async (view: string) => {
    const { rows } = await db.admin.query<{ tree: string; oid: number }>({
      text: 'select ev_action::text as tree, $2::regclass::int as oid from pg_rewrite where ev_class = $1::regclass',
      values: [`public.${view}`, 'public.t'],
    })
    return rows[0] ?? { tree: '', oid: 0 }
  }
  const { tree, oid } = await trees('v')
  expect(viewOrigins(tree)).toEqual([
    { column: 2, relation: oid, relationColumn: 2 },
    { column: 3, relation: oid, relationColumn: 1 },
    { column: 4, relation: oid, relationColumn: 1 },
  ])
  expect(viewOrigins((await trees('u')).tree)).toEqual([])
})
