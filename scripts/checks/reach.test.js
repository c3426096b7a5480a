import { expect, test } from 'vitest'
import { farReaching } from './reach.js'

const file = (path, ...imports) => ({
  path: `server/src/services/auth/${path}`,
  text: imports.map((from) => `import type { A } from '${from}'`).join('\n'),
})

const binder = (path, ...imports) => {
  const { text, ...rest } = file(path, ...imports)
  return { ...rest, text: `${text}\nexport const createA = () => {}` }
}

test('a use case reaches what it imports, directly and through others, each file once', () => {
  const files = [
    file('sso/acs.ts', './deps.ts', '../store/users.ts', '../../../ground/ids/tokens.ts'),
    file('sso/deps.ts', '../store/database.ts', '../store/users.ts'),
    file('store/users.ts', './database.ts'),
    file('store/database.ts'),
  ]
  expect(farReaching(files, 2)).toEqual(['sso/acs.ts: 3'])
  expect(farReaching(files, 3)).toEqual([])
})

test('files that bind use cases together may reach them all', () => {
  const files = [
    file('auth.ts', './codes/create-codes.ts', './codes/routes.ts', './codes/codes.ts'),
    binder('codes/create-codes.ts', './verify.ts', './resend.ts'),
    file('codes/routes.ts', './verify.ts', './resend.ts'),
    binder('codes/codes.ts', './verify.ts', './resend.ts'),
    file('codes/verify.ts'),
    file('codes/resend.ts'),
  ]
  expect(farReaching(files, 1)).toEqual([])
  expect(farReaching([...files, file('codes/create-user.ts', './verify.ts', './resend.ts')], 1)).toEqual([
    'codes/create-user.ts: 2',
  ])
})
