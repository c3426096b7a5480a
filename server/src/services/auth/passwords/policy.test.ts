import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createPasswordPolicy, parseCharacterSets } from './policy.ts'
import { createIsPwned } from './pwned.ts'

const rules = { minimumPasswordLength: 6, passwordRequirements: '', passwordRequiredCharacters: null } as const
const reasonsFor = async (password: string, more: object = {}) =>
  (await createPasswordPolicy({ ...rules, ...more }, null).judge(password))?.reasons ?? []

const limits = { timeoutMs: 2000, maxBytes: 1_048_576 }

test('every reason is answered', async () => {
  const strict = { passwordRequirements: 'lower_upper_letters_digits_symbols' }
  expect(await reasonsFor('abc', strict)).toEqual(['length', 'characters'])
  expect(await reasonsFor('abcDEF12', strict)).toEqual(['characters'])
  expect(await reasonsFor('abcDEF12!', strict)).toEqual([])
  // Bytes, not characters.
  expect(await reasonsFor('äöü')).toEqual([])
  expect(await reasonsFor('onlyletters', { passwordRequirements: 'letters_digits' })).toEqual(['characters'])
})

test('sets of characters are separated by colons, and may hold one', async () => {
  expect(parseCharacterSets('abc:ABC:\\::')).toEqual(['abc', 'ABC', ':'])
  const own = { passwordRequiredCharacters: 'abc:123:\\:' }
  expect(await reasonsFor('aaa111', own)).toEqual(['characters'])
  expect(await reasonsFor('aaa111:', own)).toEqual([])
})

test('a breached password is found by the first five digits of its SHA-1', async ({ onTestFinished }) => {
  const digest = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase()
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers['add-padding']}`)
    response.end(`${'0'.repeat(35)}:3\r\n${digest('breached').slice(5)}:42\r\n${digest('padded').slice(5)}:0\r\n`)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const list = { ...limits, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/range` }
  const isPwned = createIsPwned({ ...list, whenUnknown: false })
  expect([await isPwned('breached'), await isPwned('padded'), await isPwned('fine')]).toEqual([true, false, false])
  expect(asked[0]).toBe(`/range/${digest('breached').slice(0, 5)} true`)
  const policy = createPasswordPolicy(rules, isPwned)
  await expect(policy.check('breached')).rejects.toMatchObject({
    code: 'weak_password',
    details: { reasons: ['pwned'] },
  })
})

test('while the list is away, passwords pass unless the project says otherwise', async () => {
  const list = { ...limits, url: 'http://127.0.0.1:1/range' }
  expect(await createIsPwned({ ...list, whenUnknown: false })('x')).toBe(false)
  expect(await createIsPwned({ ...list, whenUnknown: true })('x')).toBe(true)
})
