import { expect } from 'vitest'
import { test as base } from '../../../../test/harness.ts'
import { uuidv7 } from '../../../ground/ids/uuidv7.ts'
import { readSettings } from '../../../ground/settings/read.ts'
import { createConsents } from '../consent/consent.ts'
import { analyticsSettings, analyticsTables } from '../index.ts'
import type { IdentityChange } from './change.ts'
import { createPersons, type Persons } from './persons.ts'

const at = new Date('2026-05-01T10:00:00Z')
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const settings = readSettings(analyticsSettings, []).values
const maria = '6f1c1f1e-0000-4000-8000-000000000001'
const paolo = '6f1c1f1e-0000-4000-8000-000000000002'

const test = base.extend('persons', async ({ db }): Promise<Persons> => {
  await db.migrate('analytics', analyticsTables.postgres)
  return createPersons({
    sql: db.admin,
    consents: createConsents(db.admin, false),
    now: () => at,
    newId: uuidv7,
    settings,
    log: silent,
  })
})

const change = (distinctId: string, more: Partial<IdentityChange> = {}): IdentityChange => ({
  uuid: uuidv7(),
  distinctId,
  otherId: null,
  dangerous: false,
  set: null,
  setOnce: null,
  unset: [],
  atMs: at.getTime(),
  ...more,
})

const personOf = async (persons: Persons, id: string) => (await persons.facts([id])).get(id)

test('signing in links the person, made when there is none', async ({ persons }) => {
  await persons.apply([change('device-1', { set: { plan: 'pro' } })])
  const link = { userId: maria, profile: async () => ({ email: 'maria@example.com', name: 'Maria Silva' }), at }
  expect(await persons.link({ distinctId: 'device-1', ...link })).toMatchObject({ kind: 'linked' })
  expect(await persons.link({ distinctId: 'device-1', ...link })).toEqual({ kind: 'unchanged' })
  expect(await persons.link({ distinctId: 'never-seen', userId: paolo, at })).toMatchObject({ kind: 'linked' })
  expect(await personOf(persons, 'device-1')).toMatchObject({
    userId: maria,
    email: 'maria@example.com',
    name: 'Maria Silva',
  })
  expect(await personOf(persons, 'never-seen')).toMatchObject({ userId: paolo })
})

test('a second device of the same user becomes the same person', async ({ persons }) => {
  await persons.apply([change('device-1'), change('device-2', { set: { name: 'Maria' } })])
  await persons.link({ distinctId: 'device-1', userId: maria, at })
  await persons.link({ distinctId: 'device-2', userId: maria, at })
  const facts = await persons.facts(['device-1', 'device-2'])
  expect(facts.get('device-1')).toEqual(facts.get('device-2'))
  expect(facts.get('device-1')).toMatchObject({ userId: maria, name: 'Maria' })
})

test('on a shared computer the second user is not merged with the first', async ({ persons }) => {
  await persons.link({ distinctId: 'shared', userId: maria, at })
  await persons.link({ distinctId: 'own', userId: paolo, at })
  expect(await persons.link({ distinctId: 'shared', userId: paolo, at })).toEqual({ kind: 'another_user' })
  await persons.apply([change('own', { otherId: 'shared', dangerous: true })])
  expect(await personOf(persons, 'shared')).toMatchObject({ userId: maria })
  expect(await personOf(persons, 'own')).toMatchObject({ userId: paolo })
})

test('the second user of a shared computer has a person of their own, who keeps what comes later', async ({
  persons,
}) => {
  await persons.link({
    distinctId: 'shared',
    userId: maria,
    profile: async () => ({ email: 'maria@example.test' }),
    at,
  })
  await persons.link({
    distinctId: 'shared',
    userId: paolo,
    profile: async () => ({ email: 'paolo@example.test' }),
    at,
  })
  const own = (await persons.factsOfUsers([maria, paolo])).get(paolo)
  expect(own).toMatchObject({ userId: paolo, email: 'paolo@example.test' })
  expect(await personOf(persons, 'shared')).toMatchObject({ userId: maria })
  await persons.link({ distinctId: 'phone', userId: paolo, at })
  expect(await personOf(persons, 'phone')).toEqual(own)
})

test('merging an anonymous person that a user signed in with gives the user to the other', async ({ persons }) => {
  await persons.link({ distinctId: 'anon', userId: maria, at })
  await persons.apply([change('ada')])
  await persons.apply([change('ada', { otherId: 'anon', dangerous: true })])
  expect(await personOf(persons, 'ada')).toMatchObject({ userId: maria })
  expect(await personOf(persons, 'anon')).toEqual(await personOf(persons, 'ada'))
})

test('an event from before 1970 makes a person all the same', async ({ persons }) => {
  await persons.apply([change('ada', { atMs: -62_167_219_200_000 })])
  expect(await personOf(persons, 'ada')).toBeDefined()
})

test('who refused with their browser consents with it; who refused elsewhere refuses on every browser', async ({
  db,
  persons,
}) => {
  const consents = createConsents(db.admin, false)
  const second = (n: number): Date => new Date(at.getTime() + n * 1000)
  const decide = async (distinctId: string, granted: boolean, n: number): Promise<void> => {
    await consents.decide([{ distinctId, granted, atMs: second(n).getTime() }])
    persons.changed([distinctId])
  }
  const sawAt = (distinctId: string, n: number) => persons.link({ distinctId, userId: maria, at: second(n) })
  expect(await sawAt('laptop', 0)).toMatchObject({ kind: 'linked' })
  await decide('laptop', false, 1)
  await persons.forget(['laptop', maria], { receivedMs: second(1).getTime(), happenedMs: 0 })
  expect(await personOf(persons, 'laptop')).toBeUndefined()

  await decide('phone', true, 2)
  expect(await sawAt('phone', 3)).toEqual({ kind: 'withheld' })
  expect((await consents.decisions(db.admin, ['phone'])).get('phone')?.granted).toBe(false)

  await decide('laptop', true, 4)
  expect(await sawAt('laptop', 3)).toEqual({ kind: 'before_consent' })
  expect(await sawAt('laptop', 5)).toMatchObject({ kind: 'linked' })
  expect((await consents.decisions(db.admin, [maria])).get(maria)?.granted).toBe(true)
})
