import fc from 'fast-check'
import pg from 'pg'
import { expect } from 'vitest'
import { test as base, type TestDatabase } from '../../../../test/harness.ts'

const test = base.extend('vectors', async ({ db }): Promise<TestDatabase> => {
  await db.load('create extension if not exists vector with schema extensions')
  return db
})

const ask = async (db: TestDatabase, text: string, ...values: unknown[]): Promise<readonly Record<string, unknown>[]> =>
  (await db.owner.query({ text, values })).rows

/** What an expression is, as text. */
const textOf = async (db: TestDatabase, expression: string): Promise<unknown> =>
  (await ask(db, `select (${expression})::text as value`))[0]?.value

/** Expressions and what they are, as text. */
const values: readonly (readonly [expression: string, value: string | null])[] = [
  // input and output
  [`'[1,2,3]'::vector`, '[1,2,3]'],
  [`' [ 1., 2e0, +.5 ] '::vector(3)`, '[1,2,0.5]'],
  [`'[1e-46,1.23456789]'::vector(2)`, '[0,1.2345679]'],
  [`'[0.1,65504]'::halfvec(2)`, '[0.099975586,65504]'],
  [`' { 3 : 2., 1:1, 2:0 } / 5 '::sparsevec(5)`, '{1:1,3:2}/5'],
  [`'{"[1,2]","[3,4]"}'::vector(2)[]`, '{"[1,2]","[3,4]"}'],
  // casts
  [`'{1,2}'::real[]::vector`, '[1,2]'],
  [`array[1,2]::vector(2)`, '[1,2]'],
  [`array[1.5,2]::numeric[]::halfvec`, '[1.5,2]'],
  [`'{1e-46,2}'::double precision[]::vector`, '[0,2]'],
  [`'[1,2]'::vector::real[]`, '{1,2}'],
  [`'[0,1.5]'::vector::sparsevec`, '{2:1.5}/2'],
  [`'{2:1.5}/2'::sparsevec::vector`, '[0,1.5]'],
  [`'[1.0001]'::vector::halfvec::vector`, '[1]'],
  // distances
  [`'[0,0]'::vector <-> '[3,4]'`, '5'],
  [`'[1,1]'::vector <-> '[2,3]'`, '2.23606797749979'],
  [`'[1,2]'::vector <#> '[3,4]'`, '-11'],
  [`'[1,0]'::vector <#> '[0,2]'`, '-0'],
  [`'[1,2]'::vector <=> '[2,4]'`, '0'],
  [`'[1,0]'::vector <=> '[0,2]'`, '1'],
  [`'[1,1]'::vector <=> '[-1.1,-1.1]'`, '2'],
  [`'[1,2]'::vector <=> '[0,0]'`, 'NaN'],
  [`'[0,0]'::vector <+> '[3,4]'`, '7'],
  [`'[3e38]'::vector <-> '[-3e38]'`, 'Infinity'],
  [`'[0,0]'::halfvec <-> '[3,4]'`, '5'],
  [`'{1:3}/2'::sparsevec <-> '{2:4}/2'`, '5'],
  [`'{1:1,3:3,5:5}/5'::sparsevec <#> '{2:4,3:6,4:8}/5'`, '-18'],
  [`'{1:1,2:1}/2'::sparsevec <=> '{1:-1,2:-1}/2'`, '2'],
  [`B'111' <~> B'100'`, '2'],
  [`B'1111' <%> B'1110'`, '0.25'],
  // arithmetic and order
  [`'[1,2]'::vector + '[3,4]'`, '[4,6]'],
  [`'[1,2]'::vector - '[3,4]'`, '[-2,-2]'],
  [`'[1,2]'::vector * '[3,4]'`, '[3,8]'],
  [`'[1,2]'::vector || '[3]'`, '[1,2,3]'],
  [`'[1,2]'::vector < '[1,3]'`, 'true'],
  [`'[1,2]'::vector = '[1.0,2]'::vector(2)`, 'true'],
  [`'[2,3]'::vector > '[1,2,3]'`, 'true'],
  [`'{1:1}/2'::sparsevec < '{2:1}/2'`, 'false'],
  // functions
  [`vector_dims('[1,2,3]'::vector)`, '3'],
  [`vector_norm('[3,4]')`, '5'],
  [`l2_normalize('[3,4]'::vector)`, '[0.6,0.8]'],
  [`subvector('[1,2,3,4,5]'::vector, 3, 2)`, '[3,4]'],
  [`binary_quantize('[1,0,-1]'::vector)`, '100'],
  [`(select avg(v) from unnest(array['[1,2]'::vector, '[3,5]', null]) v)`, '[2,3.5]'],
  [`(select sum(v) from unnest(array['[1,2]'::halfvec, '[3,5]']) v)`, '[4,7]'],
  [`(select avg(v) from unnest(array[]::vector[]) v)`, null],
  [`(select string_agg(v::text, ' ' order by v) from unnest(array['[2]'::vector, '[1,5]', '[1]']) v)`, '[1] [1,5] [2]'],
  [`(select count(distinct v) from unnest(array['[1]'::vector, '[1.0]']) v)`, '1'],
]

