import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import pg from 'pg'
import { describe, expect, onTestFinished } from 'vitest'
import { type TestDatabase, test } from '../../../../test/harness.ts'

const runs = Number(process.env.CLEW_FUZZ_RUNS ?? 8)
const options = { numRuns: runs, ...(process.env.CLEW_FUZZ_SEED ? { seed: Number(process.env.CLEW_FUZZ_SEED) } : {}) }

/** A connection as a role; a server that ends it fails the test by its next query. */
async function connectAs(db: TestDatabase, role: string): Promise<pg.Client> {
  const client = new pg.Client(db.login('postgres'))
  client.on('error', () => undefined)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(`set search_path = public, extensions; set statement_timeout = '20s'`)
  if (role !== 'postgres') await client.query(`set role ${role}`)
  return client
}

const element = fc.oneof(
  fc.float({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 1, -1, 1e-45, -1e-45, 1.1754944e-38, 3.4028235e38, -3.4028235e38, 65504, 65520, 6e-8),
  fc.integer({ min: -100, max: 100 }),
)
const elements = fc.array(element, { minLength: 1, maxLength: 12 })
const integer = fc.oneof(
  fc.constantFrom(0, 1, 2, -1, 3, 5, 16_000, 16_001, 2_147_483_647, -2_147_483_648),
  fc.integer({ min: -40, max: 40 }),
)
const text = fc.oneof(
  fc.constantFrom('', '[', '[1,2]', '[1,2', '{1:1}/2', '[1e400]', '[nan]', '[1] ]', ` [ 1 , 2 ] `, 'vector', '\u0100'),
  fc.constantFrom(`[${'1,'.repeat(16_000)}1]`, '['.repeat(5_000), `[${' '.repeat(50_000)}1]`, `[${'9'.repeat(400)}]`),
  fc.constantFrom('{2147483648:1}/2', '{1:1}/99999999999', '{-1:1}/5', '{}/16001', '{1:1,1:1}/1'),
  fc.stringMatching(/^\[[-0-9.,eE+ ]{0,20}\]$/),
)
const literal = (value: string): string => pg.escapeLiteral(value)
const vectorText = elements.map((items) => literal(JSON.stringify(items.map(Math.fround))))
const bytes = fc
  .oneof(
    fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array).toString('hex')),
    fc.constantFrom('00000080', 'ffffff80', '01000080', '02000000', 'ffffff7f', '0100008000000000000000'),
  )
  .map((hex) => `'\\x${hex}'::bytea`)
const dense = (type: string) =>
  fc.oneof(
    vectorText.map((value) => `${value}::${type}`),
    fc.tuple(vectorText, integer).map(([value, dims]) => `(${value}::${type}(${Math.min(Math.max(dims, 1), 16_000)}))`),
    elements.map((items) => `array[${items.join(',')}]::real[]::${type}(${items.length})`),
    fc.constantFrom(`array_fill(1e-3::real, array[16000])::${type}`, `repeat('[1]', 1)::text::${type}`),
  )
const arrayOf = (type: string) =>
  fc.oneof(
    elements.map((items) => `array[${items.join(',')}]::${type}`),
    fc
      .constantFrom('{}', '{{1,2},{3,4}}', '{NULL,1}', '[5:6]={1,2}', '[-3:-2][0:0]={{1},{2}}', '{NULL}')
      .map((value) => `'${value}'::${type}`),
    fc
      .constantFrom(...(type.startsWith('int') ? [] : [`'{NaN}'`, `'{1,Infinity}'`]), `'{}'`)
      .map((v) => `${v}::${type}`),
    fc.constant(`array_fill(1, array[16001])::${type}`),
  )

