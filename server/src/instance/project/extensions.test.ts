import { expect, test } from 'vitest'
import { type AvailableExtensions, planStatement } from './extensions.ts'

const available: AvailableExtensions = new Map([
  ['citext', new Set(['1.6', '1.8'])],
  ['uuid-ossp', new Set(['1.1'])],
])

test.for([
  'create extension postgis',
  'CREATE EXTENSION IF NOT EXISTS "postgis" WITH SCHEMA "extensions"',
  '-- maps\n/* all of\nthem */ create extension PostGIS',
  'comment on extension postgis is null',
  'alter extension "postgis" update',
])('a statement on an extension that is missing is left out, or refused: %s', (text) => {
  expect(planStatement(text, available, 'skip')).toEqual({ kind: 'skip', extension: 'postgis' })
  expect(planStatement(text, available, 'refuse')).toEqual({ kind: 'run', text })
})

test('one that nothing of an application stands on is left out in any case', () => {
  const text = 'CREATE EXTENSION IF NOT EXISTS "pg_graphql" WITH SCHEMA "graphql"'
  expect(planStatement(text, available, 'refuse')).toEqual({ kind: 'skip', extension: 'pg_graphql' })
  const there = new Map([['pg_graphql', new Set(['1.5.11'])]])
  expect(planStatement(text, there, 'refuse')).toEqual({ kind: 'run', text })
})

test.for([
  'create extension citext',
  `create extension citext version '1.6'`,
  'create extension "uuid-ossp" schema extensions',
  `select 'create extension postgis'`,
  'drop extension if exists postgis',
  'create table extension (id int)',
])('any other statement runs as it is: %s', (text) => {
  expect(planStatement(text, available, 'skip')).toEqual({ kind: 'run', text })
})

test.for([
  [`create extension if not exists citext with schema extensions version '1.5' cascade`, `version '1.5'`],
  ['create extension citext version "1.5"', 'version "1.5"'],
] as const)('a version that the server lacks gives way to its default, and places stay: %s', ([text, clause]) => {
  expect(planStatement(text, available, 'refuse')).toEqual({
    kind: 'run',
    text: text.replace(clause, ' '.repeat(clause.length)),
  })
})
