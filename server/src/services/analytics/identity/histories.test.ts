import fc from 'fast-check'
import { expect } from 'vitest'
import { test as base } from '../../../../test/harness.ts'
import { uuidv7 } from '../../../ground/ids/uuidv7.ts'
import { readSettings } from '../../../ground/settings/read.ts'
import { compile } from '../../../ground/sql/postgres.ts'
import { sql } from '../../../ground/sql/sql.ts'
import { createConsents } from '../consent/consent.ts'
import { analyticsSettings, analyticsTables } from '../index.ts'
import type { IdentityChange } from './change.ts'
import { HistoryModel, keyOf, type ModelPerson } from './history-model.ts'
import { createPersons } from './persons.ts'

const { values: settings } = readSettings(analyticsSettings, [])
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const users = ['6f1c1f1e-0000-4000-8000-000000000001', '6f1c1f1e-0000-4000-8000-000000000002']
const runs = process.env.CLEW_TRIALS === undefined ? 30 : 1000

const test = base.extend('database', async ({ db }) => {
  await db.migrate('analytics', analyticsTables.postgres)
  return db.admin
})

const id = fc.constantFrom('ada', 'bob', 'cleo', 'anon-1', 'anon-2', 'anon-3', 'null', '"guest"')
const at = fc.integer({ min: 0, max: 20 })
const properties = fc.dictionary(fc.constantFrom('plan', 'city', 'name'), fc.integer({ min: 0, max: 3 }), {
  maxKeys: 2,
})
const claims = fc.record({
  set: fc.option(properties),
  setOnce: fc.option(properties),
  unset: fc.subarray(['plan', 'city'], { maxLength: 1 }),
})
const none = { set: null, setOnce: null, unset: [] }
const browser = fc.nat({ max: 2 })

const step = fc.oneof(
  fc.record({ kind: fc.constant('event' as const), id, at, claims }),
  fc.record({ kind: fc.constant('event' as const), id, other: id, at, claims, dangerous: fc.constant(false) }),
  fc.record({ kind: fc.constant('event' as const), id, other: id, at, claims, dangerous: fc.constant(true) }),
  fc.record({ kind: fc.constant('resent' as const), which: fc.nat(), at }),
  fc.record({ kind: fc.constant('split' as const), id, others: fc.subarray(['ada', 'bob', 'anon-1', 'anon-2']) }),
  fc.record({ kind: fc.constant('sign in' as const), browser, user: fc.constantFrom(...users) }),
  fc.record({ kind: fc.constant('sign out' as const), browser }),
  // What a browser sends while its user is signed in: the user's id, and once the id that it had before.
  fc.record({ kind: fc.constant('browsed' as const), browser, at, claims }),
  fc.constant({ kind: 'stored' as const }),
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

test('a random history of ids, sign-ins and splits comes to what the slow model says', { timeout: 120_000 }, async ({
  database,
}) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (history) => {
      await database.query({
        text: 'truncate clew_analytics.persons, clew_analytics.distinct_ids, clew_analytics.persons_seen',
        values: [],
      })
      const outcome = await replay(history)
      expect(await stored()).toEqual(outcome)
    }),
    { numRuns: runs, interruptAfterTimeLimit: 100_000 },
  )

  /** Sends a history to the product and to the model; returns what the model comes to. */
  async function replay(history: readonly Step[]): Promise<readonly ModelPerson[]> {
    const persons = createPersons({
      sql: database,
      consents: createConsents(database, false),
      now: () => new Date(50),
      newId: uuidv7,
      settings,
      log: silent,
    })
    const model = new HistoryModel()
    const sent: IdentityChange[] = []
    const resets = [0, 0, 0]
    let waiting: IdentityChange[] = []
    const idOf = (number: number): string => `browser-${number}-${resets[number]}`
    const send = (change: IdentityChange): void => {
      waiting.push(change)
      model.apply(change)
    }
    const store = async (): Promise<void> => {
      await persons.apply(waiting)
      waiting = []
    }
    const event = (one: Partial<IdentityChange> & Pick<IdentityChange, 'distinctId' | 'atMs'>): void => {
      const change = { uuid: uuidv7(), otherId: null, dangerous: false, ...none, ...one }
      sent.push(change)
      send(change)
    }
    for (const one of history) {
      switch (one.kind) {
        case 'event':
          event({
            ...{ distinctId: one.id, atMs: one.at, ...one.claims },
            ...('other' in one && { otherId: one.other, dangerous: one.dangerous }),
          })
          break
        case 'browsed':
          event({ distinctId: idOf(one.browser), atMs: one.at, ...one.claims })
          break
        case 'resent': {
          const again = sent[one.which % Math.max(sent.length, 1)]
          if (again !== undefined) send({ ...again, atMs: one.at })
          break
        }
        case 'stored':
          await store()
          break
        case 'split': {
          await store()
          const owner = (await persons.facts([one.id])).get(one.id)?.personId
          const split = { distinctIds: [one.id, ...one.others] }
          const { kind } = await persons.split({ personId: owner ?? uuidv7(), ...split })
          expect(model.split(split.distinctIds)).toBe(kind === 'split')
          break
        }
        case 'sign in':
          await store()
          await persons.link({ distinctId: idOf(one.browser), userId: one.user, at: new Date(10) })
          model.signIn(idOf(one.browser), one.user)
          break
        case 'sign out':
          resets[one.browser] = (resets[one.browser] ?? 0) + 1
          break
        default:
          one satisfies never
      }
    }
    await store()
    return model.persons()
  }

  /** What PostgreSQL has, as the model says it. */
  async function stored(): Promise<readonly ModelPerson[]> {
    const { rows } = await database.query<ModelPerson>(
      compile(sql`
        select
          array(
            select d.distinct_id from clew_analytics.distinct_ids d where d.person_id = p.id order by d.distinct_id collate "C"
          ) as ids,
          p.auth_user_id as user,
          p.is_identified as "isIdentified",
          p.properties
        from clew_analytics.persons p`),
    )
    return rows.toSorted((left, right) => keyOf(left).localeCompare(keyOf(right)))
  }
})
