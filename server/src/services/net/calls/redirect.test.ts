import { expect, test } from 'vitest'
import { type Hop, planRedirect } from './redirect.ts'

const post: Hop = {
  url: 'https://a.example/x',
  method: 'POST',
  headers: { authorization: 'Bearer x', 'content-type': 'application/json', 'x-key': 'k' },
  body: Buffer.from('{}'),
}
const get: Hop = { ...post, method: 'GET', body: undefined }

test.for([
  ['301 of a POST', post, 301, 'GET', false],
  ['302 of a POST', post, 302, 'GET', false],
  ['303 of a POST', post, 303, 'GET', false],
  ['307 of a POST', post, 307, 'POST', true],
  ['308 of a POST', post, 308, 'POST', true],
  ['301 of a DELETE', { ...post, method: 'DELETE' }, 301, 'DELETE', true],
  ['303 of a DELETE', { ...post, method: 'DELETE' }, 303, 'GET', false],
  ['302 of a GET', get, 302, 'GET', false],
] as const)('%s is followed (RFC 9110 §15.4)', ([, hop, status, method, hasBody]) => {
  const next = planRedirect(hop, status, '/y?z=1')
  expect(next).toMatchObject({ url: 'https://a.example/y?z=1', method, headers: { authorization: 'Bearer x' } })
  expect(next?.body !== undefined).toBe(hasBody)
})

test.for(['https://b.example/', 'http://a.example/', 'https://a.example:8443/'])(
  '%s is another origin and is told no credentials',
  (location) => {
    expect(planRedirect(post, 307, location)?.headers).toEqual({ 'content-type': 'application/json' })
  },
)

test.for([
  [200, '/y'],
  [304, '/y'],
  [302, undefined],
  [302, 'http://['],
] as const)('%s with location %s is no redirect', ([status, location]) => {
  expect(planRedirect(get, status, location)).toBeUndefined()
})
