import { expect, test } from 'vitest'
import { deriveKey } from './derive-key.ts'
import { renewEach } from './root-key-use.ts'
import { derivedOf, fixedRootKeys, type RootKeys, rootIdOf } from './root-keys.ts'
import { createRootSealing } from './root-sealing.ts'
import { createSealing } from './sealing.ts'

const purpose = 'a purpose of the tests'

/** Root keys that are replaced while they are in use. */
function replaceable(...first: readonly string[]) {
  let current: RootKeys = fixedRootKeys(...first)
  return {
    roots: () => current(),
    replace(...next: readonly string[]) {
      current = fixedRootKeys(...next)
    },
  }
}

test('what an earlier root key sealed is opened, and what is new is sealed by the one that counts', () => {
  const { roots, replace } = replaceable('one')
  const { seal, open } = createRootSealing(roots, purpose)
  const before = seal('a text')
  replace('two', 'one')
  const after = seal('a text')
  expect([open(before), open(after)]).toEqual(['a text', 'a text'])
  expect([rootIdOf(after), rootIdOf(before)]).toEqual(roots().map(({ id }) => id))
})

test('a text is moved to the root key that counts, and the earlier one is then needed no more', () => {
  const { roots, replace } = replaceable('one')
  const { seal, open, renew } = createRootSealing(roots, purpose)
  const before = seal('a text')
  replace('two', 'one')
  const moved = renew(before)
  replace('two')
  expect(open(moved)).toBe('a text')
})

test('a text whose root key is gone names it', () => {
  const { roots, replace } = replaceable('one')
  const { seal, open } = createRootSealing(roots, purpose)
  const sealed = seal('a text')
  const id = rootIdOf(sealed)
  replace('two')
  expect(() => open(sealed)).toThrow(
    expect.objectContaining({ code: 'CLEW_ROOT_KEY_MISSING', message: expect.stringContaining(`${id}`) }),
  )
})

test('a text from before root keys were named is opened by whichever sealed it', () => {
  const { open } = createRootSealing(fixedRootKeys('two', 'one'), purpose)
  const unnamed = createSealing(deriveKey('one', purpose)).seal('a text')
  expect(rootIdOf(unnamed)).toBeNull()
  expect(open(unnamed)).toBe('a text')
  expect(() => open(createSealing(deriveKey('three', purpose)).seal('a text'))).toThrow()
})

test('keys are derived once while the root keys stay', () => {
  const { roots, replace } = replaceable('one')
  const made: string[] = []
  const derived = derivedOf(roots, purpose, (key) => made.push(key.toString('hex')))
  derived()
  derived()
  replace('two', 'one')
  derived()
  expect(made).toEqual([deriveKey('one', purpose), deriveKey('two', purpose)].map((key) => key.toString('hex')))
})

test('what cannot be moved holds up nothing that stands behind it, and is told', async () => {
  const { roots, replace } = replaceable('one')
  const { seal, renew } = createRootSealing(roots, purpose)
  const lost = seal('lost')
  replace('two')
  const moved: (string | null)[] = []
  const each = [lost, seal('first'), lost, seal('second')]
  replace('three', 'two')
  const moving = renewEach(each, async (sealed) => moved.push(rootIdOf(renew(sealed))))
  await expect(moving).rejects.toMatchObject({ code: 'CLEW_ROOT_KEY_MISSING' })
  const [current] = roots().map(({ id }) => id)
  expect(moved).toEqual([current, current])
})
