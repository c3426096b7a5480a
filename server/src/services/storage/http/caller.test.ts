import { expect } from 'vitest'
import { answersTest as test } from '../../../../test/storage-answers.ts'
import { jwtSecret } from '../../../../test/storage-app.ts'
import { createKeySet } from '../../../ground/jwt/keys.ts'
import { signToken } from '../../../ground/jwt/sign.ts'

const maria = '11111111-1111-4111-8111-111111111111'
const claims = { role: 'authenticated', sub: maria }
const now = Math.floor(Date.now() / 1000)
const signed = (payload: Readonly<Record<string, unknown>>, secret = jwtSecret) =>
  signToken(payload, createKeySet({ signingKeys: [], secret }).signing)
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Tokens that let nobody in, and why. */
const refusedTokens: readonly (readonly [title: string, token: string])[] = [
  ['no token', 'not-a-jwt'],
  ['unsigned', `${part({ alg: 'none', typ: 'JWT' })}.${part({ ...claims, role: 'service_role' })}.`],
  ['of another project', signed(claims, 'another secret of thirty-two bytes')],
  ['of other claims than were signed', signed(claims).replace(/\.[^.]+\./, `.${part({ role: 'service_role' })}.`)],
  ['expired a second ago', signed({ ...claims, exp: now - 1 })],
  ['not good yet', signed({ ...claims, nbf: now + 3600 })],
  ['of brackets', `${Buffer.from('['.repeat(20_000)).toString('base64url')}.e30.x`],
]

test.for(refusedTokens)('a token %s opens nothing but what is public', async ([, token], { app }) => {
  await app.client().from('b').upload('a', 'x')
  const call = (method: string, path: string, body: string | null = null) =>
    app.call(path, {
      as: null,
      method,
      body,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    })
  const asked: readonly (readonly [string, string, string | null, string])[] = [
    ['GET', '/bucket', null, 'AccessDenied'],
    ['POST', '/bucket', '{"name":"mine"}', 'AccessDenied'],
    ['POST', '/object/list/b', '{"prefix":""}', 'AccessDenied'],
    ['POST', '/object/b/new', 'x', 'AccessDenied'],
    ['PUT', '/object/b/a', 'y', 'AccessDenied'],
    ['DELETE', '/object/b/a', null, 'AccessDenied'],
    ['POST', '/object/sign/b/a', '{"expiresIn":60}', 'AccessDenied'],
    ['GET', '/object/authenticated/b/a', null, 'AccessDenied'],
    ['GET', '/object/b/a', null, 'NoSuchBucket'],
    ['GET', '/object/info/b/a', null, 'NoSuchBucket'],
  ]
  for (const [method, path, body, code] of asked) {
    const answer = await call(method, path, body)
    expect.soft([answer.status, await answer.json()], `${method} ${path}`).toMatchObject([400, { code }])
  }
  expect(await (await call('GET', '/object/public/open/a.txt')).text()).toBe('hello')
  expect(await (await app.call('/object/b/a')).text()).toBe('x')
})