test('expressions are what they are with the original', async ({ vectors }) => {
  const found: [string, unknown][] = []
  for (const [expression] of values) found.push([expression, await textOf(vectors, expression)])
  expect(found).toEqual(values)
})

/** Expressions that fail, with SQLSTATE and message. */
const failures: readonly (readonly [expression: string, code: string, message: string])[] = [
  [`'1,2'::vector`, '22P02', 'invalid input syntax for type vector: "1,2"'],
  [`'[1,2]9'::vector`, '22P02', 'invalid input syntax for type vector: "[1,2]9"'],
  [`'[1,,2]'::vector`, '22P02', 'invalid input syntax for type vector: "[1,,2]"'],
  [`'["1"]'::vector`, '22P02', 'invalid input syntax for type vector'],
  [`'[{1}]'::halfvec`, '22P02', 'invalid input syntax for type halfvec: "[{1}]"'],
  [`'[]'::vector`, '22000', 'vector must have at least 1 dimension'],
  [`'[ ]'::vector`, '22000', 'vector must have at least 1 dimension'],
  [`'[NaN]'::vector`, '22000', 'NaN not allowed in vector'],
  [`'[-Infinity]'::vector`, '22000', 'infinite value not allowed in vector'],
  [`'[4e38]'::vector`, '22003', '"4e38" is out of range for type vector'],
  [`'[65520]'::halfvec`, '22003', '"65520" is out of range for type halfvec'],
  [`'[1,2]'::vector(3)`, '22000', 'expected 3 dimensions, not 2'],
  [`array[1,2]::vector(3)`, '22000', 'expected 3 dimensions, not 2'],
  [`'[1,2]'::vector(16001)`, '22023', 'dimensions for type vector cannot exceed 16000'],
  [`array_fill(0, array[16001])::vector`, '54000', 'vector cannot have more than 16000 dimensions'],
  [`('[' || repeat('1,', 16000) || '1]')::vector`, '54000', 'vector cannot have more than 16000 dimensions'],
  [`array[1,null]::vector`, '22004', 'array must not contain nulls'],
  [`'{{1}}'::real[]::vector`, '22000', 'array must be 1-D'],
  [`'{}'::real[]::vector`, '22000', 'vector must have at least 1 dimension'],
  [`'[1,2,3]'::vector <-> '[1,2]'`, '22000', 'different vector dimensions 3 and 2'],
  [`'[1,2,3]'::vector + '[1,2]'`, '22000', 'different vector dimensions 3 and 2'],
  [`'[1]'::halfvec <=> '[1,2]'`, '22000', 'different halfvec dimensions 1 and 2'],
  [`'[3e38]'::vector + '[3e38]'`, '22003', 'value out of range: overflow'],
  [`(select avg(v) from unnest(array['[1,2]'::vector, '[3]']) v)`, '22000', 'expected 2 dimensions, not 1'],
  [`'{3:1}/2'::sparsevec`, '22000', 'sparsevec index out of bounds'],
  [`'{1:1,1:2}/2'::sparsevec`, '22000', 'sparsevec indices must not contain duplicates'],
  [`'{}/2'::sparsevec(3)`, '22000', 'expected 3 dimensions, not 2'],
  [`B'111' <~> B'1'`, '22000', 'different bit lengths 3 and 1'],
  // Values that functions would trust come from functions of the extension alone.
  [`clew_vector.vector_point_of('\\x00')`, '42501', 'permission denied'],
  [`clew_vector.vector_of('\\x00')`, '42501', 'permission denied'],
  [`'\\x00'::clew_vector.vector_point`, '0A000', 'cannot accept a value'],
]

test("what is wrong fails with the original's messages", async ({ vectors }) => {
  for (const [expression, code, message] of failures) {
    const failure = await textOf(vectors, expression).catch((error: unknown) => error)
    expect([expression, failure]).toMatchObject([expression, { code, message: expect.stringContaining(message) }])
  }
})

/** The distances by their definitions. */
const distances: Readonly<Record<string, (a: readonly number[], b: readonly number[]) => number>> = {
  '<->': (a, b) => Math.hypot(...a.map((x, i) => x - (b[i] ?? 0))),
  '<#>': (a, b) => -product(a, b),
  '<=>': (a, b) => 1 - product(a, b) / Math.sqrt(product(a, a) * product(b, b)),
  '<+>': (a, b) => a.reduce((sum, x, i) => sum + Math.abs(x - (b[i] ?? 0)), 0),
}

const product = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0)

