import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { test as base, openTestDatabase, type TestDatabase } from '../../../../test/harness.ts'
import { cases7, cases2020, schemas, specified } from './jsonschema-cases.ts'

const draft7 = 'http://json-schema.org/draft-07/schema#'
const lenient = { strict: false, validateFormats: false, logger: false } as const

/** A database with the extension; what is asked of it changes nothing. */
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads a fixture's needs from this pattern
const test = base.extend('jsonschema', { scope: 'file' }, async ({}, { onCleanup }): Promise<TestDatabase> => {
  const db = await openTestDatabase()
  onCleanup(() => db.close())
  await db.load('create extension pg_jsonschema with schema extensions')
  return db
})

async function ask<T>(db: TestDatabase, text: string, ...values: readonly unknown[]): Promise<T> {
  const { rows } = await db.owner.query<{ answer: T }>({ text: `select ${text} as answer`, values })
  const [row] = rows
  if (row === undefined) throw new Error(`No row: ${text}`)
  return row.answer
}

/** Whether each value matches, as the database says by its three functions, which must agree. */
async function matches(db: TestDatabase, schema: unknown, instances: readonly unknown[]): Promise<readonly boolean[]> {
  const { rows } = await db.owner.query<{ json: boolean; jsonb: boolean; told: boolean }>({
    text: `
      select json_matches_schema($1::json, e.value::json) as json, jsonb_matches_schema($1::json, e.value) as jsonb,
        jsonschema_validation_errors($1::json, e.value::json) = '{}' as told
      from jsonb_array_elements($2::jsonb) with ordinality as e (value, position)
      order by position`,
    values: [JSON.stringify(schema), JSON.stringify(instances)],
  })
  for (const { json, jsonb, told } of rows) expect([jsonb, told]).toEqual([json, json])
  return rows.map(({ json }) => json)
}

describe('two implementations agree', () => {
  test.for(cases2020.map((each) => [JSON.stringify(each[0]), each] as const))(
    'on %s',
    async ([, each], { jsonschema }) => {
      const [schema, ...instances] = each
      const validate = new Ajv2020(lenient).compile(schema as object)
      expect(await matches(jsonschema, schema, instances)).toEqual(instances.map((instance) => validate(instance)))
    },
  )

  test.for(cases7.map((each) => [JSON.stringify(each[0]), each] as const))(
    'on draft-07 %s',
    async ([, each], { jsonschema }) => {
      const [keywords, ...instances] = each
      const schema = { $schema: draft7, ...(keywords as object) }
      const validate = new Ajv(lenient).compile(schema)
      expect(await matches(jsonschema, schema, instances)).toEqual(instances.map((instance) => validate(instance)))
    },
  )

  test('on what is a schema', async ({ jsonschema }) => {
    const ours: boolean[] = []
    for (const schema of schemas)
      ours.push(await ask(jsonschema, 'jsonschema_is_valid($1::json)', JSON.stringify(schema)))
    const ajv = new Ajv2020(lenient)
    // ajv takes nothing but objects and booleans to ask about.
    const theirs = schemas.map((schema) => isSchema(schema) && ajv.validateSchema(schema) === true)
    expect(schemas.map((schema, index) => [schema, ours[index]])).toEqual(
      schemas.map((schema, index) => [schema, theirs[index]]),
    )
  })

  test('on schemas and values at random', async ({ jsonschema }) => {
    await fc.assert(
      fc.asyncProperty(
        schemaArbitrary.filter(isOneOfBoth),
        fc.array(valueArbitrary, { minLength: 5, maxLength: 5 }),
        async (schema, values) => {
          const validate = new Ajv2020(lenient).compile(schema as object)
          expect(await matches(jsonschema, schema, values)).toEqual(values.map((value) => validate(value)))
        },
      ),
      { numRuns: Number(process.env.CLEW_FUZZ_RUNS ?? 50) },
    )
  })
})

test.for(specified)('%s', async ([, schema, ...answers], { jsonschema }) => {
  const instances = answers.map(([instance]) => instance)
  expect(await matches(jsonschema, schema, instances)).toEqual(answers.map(([, expected]) => expected))
})

const isSchema = (value: unknown): value is object | boolean =>
  typeof value === 'boolean' || (typeof value === 'object' && value !== null && !Array.isArray(value))

/** ajv keeps what a failed `if` has looked at as evaluated; the drafts do not (Core 2020-12, section 10.2.2.1). */
const isOneOfBoth = (schema: unknown): boolean => {
  const text = JSON.stringify(schema)
  return !(text.includes('"if"') && text.includes('"unevaluated'))
}

