import { expect, test } from 'vitest'
import { createKnownLinks } from './known-links.ts'

const lasting = () => createKnownLinks<number>(1000, 60_000, (outcome) => outcome >= 0)

test('a pair is linked once, also when it is asked for while that is under way', async () => {
  const links = lasting()
  let calls = 0
  const link = async (): Promise<number> => ++calls
  expect(await Promise.all([links.find('ana', 'a', link), links.find('ana', 'a', link)])).toEqual([1, 1])
  expect(await links.find('ana', 'a', link)).toBe(1)
  expect(await links.find('ana', 'b', link)).toBe(2)
})

test.each([
  ['of a browser', 'a'],
  ['of a user', 'ana'],
])('a change %s forgets its links and no others', async (_of, id) => {
  const links = lasting()
  let calls = 0
  const link = async (): Promise<number> => ++calls
  await links.find('ana', 'a', link)
  await links.find('bea', 'b', link)
  links.forget([id])
  expect(await links.find('bea', 'b', link)).toBe(2)
  expect(await links.find('ana', 'a', link)).toBe(3)
  expect(await links.find('ana', 'a', link)).toBe(3)
})

test('a link that was under way when its id changed is not believed', async () => {
  const links = lasting()
  let answer: (outcome: number) => void = () => undefined
  const early = links.find('ana', 'a', () => new Promise((resolve) => (answer = resolve)))
  links.forget(['a'])
  const late = links.find('ana', 'a', async () => 2)
  answer(1)
  expect([await early, await late]).toEqual([1, 2])
  expect(await links.find('ana', 'a', async () => 3)).toBe(2)
})

test('what failed, or does not last, is tried again', async () => {
  const links = lasting()
  await expect(links.find('ana', 'a', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await links.find('ana', 'a', async () => -1)).toBe(-1)
  expect(await links.find('ana', 'a', async () => 2)).toBe(2)
})

test('more changed ids than are remembered forget too much, never too little', async () => {
  const links = createKnownLinks<number>(2, 60_000, () => true)
  await links.find('ana', 'a', async () => 1)
  links.forget(['a'])
  links.forget(['x', 'y', 'z'])
  expect(await links.find('ana', 'a', async () => 2)).toBe(2)
  links.forgetAll()
  expect(await links.find('ana', 'a', async () => 3)).toBe(3)
})