test('rows come in the order of their distances', async ({ vectors }) => {
  const dims = 40
  const element = fc.float({ min: -1, max: 1, noNaN: true, noDefaultInfinity: true })
  const vector = fc.array(element, { minLength: dims, maxLength: dims })
  await vectors.load(`create table near (id int, packed vector(${dims}), plain vector, half halfvec(${dims}))`)
  await fc.assert(
    fc.asyncProperty(fc.array(vector, { minLength: 2, maxLength: 12 }), vector, async (rows, query) => {
      await ask(vectors, 'truncate near')
      await ask(
        vectors,
        'insert into near select (i - 1)::int, v::vector, v::vector, v::vector from json_array_elements_text($1) with ordinality as u (v, i)',
        JSON.stringify(rows.map((row) => JSON.stringify(row))),
      )
      for (const [operator, distance] of Object.entries(distances)) {
        for (const [column, digits] of [
          ['packed', 5],
          ['plain', 5],
          ['half', 1],
        ] as const) {
          const found = await ask(
            vectors,
            `select id, ${column} ${operator} $1 as distance from near order by ${column} ${operator} $1, id`,
            JSON.stringify(query),
          )
          const all = found.map(({ id, distance: is }) => ({
            is: Number(is),
            expected: distance(rows[Number(id)] ?? [], query),
          }))
          for (const { is, expected } of all) if (!Number.isNaN(expected)) expect(is).toBeCloseTo(expected, digits)
          const order = all.map(({ is }) => is)
          expect(order).toEqual([...order].sort((a, b) => (Number.isNaN(a) ? 1 : Number.isNaN(b) ? -1 : a - b)))
        }
      }
    }),
    { numRuns: 10 },
  )
})

test('a column with dimensions keeps rows packed, and its text is read back', async ({ vectors }) => {
  await vectors.load(`
    create table docs (id int primary key, embedding vector(3) not null);
    insert into docs values (1, '[1,2,3]'), (2, array[0.1,0.2,0.3]);
    update docs set embedding = embedding + '[1,1,1]' where id = 1;
    create table copied as table docs with no data;
    insert into copied select id, embedding::text::vector from docs`)
  expect(
    await ask(vectors, 'select embedding::text, clew_vector.vector_size(embedding) as bytes from docs order by id'),
  ).toEqual([
    { embedding: '[2,3,4]', bytes: 80 },
    { embedding: '[0.1,0.2,0.3]', bytes: 80 },
  ])
  expect(await ask(vectors, 'select c.embedding = d.embedding as same from copied c join docs d using (id)')).toEqual([
    { same: true },
    { same: true },
  ])
  await expect(ask(vectors, `insert into docs values (3, '[1]')`)).rejects.toThrow('expected 3 dimensions, not 1')
})

const indexes = [
  ['hnsw', 'vector', ['l2', 'ip', 'cosine', 'l1']],
  ['hnsw', 'halfvec', ['l2', 'ip', 'cosine', 'l1']],
  ['hnsw', 'sparsevec', ['l2', 'ip', 'cosine', 'l1']],
  ['hnsw', '"bit"', ['hamming', 'jaccard']],
  ['ivfflat', 'vector', ['l2', 'ip', 'cosine']],
  ['ivfflat', 'halfvec', ['l2', 'ip', 'cosine']],
  ['ivfflat', '"bit"', ['hamming']],
] as const

test('indexes of neighbours are accepted, said not to be used, and not used', async ({ vectors }) => {
  const client = new pg.Client(vectors.login('postgres'))
  const notices: (string | undefined)[] = []
  client.on('notice', ({ message }) => notices.push(message))
  await client.connect()
  await client.query('set search_path = public, extensions; set hnsw.ef_search = 40; set ivfflat.probes = 10')
  for (const [method, type, distances] of indexes) {
    await client.query(`create table docs (id int, embedding ${type})`)
    for (const distance of distances) {
      const operators = `${type.replaceAll('"', '')}_${distance}_ops`
      await client.query(`create index named on docs using ${method} (embedding ${operators})`)
      expect(notices.splice(0)).toEqual([
        `index public.named is not used: distances are computed exactly, without ${method}`,
      ])
      await client.query('insert into docs values (1, null); drop index named')
    }
    await client.query('drop table docs')
  }
  await client.query(`create table docs (id int, embedding vector(2)); create index on docs using hnsw (embedding vector_l2_ops);
    insert into docs select i, array[i, 1]::vector from generate_series(1, 100) i`)
  await client.query('set enable_seqscan = off')
  const { rows } = await client.query(`explain select id from docs order by embedding <-> '[3,1]' limit 1`)
  await client.end()
  expect(JSON.stringify(rows)).toContain('Seq Scan')
})

test.for([
  `select embedding[1] from docs`,
  `select embedding[1:2] from docs`,
  `update docs set embedding[1] = '[3]'`,
  `update docs set embedding[1:2] = '[3]'::vector`,
])('subscripts are refused, as by the original: %s', async (text, { vectors }) => {
  await vectors.load(`create table docs as select '[1,2]'::vector(2) as embedding union all select null`)
  await expect(ask(vectors, text)).rejects.toThrow(
    'cannot subscript type vector because it does not support subscripting',
  )
})

test('the owner drops and creates it again', async ({ vectors }) => {
  await vectors.load('drop extension vector; create extension if not exists vector schema public')
  expect(await textOf(vectors, `'[1,2]'::public.vector operator(public.<->) '[1,3]'`)).toBe('1')
})
