import { expect } from 'vitest'
import { test } from '../../../../../test/harness.ts'
import { requestContext } from '../../../../../test/request-context.ts'
import { openWorld } from '../../../../../test/thread-world.ts'
import type { TableHistory } from '../../schemas/history.ts'

test('the changes of rows with a value in a column come newest first, page by page, each with its cause', async ({
  db,
  clickhouse,
}) => {
  const context = requestContext()
  const action = { id: 'a1', operator: 'olga@example.test', action: 'object.delete' }
  const world = await openWorld(db, clickhouse, {
    operators: {
      actionsOf: async (ids) => new Map(ids.filter((id) => id === context.id).map((id) => [id, action])),
    },
  })
  const read = async (query: string) => {
    const { status, body } = await world.get(`/data/public/files/changes?column=bucket&value=photos${query}`)
    expect(status).toBe(200)
    return body as TableHistory
  }
  await db.load(`create table files (id int primary key, bucket text);
    insert into files values (1, 'photos'), (2, 'other')`)
  await world.call(`update files set bucket = 'photos' where id = 2`)
  await db.session.run({
    ...{ role: 'service_role', settings: [], readOnly: false, attribute: true, end: 'commit', context },
    statement: { text: 'delete from files where id = 1', values: [] },
  })
  await expect.poll(async () => (await read('')).entries.length).toBe(3)
  const first = await read('&limit=2')
  expect(first.entries).toMatchObject([
    {
      change: { operation: 'delete', key: { id: '1' }, old: { bucket: 'photos' } },
      cause: { kind: 'operator', requestId: context.id, ...{ operator: action.operator, actionId: 'a1' } },
    },
    { change: { operation: 'update', key: { id: '2' } }, cause: { kind: 'request', method: 'POST' } },
  ])
  const rest = await read(`&before=${encodeURIComponent(first.next ?? '')}`)
  expect(rest.entries).toMatchObject([{ change: { operation: 'insert', key: { id: '1' } }, cause: { kind: 'sql' } }])
  expect(rest.next).toBeNull()
  expect((await world.get('/data/public/files/changes?column=bucket&value=x&before=7')).status).toBe(400)
  // Texts are searched for: what only looks like the column's is none.
  const odd = 'a "photos" of\n\\é, 1'
  await db.owner.query({
    text: 'insert into files values (3, $1), (4, $2), (5, $3)',
    values: [odd, '{"bucket":"photos"}', 'photos and more'],
  })
  const found = async (value: string) => {
    const { body } = await world.get(`/data/public/files/changes?column=bucket&value=${encodeURIComponent(value)}`)
    return (body as TableHistory).entries.map(({ change }) => change.key?.id)
  }
  await expect.poll(() => found('photos and more')).toEqual(['5'])
  expect(await found(odd)).toEqual(['3'])
  expect(await found('{"bucket":"photos"}')).toEqual(['4'])
  expect((await read('')).entries).toHaveLength(3)
  await world.thread.close()
})