/** Expressions of each type that a function of the extension takes. */
const argument: Readonly<Record<string, fc.Arbitrary<string>>> = {
  vector: dense('vector'),
  halfvec: dense('halfvec'),
  sparsevec: fc.oneof(
    text.map((value) => `${literal(value)}::sparsevec`),
    dense('vector').map((value) => `${value}::sparsevec`),
    fc.constantFrom(`'{1:1,3:-2}/5'::sparsevec`, `'{}/1000000000'::sparsevec`, `'{7:1e-45}/9'::sparsevec`),
  ),
  'clew_vector.vector_point': fc
    .oneof(dense('vector'), dense('halfvec'))
    .map((value) => `clew_vector.vector_points(${value})`),
  integer: integer.map((value) => `(${value})`),
  boolean: fc.constantFrom('true', 'false'),
  'double precision': fc.oneof(
    element.map((value) => `'${value}'::double precision`),
    fc.constantFrom(`'NaN'::double precision`, `'-Infinity'::double precision`),
  ),
  text: text.map((value) => `${literal(value)}::text`),
  bytea: bytes,
  cstring: text.map((value) => `${literal(value)}::cstring`),
  oid: fc
    .constantFrom('number', 'bytes', 'bigger', 'words', 'pg_class', 'integer')
    .map((type) => `'${type}'::regtype::oid`),
  'cstring[]': fc.constantFrom(`'{3}'::cstring[]`, `'{0}'::cstring[]`, `'{1,2}'::cstring[]`, `'{NULL}'::cstring[]`),
  'real[]': arrayOf('real[]'),
  'double precision[]': arrayOf('double precision[]'),
  'integer[]': arrayOf('integer[]'),
  'numeric[]': arrayOf('numeric[]'),
  bit: fc.constantFrom(`B'101'`, `B''`, `B'1'`, `repeat('1', 9000)::"bit"`),
}

interface Callable {
  readonly name: string
  readonly types: readonly string[]
}

/** The functions of the extension that a role may try to call; arguments that no expression has leave one out. */
async function callablesOf(db: TestDatabase): Promise<readonly Callable[]> {
  const { rows } = await db.admin.query<Callable>({
    text: `
      select format('%I.%I', n.nspname, p.proname) as name,
        array(select format_type(t, null) from unnest(p.proargtypes) with ordinality as u (t, i) order by i) as types
      from pg_depend d
      join pg_extension e on e.oid = d.refobjid and d.refclassid = 'pg_extension'::regclass
      join pg_proc p on p.oid = d.objid and d.classid = 'pg_proc'::regclass
      join pg_namespace n on n.oid = p.pronamespace
      where e.extname = 'vector' and p.prokind = 'f'
      order by 1, 2`,
    values: [],
  })
  return rows
    .map(({ name, types }) => ({ name, types: types.map((type) => type.replace(/^(public|extensions)\./, '')) }))
    .filter(({ types }) => types.every((type) => type in argument))
}

describe.for(['extensions', 'public'])('the extension in the schema %s', (schema) => {
  test('no call of its functions ends the server, nor makes a value of bytes', { timeout: 300_000 }, async ({ db }) => {
    await db.load(`create extension vector with schema ${schema};
      create domain number as integer; create domain bigger as bigint; create domain bytes as bytea;
      create domain words as text`)
    const callables = await callablesOf(db)
    expect(callables.length).toBeGreaterThan(150)
    const call = fc
      .constantFrom(...callables)
      .chain(({ name, types }) =>
        fc
          .tuple(...types.map((type) => argument[type] ?? fc.constant('null')))
          .map((given) => `${name}(${given.join(', ')})`),
      )
    for (const role of ['authenticated', 'postgres']) {
      const client = await connectAs(db, role)
      await fc.assert(
        fc.asyncProperty(fc.array(call, { minLength: 30, maxLength: 30 }), async (calls) => {
          await client.query(`do $do$
            declare
              each text;
              value text;
            begin
              foreach each in array array[${calls.map(literal).join(', ')}] loop
                begin
                  execute format('select (%s)::text', each) into value;
                exception when others then
                end;
              end loop;
            end
            $do$`)
        }),
        options,
      )
      for (const forged of [
        `clew_vector.vector_of('\\x5b315d')`,
        `clew_vector.vector_point_of('\\xffffff80')`,
        `clew_vector.vector_array_of('\\x00')`,
        `clew_vector.vector_tail('[1,2]'::vector, 1)`,
        `clew_vector_input.vector_in('12345', 'number'::regtype, -1)`,
      ])
        await expect(client.query(`select ${forged}`)).rejects.toMatchObject({ code: '42501' })
    }
  })
})

