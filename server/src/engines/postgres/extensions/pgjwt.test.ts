import { expect } from 'vitest'
import { test as base, type TestDatabase } from '../../../../test/harness.ts'

const test = base.extend('jwt', async ({ db }): Promise<TestDatabase> => {
  await db.load('create extension if not exists pgjwt with schema extensions')
  return db
})

const ask = async (db: TestDatabase, text: string, ...values: unknown[]): Promise<readonly Record<string, unknown>[]> =>
  (await db.owner.query({ text, values })).rows

// The example of https://jwt.io, which is in the tests of many libraries.
const known =
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiYWRtaW4iOnRydWV9.TJVA95OrM7E2cBab30RMHrHDcEfxjoYZgeFONFh7HgQ'

test('a token is signed as others sign it', async ({ jwt }) => {
  const payload = '{"sub":"1234567890","name":"John Doe","admin":true}'
  expect(await ask(jwt, 'select sign($1, $2) as token', payload, 'secret')).toEqual([{ token: known }])
})

test.for(['HS256', 'HS384', 'HS512'])('a token of %s is verified by its secret alone', async (algorithm, { jwt }) => {
  const text = `select v.* from sign('{"a": "é"}', 's', $1) as token, verify(token, $2, $1) v`
  const header = { alg: algorithm, typ: 'JWT' }
  expect(await ask(jwt, text, algorithm, 's')).toEqual([{ header, payload: { a: 'é' }, valid: true }])
  expect(await ask(jwt, text, algorithm, 'other')).toMatchObject([{ valid: false }])
})

test.for([
  ['of another algorithm', `sign('{}', 's', 'HS512')`, false],
  ['expired', `sign('{"exp": 1}', 's')`, false],
  ['before its time', `sign('{"nbf": 99999999999}', 's')`, false],
  ['in its time', `sign('{"nbf": 1, "exp": 99999999999}', 's')`, true],
  [
    'without a signature',
    `rtrim(sign('{}', 's'), '-_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789')`,
    false,
  ],
  ['with more behind it', `sign('{}', 's') || '.x'`, false],
] as const)('a token %s', async ([, token, valid], { jwt }) => {
  expect(await ask(jwt, `select valid from verify(${token}, 's')`)).toEqual([{ valid }])
})

test('an algorithm that is none is refused', async ({ jwt }) => {
  await expect(ask(jwt, `select sign('{}', 's', 'none')`)).rejects.toThrow('must be HS256, HS384 or HS512')
})

test('bytes are written as base64url and read back', async ({ jwt }) => {
  const text = `select url_encode(b) as encoded, url_decode(url_encode(b)) = b as read from (values ('\\xfbff'::bytea), ('')) v (b)`
  expect(await ask(jwt, text)).toEqual([
    { encoded: '-_8', read: true },
    { encoded: '', read: true },
  ])
  expect(await ask(jwt, `select try_cast_double('1e3') as n, try_cast_double('x') as none`)).toEqual([
    { n: 1000, none: null },
  ])
})

test('the owner drops and creates it again', async ({ jwt }) => {
  await jwt.load('drop extension pgjwt; create extension if not exists pgjwt schema public')
  expect(await ask(jwt, `select valid from public.verify(public.sign('{}', 's'), 's')`)).toEqual([{ valid: true }])
})
