import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { test } from '../../../test/harness.ts'
import { exportRows } from './export-rows.ts'

const tables = {
  events: new URL('../../services/analytics/migrations/clickhouse/', import.meta.url),
  persons: new URL('../../services/analytics/migrations/postgres/', import.meta.url),
}

test('events and persons are written in each format, each row once, between two times; a file is not replaced', async ({
  db,
  clickhouse,
}) => {
  await clickhouse.migrate('analytics', tables.events)
  await db.migrate('analytics', tables.persons)
  const folder = await mkdtemp(join(tmpdir(), "clew-rows'-"))
  onTestFinished(() => rm(folder, { recursive: true }))
  const odd = 'a "quoted", \\ back\tslashed\nline — é'
  const rows = Array.from({ length: 300 }, (_, n) => ({
    uuid: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    event: n === 0 ? odd : 'bought',
    distinct_id: `person ${n}`,
    timestamp: '2026-01-01 00:00:00.000',
    client_time: '2026-01-01 00:00:00.000',
    received_at: n < 100 ? '2026-01-01 00:00:00.000' : '2026-01-02 00:00:00.000',
    properties: JSON.stringify({ odd }),
  }))
  await clickhouse.insert('events', rows)
  await clickhouse.insert('events', rows.slice(0, 10))
  await db.admin.query({
    text: `with made as (
        insert into clew_analytics.persons (id, properties, created_at)
        select gen_random_uuid(), jsonb_build_object('odd', $1::text), '2026-01-01' from generate_series(1, 3) returning id)
      insert into clew_analytics.distinct_ids select $1 || id, id from made`,
    values: [odd],
  })
  const write = (kind: 'events' | 'persons', format: 'parquet' | 'csv' | 'jsonl', from: Date | null = null) =>
    exportRows({
      ...{ kind, format, by: 'arrival', from, to: null, clickhouse, database: db.admin },
      out: join(folder, `${kind}.${format}`),
    })
  const read = async (name: string, format: string) =>
    clickhouse.query<Record<string, unknown>>({
      text: `select * from file({path:String}, ${format}) order by 1`,
      parameters: { path: join(folder, name) },
    })
  for (const [format, name] of [
    ['parquet', 'Parquet'],
    ['csv', 'CSVWithNames'],
    ['jsonl', 'JSONEachRow'],
  ] as const) {
    expect(await write('events', format)).toMatchObject({ rows: 300 })
    const events = await read(`events.${format}`, name)
    expect(events).toHaveLength(300)
    expect(events[0]).toMatchObject({ event: odd, distinct_id: 'person 0' })
    expect(await write('persons', format)).toMatchObject({ rows: 3 })
    const [person] = await read(`persons.${format}`, name)
    expect(String(person?.properties)).toBe(`{"odd": ${JSON.stringify(odd)}}`)
  }
  await rm(join(folder, 'events.parquet'))
  expect(await write('events', 'parquet', new Date('2026-01-02'))).toMatchObject({ rows: 200 })
  await writeFile(join(folder, 'events.csv'), 'mine')
  await expect(write('events', 'csv')).rejects.toMatchObject({ code: 'CLEW_FILE' })
  expect(await readFile(join(folder, 'events.csv'), 'utf8')).toBe('mine')
  expect((await readdir(folder)).filter((name) => name.includes('.part'))).toEqual([])
})