/** Statements on a table \`docs\` that has vectors in every form, each with what it answers or its SQLSTATE. */
const statements: readonly (readonly [text: string, outcome: unknown])[] = [
  ['copy docs to stdout (format binary)', '42883'],
  ['select count(*)::int as n from docs where packed is null', [{ n: 1 }]],
  ['select count(*)::int as n from docs where plain is not null group by ()', [{ n: 60 }]],
  ['select count(distinct packed)::int as n from docs', [{ n: 60 }]],
  ['select (array_agg(packed order by id))[2]::text as v from docs', [{ v: '[2,1,0.5]' }]],
  [`select (row(1, packed)::pair).v::text as v from docs where id = 1`, [{ v: '[1,1,0.5]' }]],
  [`select ('(1,"[1,2]")'::pair).v::text as v`, [{ v: '[1,2]' }]],
  [`select '(1,[)'::pair`, '22P02'],
  [`select v::text from jsonb_populate_record(null::pair, '{"v":"[1,2]"}')`, [{ v: '[1,2]' }]],
  [`select v::text from jsonb_populate_record(null::pair, '{"v":[1,2]}')`, [{ v: '[1, 2]' }]],
  [`select v::text from jsonb_populate_record(null::pair, '{"v":{"a":1}}')`, '22P02'],
  [`select '["[1]","[2]"]'::vrange @> '[1.5]'::vector as inside`, [{ inside: true }]],
  [
    'alter table docs alter packed set storage extended; update docs set packed = packed || packed || packed where id < 3',
    '22000',
  ],
  [
    `update docs set plain = plain || plain || plain where id < 3; select sum(vector_dims(plain))::int as n from docs`,
    [{ n: 192 }],
  ],
  [
    `select pg_restore_attribute_stats('schemaname', 'public', 'relname', 'docs', 'attname', 'plain', 'inherited', false,
      'most_common_vals', '{"[1,2]"}'::text, 'most_common_freqs', '{1}'::real[])`,
    expect.anything(),
  ],
  ['select count(*)::int as n from docs where plain = packed', [{ n: 58 }]],
  ['create index on docs (packed); create index on docs (half); set enable_seqscan = off', []],
  [`select id from docs where packed = '[7,1,0.5]'`, [{ id: 7 }]],
  ['analyze docs; reindex table docs; vacuum full docs', '25001'],
  ['select distance::int from (select packed <-> plain as distance from docs where id > 2) d where distance > 1e9', []],
  [`select max(clew_vector.vector_size(half)) as n from docs`, [{ n: 80 }]],
  ['select id from docs order by packed, plain, half, sparse limit 2', [{ id: 1 }, { id: 2 }]],
  [
    `create table copied (v vector(3)); insert into copied select v from json_to_recordset('[{"v":"[1,2]"}]') as x(v vector(3))`,
    [],
  ],
  [`select v <-> '[1,2,3]' from copied`, '22000'],
]

test('statements of every kind find the values whole', { timeout: 120_000 }, async ({ db }) => {
  await db.load(`create extension vector with schema extensions;
    create type pair as (id int, v vector);
    create type vrange as range (subtype = vector);
    create table docs (id int, packed vector(3), plain vector, half halfvec(3), sparse sparsevec(3));
    insert into docs select i, array[i, 1, 0.5]::vector, format('[%s, 1.0,5e-1]', i)::vector, array[i, 1, 0.5]::halfvec(3),
      array[i, 0, 1]::sparsevec from generate_series(1, 60) i;
    insert into docs values (61);
    create index on docs using hnsw (packed vector_l2_ops); create index on docs using ivfflat (half halfvec_l2_ops)`)
  const client = await connectAs(db, 'postgres')
  for (const [text, outcome] of statements) {
    const found = await client.query(text).then(
      (result: pg.QueryResult | pg.QueryResult[]) => (Array.isArray(result) ? result.at(-1)?.rows : result.rows),
      (error: { code?: string }) => error.code ?? error,
    )
    expect([text, found]).toEqual([text, outcome])
  }
})

test('values do not depend on a setting of the session', async ({ db }) => {
  await db.load('create extension vector with schema extensions')
  const client = await connectAs(db, 'postgres')
  await client.query('set extra_float_digits = -3')
  const { rows } = await client.query(
    `select array[1::real / 3]::vector(1)::text as dense, array[1::real / 3]::sparsevec::text as sparse`,
  )
  expect(rows).toEqual([{ dense: '[0.33333334]', sparse: '{1:0.33333334}/1' }])
})

test('a renamed schema lends its functions to no role', async ({ db }) => {
  await db.load('create extension vector with schema public')
  const client = await connectAs(db, 'postgres')
  await client.query(`create table docs as select '[1,2]'::vector as plain, '[1,2]'::vector(2) as packed;
    alter schema public rename to former;
    create schema public;
    create function public.array_to_vector(real[], integer, boolean) returns former.vector
      language plpgsql as $$ begin raise exception 'run as %', current_user; end $$;
    create function public.vector_elements(real[]) returns real[]
      language plpgsql as $$ begin raise exception 'run as %', current_user; end $$`)
  await client.query('set search_path = former')
  for (const expression of [`plain <-> packed`, `plain + packed`, `plain <=> '[2,2]'`, `array[1,2]::vector(2)`]) {
    const failure: unknown = await client
      .query(`select ${expression} from former.docs`)
      .catch((error: unknown) => error)
    if (failure instanceof Error) expect(failure.message).not.toContain('supabase_admin')
  }
})

