import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Identity } from '../../ground/model/caller.ts'
import { readSettings } from '../../ground/settings/read.ts'
import { createConfiguration } from './configuration.ts'
import { restSettings } from './settings.ts'

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const signedWith = (secret: string) => {
  const input = `${encode({ alg: 'HS256' })}.${encode({ role: 'author' })}`
  return `Bearer ${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}

test('13 a token that was seen before is refused once a reload took its secret away', async () => {
  const noKey: Identity = { kind: 'no_key' }
  const [before, after] = ['the first secret of 32 characters', 'the other secret of 32 characters']
  const withSecret = (jwtSecret: string) => ({
    ...readSettings(restSettings, []).values,
    config: false,
    jwtSecret,
  })
  const configuration = createConfiguration({
    sql: { query: () => Promise.reject(new Error('the database is not queried')) },
    settings: withSecret(before),
    reread: () => withSecret(after),
    loginRole: null,
    alone: true,
    jsonDepth: 200,
    now: () => new Date(),
    log: { warn: (message) => expect(message).toBe('') },
  })
  const ask = (token: string) => configuration.current().identify(noKey, token).role
  for (const _again of ['first', 'remembered']) expect(ask(signedWith(before))).toBe('author')
  await configuration.reload('config')
  expect(() => ask(signedWith(before))).toThrow('No suitable key')
  expect(ask(signedWith(after))).toBe('author')
})