const name = fc.constantFrom('a', 'b', 'xa', '')
const small = fc.integer({ min: 0, max: 3 })
const { value: valueArbitrary } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>(null, true, false, 0, 1, 2, 3, 1.5, '', 'a', 'ab', 'xa💥'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}))
const { schema: schemaArbitrary } = fc.letrec((tie) => {
  const some = fc.array(tie('schema'), { minLength: 1, maxLength: 2 })
  const named = fc.dictionary(name, tie('schema'), { maxKeys: 2, noNullPrototype: true })
  return {
    schema: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      fc.boolean(),
      fc.record(
        {
          type: fc.constantFrom('integer', 'number', 'string', 'array', 'object', ['null', 'boolean', 'array']),
          minimum: small,
          maxLength: small,
          pattern: fc.constantFrom('^a', '[^x]$'),
          maxItems: small,
          minProperties: small,
          // ajv requires no property whose name is empty.
          required: fc.uniqueArray(fc.constantFrom('a', 'b', 'xa'), { maxLength: 2 }),
          const: valueArbitrary,
        },
        { requiredKeys: [] },
      ),
      fc.record(
        {
          allOf: some,
          anyOf: some,
          oneOf: some,
          not: tie('schema'),
          if: tie('schema'),
          // biome-ignore lint/suspicious/noThenProperty: the keyword's name
          then: tie('schema'),
          else: tie('schema'),
          dependentSchemas: named,
          unevaluatedItems: tie('schema'),
          unevaluatedProperties: tie('schema'),
        },
        { requiredKeys: [] },
      ),
      fc.record(
        {
          properties: named,
          patternProperties: fc.record({ '^x': tie('schema') }),
          additionalProperties: tie('schema'),
          propertyNames: tie('schema'),
          prefixItems: some,
          items: tie('schema'),
          unevaluatedItems: tie('schema'),
          unevaluatedProperties: tie('schema'),
        },
        { requiredKeys: [] },
      ),
    ),
  }
})

test.for([
  [{ maxLength: 4 }, '123456789', ['"123456789" is longer than 4 characters']],
  [{ type: 'string' }, 1, ['1 is not of type "string"']],
  [{ required: ['a'] }, {}, ['"a" is a required property']],
  [{ additionalProperties: false }, { x: 1 }, [`Additional properties are not allowed ('x' was unexpected)`]],
  [{ minimum: 3, multipleOf: 2 }, 1, ['1 is less than the minimum of 3', '1 is not a multiple of 2']],
  [{ type: 'nope' }, 1, ['"nope" at "/type" is no value of this keyword']],
] as const)('the errors of %j are told', async ([schema, instance, errors], { jsonschema }) => {
  const told = 'jsonschema_validation_errors($1::json, $2::json)'
  expect(await ask(jsonschema, told, JSON.stringify(schema), JSON.stringify(instance))).toEqual(errors)
})

const branching = Object.fromEntries(
  Array.from({ length: 40 }, (_, n) => [
    `s${n}`,
    { allOf: [{ $ref: `#/$defs/s${n + 1}` }, { $ref: `#/$defs/s${n + 1}` }] },
  ]),
)
test.for([
  ['refers to itself', { $ref: '#' }, 1, '54000', 'too much work'],
  [
    'refers in a circle',
    { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
    1,
    '54000',
    'too much work',
  ],
  ['branches forty times', { $ref: '#/$defs/s0', $defs: { ...branching, s40: true } }, 1, '54000', 'too much work'],
  ['is 1,000 deep', JSON.parse(`${'{"not":'.repeat(1000)}{}${'}'.repeat(1000)}`), 1, '54000', 'too much work'],
  ['leads elsewhere', { $ref: 'https://x.test/y.json' }, 1, '22023', 'leads nowhere'],
  ['leads nowhere', { $ref: '#/$defs/x' }, 1, '22023', 'leads nowhere'],
  ['is none', { type: 'nope' }, 1, '22023', 'not valid'],
  ['has a pattern that is none', { pattern: '(' }, 'x', '2201B', 'invalid regular expression'],
] as const)('a schema that %s is refused', async ([, schema, instance, code, message], { jsonschema }) => {
  const asked = ask(
    jsonschema,
    'json_matches_schema($1::json, $2::json)',
    JSON.stringify(schema),
    JSON.stringify(instance),
  )
  await expect(asked).rejects.toMatchObject({ code, message: expect.stringContaining(message) })
})

test('a pattern that others try exponentially costs nothing; a deep list is checked by a schema that refers to itself', async ({
  jsonschema,
}) => {
  const instance = `${'a'.repeat(50_000)}!`
  expect(await matches(jsonschema, { pattern: '^(a+)+$' }, [instance])).toEqual([false])
  const list = JSON.parse(`${'['.repeat(150)}1${']'.repeat(150)}`)
  expect(await matches(jsonschema, { type: ['array', 'integer'], items: { $ref: '#' } }, [list])).toEqual([true])
})

test('a constraint and an index take it, by any writer; null is null', async ({ db }) => {
  await db.load(`
    create extension pg_jsonschema with schema extensions;
    create table forms (
      id int generated always as identity, data jsonb,
      check (extensions.jsonb_matches_schema('{"type": "object", "required": ["name"]}', data))
    );
    create index on forms ((extensions.jsonb_matches_schema('{"minProperties": 2}', data)));
    insert into forms (data) values ('{"name": "x"}'), (null);
    grant insert on forms to anon`)
  const writes = (value: string) =>
    db.owner.transaction(async (sql) => {
      await sql.query({ text: 'set local role anon', values: [] })
      await sql.query({ text: 'set local search_path = public', values: [] })
      await sql.query({ text: 'insert into forms (data) values ($1)', values: [value] })
    })
  await writes('{"name": "y"}')
  await expect(writes('{}')).rejects.toMatchObject({ code: '23514' })
  expect(await ask(db, `json_matches_schema('{}', null) is null`)).toBe(true)
  await db.load('drop extension pg_jsonschema cascade; create extension pg_jsonschema')
})