test('a database that had the extension before is brought to the present rights', async ({ db }) => {
  await db.load('create extension vector with schema extensions')
  const run = (texts: string) => db.admin.query({ text: `do $do$ begin ${texts} end $do$`, values: [] })
  await run(`alter type extensions.vector set (subscript = raw_array_subscript_handler);
    alter function clew_vector_input.vector_in(cstring, oid, integer) set schema extensions;
    grant execute on function clew_vector.vector_of(bytea) to public, authenticated;`)
  const client = await connectAs(db, 'authenticated')
  await client.query(`select clew_vector.vector_of('\\x5b315d')`)
  const migration = await readFile(new URL('./migrations/0002_vector.sql', import.meta.url), 'utf8')
  await db.admin.query({ text: migration, values: [] })
  await db.admin.query({ text: migration, values: [] })
  for (const [text, code] of [
    [`select clew_vector.vector_of('\\x5b315d')`, '42501'],
    [`select clew_vector_input.vector_in('[1]', 'clew_vector.vector_text'::regtype, -1)`, '42501'],
    [`select ('[1,2]'::vector)[1]`, '42804'],
  ] as const)
    await expect(client.query(text)).rejects.toMatchObject({ code })
  expect((await client.query(`select (repeat('[1]', 1)::vector <-> '[3]')::int as distance`)).rows).toEqual([
    { distance: 2 },
  ])
})

/** Distances in double precision, and how large their terms are, of which rounding leaves a trace. */
const references: Readonly<
  Record<string, (a: readonly number[], b: readonly number[]) => { readonly value: number; readonly terms: number }>
> = {
  '<->': (a, b) => whole(Math.sqrt(sum(a.map((x, i) => (x - (b[i] ?? 0)) ** 2)))),
  '<+>': (a, b) => whole(sum(a.map((x, i) => Math.abs(x - (b[i] ?? 0))))),
  '<#>': (a, b) => ({ value: -product(a, b), terms: product(a, a) + product(b, b) }),
  '<=>': (a, b) => {
    const squares = product(a, a) * product(b, b)
    return {
      value: 1 - product(a, b) / Math.sqrt(squares),
      terms: (product(a, a) + product(b, b)) / Math.sqrt(squares),
    }
  },
}
const whole = (value: number) => ({ value, terms: value })
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)
const product = (a: readonly number[], b: readonly number[]): number => sum(a.map((x, i) => x * (b[i] ?? 0)))

test('distances of any two vectors, in any form, are those of their definitions', { timeout: 120_000 }, async ({
  db,
}) => {
  await db.load('create extension vector with schema extensions')
  const client = await connectAs(db, 'authenticated')
  const moderate = fc.oneof(
    fc.float({ min: Math.fround(-1e6), max: Math.fround(1e6), noNaN: true }),
    fc.constantFrom(0, 1, -1, 1e-3, -1e-3),
  )
  const pair = fc
    .integer({ min: 1, max: 60 })
    .chain((dims) => fc.tuple(...[0, 1].map(() => fc.array(moderate, { minLength: dims, maxLength: dims }))))
  await fc.assert(
    fc.asyncProperty(pair, async ([a = [], b = []]) => {
      const forms = ['vector', `vector(${a.length})`]
      for (const [operator, reference] of Object.entries(references)) {
        const { value, terms } = reference(a, b)
        const columns = forms.flatMap((left) =>
          forms.map((right) => `$1::text::${left} ${operator} $2::text::${right}`),
        )
        const { rows } = await client.query({
          text: `select ${columns.map((column, index) => `${column} as d${index}`).join(', ')}`,
          values: [JSON.stringify(a), JSON.stringify(b)],
        })
        for (const found of Object.values<number>(rows[0])) {
          if (Number.isNaN(value) || !Number.isFinite(terms)) continue
          // A cosine is of sums in single precision, here as in pgvector.
          const rounding = operator === '<=>' ? 1e-7 : 1e-12
          expect(Math.abs(found - value)).toBeLessThanOrEqual(1e-6 * Math.abs(value) + 1e-12 * terms + rounding)
        }
      }
    }),
    options,
  )
})
