import { expect } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { followed, openRealtime, type RawSocket } from '../../../../test/realtime-app.ts'

/** Texts of values by the names of their types. The server itself says what the JSON of each is. */
const values: Readonly<Record<string, readonly string[]>> = {
  smallint: ['-32768'],
  bigint: ['9007199254740993'],
  numeric: ['1.50', '123456789012345678901234567890.5', 'NaN', '-Infinity', '0.000001'],
  real: ['1.5', 'NaN', '3.4e38'],
  'double precision': ['0.1', '1e-300', '-0'],
  boolean: ['true', 'false'],
  text: ['grüß "x" \\ \t 🎲', ''],
  'character(3)': ['a'],
  '"char"': ['x'],
  bytea: ['\\x00ff7f', '\\x'],
  uuid: ['11111111-1111-4111-8111-111111111111'],
  date: ['2026-01-02', 'infinity', '0044-03-15 BC'],
  time: ['03:04:05.123'],
  timetz: ['03:04:05+02'],
  timestamp: ['2026-01-02 03:04:05.000001', 'infinity', '0044-03-15 01:02:03 BC', '12026-01-02 03:04:05'],
  timestamptz: ['2026-01-02 03:04:05.12+05:30', '-infinity', '0044-03-15 01:02:03+00 BC'],
  interval: ['1 year 2 mons 3 days 04:05:06.7', '-00:00:01'],
  json: ['{"n": [1, 2.50], "t": "\\u00e9"}', 'null', '"x"'],
  jsonb: ['{"b": {"a": null}}'],
  xml: ['<a>1</a>'],
  money: ['12.34'],
  oid: ['7'],
  regclass: ['pg_catalog.pg_class'],
  inet: ['10.0.0.1/8', '::1'],
  macaddr: ['08:00:2b:01:02:03'],
  'bit(3)': ['101'],
  'bit varying': ['1'],
  int4range: ['[1,5)', 'empty', '(,3]'],
  tstzrange: ['[2026-01-01 00:00+00,)'],
  int4multirange: ['{[1,3),[5,7)}'],
  point: ['(1,2)'],
  box: ['(3,4),(1,2)'],
  tsvector: ["'a':1 'b':2"],
  'integer[]': ['{1,NULL,3}', '{}', '{{1,2},{3,4}}', '[2:3]={7,8}'],
  'text[]': ['{a,"b c","d\\"e",NULL,"NULL","{}"}'],
  'boolean[]': ['{t,f}'],
  'jsonb[]': ['{"{\\"a\\": 1}","[1,2]"}'],
  'timestamptz[]': ['{"2026-01-02 03:04:05+00"}'],
  'numeric[]': ['{1.50,NaN}'],
  'box[]': ['{(3,4),(1,2);(5,6),(0,0)}'],
  int2vector: ['1 2'],
  mood: ['glad', 'so so'],
  'mood[]': ['{glad,"so so"}'],
  positive: ['3'],
  small_positive: ['4'],
  'positive[]': ['{1,2}'],
  tags: ['{a,b}'],
  place: ['("High Street",7,"{1,2}")', '(,,)'],
  'place[]': ['{"(\\"a b\\",1,{})"}'],
  home: ['(x,1,{})'],
  hstore: ['"a"=>"1","b"=>NULL'],
}

const types = `
  create type mood as enum ('glad', 'so so');
  create domain positive as integer check (value > 0);
  create domain small_positive as positive check (value < 10);
  create domain tags as text[];
  create type place as (street text, number int, parts int[]);
  create domain home as place;
  create extension if not exists hstore with schema extensions;
`

test('realtime-6 values of every type are told as to_jsonb writes them', async ({ db }) => {
  const columns = Object.entries(values).map(([type, texts], index) => ({ type, texts, name: `c${index}` }))
  await db.load(types)
  await db.load(`
    set search_path = public, extensions;
    create table every (id int primary key, ${columns.map(({ name, type }) => `${name} ${type}`).join(', ')});
    alter publication supabase_realtime add table every;
    grant usage on schema extensions to anon`)
  const { socket: open } = await openRealtime(db)
  const socket = await open()
  await subscribe(socket, 'every')
  await followed(db)
  for (const { name, texts } of columns)
    for (const text of texts)
      await db.owner.query({
        text: `insert into public.every (id, ${name}) select 1 + count(*), $1 from public.every`,
        values: [text],
      })
  const { rows: expected } = await db.owner.query<{ row: string }>({
    text: `select pg_catalog.to_jsonb(e)::text as row from public.every e order by id`,
    values: [],
  })
  for (const { row } of expected) {
    const frame = (await socket.until(isChange)) as readonly [null, null, string, string, { data: { record: unknown } }]
    expect(frame[4].data.record).toEqual(JSON.parse(row))
  }
}, 60_000)

const isChange = (frame: readonly unknown[]): boolean => frame[3] === 'postgres_changes'

async function subscribe(socket: RawSocket, table: string): Promise<void> {
  const config = { postgres_changes: [{ event: '*', schema: 'public', table }] }
  socket.send(['1', '1', 'realtime:any', 'phx_join', { config }])
  expect(await socket.until((frame: unknown[]) => frame[3] === 'system')).toMatchObject([
    ...['1', null, 'realtime:any', 'system'],
    { status: 'ok' },
  ])
}
