import { hash } from '@node-rs/bcrypt'
import { expect, test } from 'vitest'
import { hashKindOf, matchesHash } from './hash.ts'

// The vectors of the Argon2 reference implementation, and of Firebase's scrypt.
const argon2i = '$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$wWKIMhR9lyDFvRz9YTZweHKfbftvj+qf+YFY4NeBbtA'
const argon2id = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
const signerKey = 'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=='
const firebase = `$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=${signerKey}$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==`

test.each([
  ['argon2', 'password', argon2i],
  ['argon2', 'password', argon2id],
  ['firebase scrypt', 'user1password', firebase],
])('%s: the right password fits %#, a wrong one does not', async (kind, password, stored) => {
  expect(hashKindOf(stored)).toBe(kind)
  expect(await matchesHash(password, stored)).toBe(true)
  expect(await matchesHash(`${password}x`, stored)).toBe(false)
})

test.each(['2a', '2b', '2y'] as const)('bcrypt $%s of any cost', async (version) => {
  const stored = (await hash('secret', { cost: 5, version: version === '2a' ? '2a' : '2b' })).replace(
    '$2b',
    `$${version}`,
  )
  expect(hashKindOf(stored)).toBe('bcrypt')
  expect(await matchesHash('secret', stored)).toBe(true)
  expect(await matchesHash('Secret', stored)).toBe(false)
})

test.each([
  '',
  'secret',
  '$1$abc$def',
  argon2id.replace('m=65536', 'm=1048577'),
  argon2id.replace('t=2', 't=21'),
  argon2id.replace('p=1', 'p=17'),
  argon2id.replace('v=19', 'v=16'),
  argon2id.replace('argon2id', 'argon2d'),
  `${argon2id}=`,
  firebase.replace('n=14', 'n=31'),
  firebase.replace('v=1', 'v=2'),
])('%s is no hash that is accepted', async (stored) => {
  expect(hashKindOf(stored)).toBeUndefined()
  expect(await matchesHash('password', stored)).toBe(false)
})
