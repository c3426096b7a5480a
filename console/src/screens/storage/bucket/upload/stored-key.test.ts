import { expect, test } from 'vitest'
import { storedKey } from './stored-key.ts'

test.for([
  ['', 'Menu 2026.pdf', 'Menu 2026.pdf'],
  ['a/', 'b/c.png', 'a/b/c.png'],
  ['', 'crème brûlée.jpg', 'creme brulee.jpg'],
  ['', 'メニュー#1.png', '-----1.png'],
  ['a/', '../../etc/passwd', 'a/etc/passwd'],
  ['', '100%.txt', '100-.txt'],
] as const)('%s%s is stored as %s', ([folder, path, key]) => {
  expect(storedKey(folder, path)).toBe(key)
})
