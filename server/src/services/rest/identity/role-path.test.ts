import { expect, test } from 'vitest'
import { canParseRolePath, findRole, parseRolePath, writeRolePath } from './role-path.ts'

const claims = {
  role: 'author',
  level: 3,
  none: null,
  realm: { roles: ['other', 'author'] },
  'https://shop.test/roles': [{ value: 'author' }],
  'a"b': 'author',
  list: ['x'],
}

test.each([
  ['$.role', 'author'],
  ['$["role"]', 'author'],
  ["$['role']", 'author'],
  ['$.realm.roles[1]', 'author'],
  ['$.realm.roles[-1]', 'author'],
  ['$.realm.roles[*]', 'other'],
  ['$.realm.*', '["other","author"]'],
  ['$["https://shop.test/roles"][0].value', 'author'],
  ['$["a\\"b"]', 'author'],
  ['$.realm.roles[?(@ == "author")]', 'author'],
  ['$.realm.roles[?@ == "author"]', 'author'],
  ['$.realm.roles[?(@ != "other")]', 'author'],
  ['$["https://shop.test/roles"][?@.value == "author"].value', 'author'],
  ['$.level', '3'],
  ['$.realm.roles[2]', null],
  ['$.nothing', null],
  ['$.role.deeper', null],
  ['$.toString', null],
  // As it was written before it was a JSON path.
  ['.role', 'author'],
  ['."https://shop.test/roles"[0].value', 'author'],
  ['.realm.roles[?(@ == "author")]', 'author'],
  ['.realm.roles[?(@ ^== "aut")]', 'author'],
  ['.realm.roles[?(@ ==^ "hor")]', 'author'],
  ['.realm.roles[?(@ *== "tho")]', 'author'],
  ['.realm.roles[?(@ == "none")]', null],
])('%s finds %s', (path, role) => {
  const parsed = parseRolePath(path)
  expect(parsed).not.toBeNull()
  if (parsed !== null) expect(findRole(claims, parsed)).toBe(role)
})

test.each([
  'role',
  '.role##',
  '.my_role;;domain',
  '.#$$%&$%/',
  '1234',
  '.role[?(@ =)]',
  '$.my_role;;domain',
  '@@.role',
  '',
])('%j is no path', (text) => expect(canParseRolePath(text)).toBe(false))

test.each([
  ['$.roles[0]', '$.roles[0]'],
  ['.roles[?(@ ^== "role1")]', '."roles"[?(@ ^== "role1")]'],
])('%s is written back as %s', (path, written) => expect(writeRolePath(path)).toBe(written))
