import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { topicsOf } from '../src/engines/bus/index.ts'
import { fixedRootKeys } from '../src/ground/ids/root-keys.ts'
import type { OpenTopic } from '../src/ground/model/topic.ts'
import { readSettings } from '../src/ground/settings/read.ts'
import { createOperators, operatorsSettings, operatorsTables } from '../src/services/operators/index.ts'
import { realtimeTables } from '../src/services/realtime/index.ts'
import { storageTables } from '../src/services/storage/index.ts'
import { startAuth } from './auth-service.ts'
import { busForms } from './bus.ts'
import { type TestDatabase, test } from './harness.ts'
import { openRealtime, type RawSocket } from './realtime-app.ts'
import { openStorage } from './storage-app.ts'

/** One try at what is limited, in one of the processes; false where it is refused. */
type Try = (n: number) => Promise<boolean>

/** Stands still: buckets are not filled again meanwhile. */
const at = new Date()
const now = (): Date => at

const authTry =
  (settings: object, path: string, body: (n: number) => object) =>
  async (db: TestDatabase, topic: OpenTopic): Promise<Try> => {
    const { call } = await startAuth(db, { rateLimitByAddress: false, ...settings }, { now, topic })
    return async (n) => {
      const { status, body: answer } = await call('POST', path, { body: body(n) })
      if (status === 429) expect(answer.error_code).toMatch(/^over_/)
      return status !== 429
    }
  }

const password = 'a very good password'

/** Decision 17: each limit, how many it lets by at once, and a process that has it. */
const limits: Readonly<
  Record<string, { readonly most: number; open(db: TestDatabase, topic: OpenTopic): Promise<Try> }>
> = {
  'calls of auth by an address': {
    most: 30,
    open: authTry({ rateLimitByAddress: true }, '/recover', (n) => ({ email: `recovered-${n}@example.test` })),
  },
  'wrong codes of a contact': {
    most: 30,
    open: authTry({}, '/verify', () => ({ type: 'email', email: 'guessed@example.test', token: '123456' })),
  },
  'mails of the project': {
    most: 3,
    open: authTry({ emailEnableConfirmations: true, rateLimitEmailSent: '3' }, '/otp', (n) => ({
      email: `mailed-${n}@example.test`,
    })),
  },
  'mails to one address, also where there is no account': {
    most: 1,
    open: authTry({}, '/recover', () => ({ email: 'nobody@example.test' })),
  },
  'sign-ins of an operator': {
    most: 4,
    async open(db, topic) {
      const { signIn } = await createOperators({
        ...{ sql: db.admin, now, newId: () => 'id', topic, project: 'Café', passwordHashCost: 4 },
        settings: { ...readSettings(operatorsSettings, []).values, attemptsPerAccount: 4 },
        cookieScope: { isSecure: false, hasOwnHost: false },
        consoleUrl: 'http://127.0.0.1:54323',
        roots: fixedRootKeys('a pepper of the tests'),
        mailer: { send: async () => undefined },
      })
      const client = { address: '203.0.113.7', userAgent: '', cookieHeader: undefined }
      return () =>
        signIn({ email: 'ann@example.test', password }, client).then(
          () => true,
          ({ code }) => code !== 'CLEW_OPERATORS_TOO_MANY_ATTEMPTS',
        )
    },
  },
  'changed images of an address': {
    most: 8,
    async open(db, topic) {
      const { call } = await openStorage(db, {
        now,
        topic,
        settings: { imageTransformation: true, imageRequestsPerSecond: 2 },
      })
      return async () => (await call('/render/image/public/none/none.png?width=1')).status !== 429
    },
  },
}

test('a limit is one for all processes: what one counts, the others count', async ({ db }) => {
  await db.migrate('operators', operatorsTables.postgres)
  await db.migrate('storage', storageTables.postgres)
  for (const [name, { most, open }] of Object.entries(limits)) {
    const { connect } = await (busForms['in the process'] ?? missing)()
    const tries = [
      await open(db, topicsOf(await connect())),
      await open(db, topicsOf(await connect())),
      await open(db, topicsOf(await connect())),
    ]
    const outcomes: boolean[] = []
    for (let n = 0; n < most + tries.length; n += 1) {
      outcomes.push((await tries[n % tries.length]?.(n)) ?? missing())
      // What is said in one turn of the event loop is one message.
      await turn()
      await turn()
    }
    expect(outcomes, name).toEqual([...Array<boolean>(most).fill(true), ...tries.map(() => false)])
  }
})

test('the joins of a second are counted for all processes', async ({ db }) => {
  await db.migrate('realtime', realtimeTables.postgres ?? missing())
  const { connect } = await (busForms['in the process'] ?? missing)()
  const settings = { joinsPerSecond: 5 }
  const [one, two] = [
    await openRealtime(db, { settings, bus: await connect() }),
    await openRealtime(db, { settings, bus: await connect() }),
  ]
  const join = async (socket: RawSocket, n: number): Promise<string> => {
    socket.send(['1', '1', `realtime:room ${n}`, 'phx_join', { config: {} }])
    return JSON.stringify(await socket.until((frame: unknown[]) => frame[3] === 'phx_reply'))
  }
  // Its own count never comes to more than one: a second may end in between, and then it is tried again.
  await expect
    .poll(
      async () => {
        const [busy, other] = [await one.socket(), await two.socket()]
        onTestFinished(() => {
          for (const socket of [busy, other]) socket.close()
        })
        for (let n = 0; n < settings.joinsPerSecond; n += 1) await join(busy, n)
        return join(other, 0)
      },
      { interval: 1_100, timeout: 30_000 },
    )
    .toContain('ClientJoinRateLimitReached')
})

function missing(): never {
  throw new Error('This is there on every machine.')
}
