import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { busForms } from '../../../../test/bus.ts'
import { topicsOf } from '../../../engines/bus/index.ts'
import { createTickets } from './tickets.ts'

const settings = { signInStepSeconds: 300, signInStepAttempts: 3, openSignIns: 1000 }
const ticket = { operatorId: 'o1', challenge: null }

test('the second step of a sign-in may come to another process, which counts the same attempts', async () => {
  const { connect } = await (busForms['over a Unix socket'] ?? missing)()
  const [one, two] = [await connect(), await connect()].map((bus) =>
    createTickets({ now: () => new Date(), settings, topic: topicsOf(bus) }),
  )
  if (one === undefined || two === undefined) return missing()
  // What one says comes to the other in its order: a later ticket shows that all before it have come.
  const passed = () =>
    expect
      .poll(async () => {
        const marker = one.issue(ticket)
        await delay(10)
        return two.attempt(marker)
      })
      .toEqual(ticket)
  await passed()
  const [token, revoked] = [one.issue(ticket), one.issue(ticket)]
  one.revoke(revoked)
  for (let attempt = 0; attempt < 2; attempt += 1) expect(one.attempt(token)).toEqual(ticket)
  await passed()
  expect(two.attempt(revoked)).toBeUndefined()
  expect(two.attempt(token)).toEqual(ticket)
  expect(two.attempt(token)).toBeUndefined()
})

function missing(): never {
  throw new Error('The form is there on every machine.')
}
