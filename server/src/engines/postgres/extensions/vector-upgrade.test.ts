import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject } from 'vitest'
import { openOn, openTestDatabase, type TestDatabase, test } from '../../../../test/harness.ts'

/** The script of an earlier version: everything stood in the extension's schema, and subscripts were there. */
async function earlierScript(): Promise<string> {
  const script = await readFile(new URL('./extension/vector--0.8.0.sql', import.meta.url), 'utf8')
  return script
    .replaceAll(/^(create schema|grant usage on schema) .*;$/gm, '')
    .replaceAll(/^alter type .* set \(subscript = none\);$/gm, '')
    .replaceAll(/^set extra_float_digits = 1$/gm, '')
    .replaceAll(/\bclew_vector(_input)?\./g, '@extschema@.')
    .replaceAll('@extschema@.vector_point_in(cstring), ', '')
}

/** All that a function of the extension is. */
async function functionsOf(db: TestDatabase): Promise<readonly unknown[]> {
  const { rows } = await db.admin.query({
    text: `
      select p.oid::regprocedure::text as function, pg_get_functiondef(p.oid) as definition,
        array(select a::text from unnest(p.proacl) a order by a::text) as rights
      from pg_depend d
      join pg_extension e on e.oid = d.refobjid and d.refclassid = 'pg_extension'::regclass
      join pg_proc p on p.oid = d.objid and d.classid = 'pg_proc'::regclass
      where e.extname = 'vector' and p.prokind = 'f'
      order by 1`,
    values: [],
  })
  return rows
}

const schemas = ['extensions', 'Own place']

test.for(schemas)(
  'vector of an earlier version, in %s, becomes what a new database has',
  async (schema, { db, onTestFinished }) => {
    const quoted = `"${schema}"`
    const version = `0.7.${schemas.indexOf(schema)}`
    const path = join(inject('postgres').socketDir, 'extension', `vector--${version}.sql`)
    onTestFinished(() => rm(path, { force: true }))
    await writeFile(path, await earlierScript(), { mode: 0o644 })
    const fresh = await openTestDatabase()
    onTestFinished(() => fresh.close())
    const place = `create schema if not exists ${quoted}; create extension vector with schema ${quoted}`
    await fresh.load(place)
    await db.load(`
    ${place} version '${version}';
    set search_path = ${quoted};
    create table public.notes (id int primary key, plain vector, at vector(2), half halfvec(2), sparse sparsevec(2));
    create index on public.notes using hnsw (at vector_l2_ops);
    insert into public.notes values (1, '[1,2]', '[0,3]', '[1,2]', '{1:1}/2'), (2, '[5,6]', '[4,6]', '[5,6]', '{2:1}/2')`)
    await db.admin.query({
      text: `delete from clew.migrations where room = 'extensions' and version >= '0002'`,
      values: [],
    })
    expect(await functionsOf(db)).not.toEqual(await functionsOf(fresh))

    await (await openOn(db)).close()

    expect(await functionsOf(db)).toEqual(await functionsOf(fresh))
    const operator = (sign: string) => `operator(${quoted}.${sign})`
    const { rows } = await db.owner.query({
      text: `
      select id, plain::text, at::text, half::text, sparse::text, at ${operator('<->')} '[0,3]' as far
      from public.notes order by at ${operator('<->')} '[0,3]'`,
      values: [],
    })
    expect(rows).toMatchObject([
      { id: 1, plain: '[1,2]', at: '[0,3]', half: '[1,2]', sparse: '{1:1}/2', far: 0 },
      { id: 2, plain: '[5,6]', at: '[4,6]', half: '[5,6]', sparse: '{2:1}/2', far: 5 },
    ])
    await db.load(`drop extension vector cascade; ${place}`)
  },
)
