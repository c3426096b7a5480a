import type { Commands } from '../../engines/postgres/index.ts'
import type { EngineHealth } from '../../ground/model/health.ts'
import type { Net } from './net.ts'

/** The advisory lock of the process that sends: `clew` and `net` in ASCII, shortened. */
const lockKey = 0x636c6e74

const waiting: EngineHealth = { name: 'net', state: 'up', detail: 'another process sends', pid: null }

/**
 * The sender among several processes of one database: while one sends, the others wait, since a sender that begins takes
 * what it finds in flight for the work of one that was killed.
 */
export function createLeadNet(hold: Commands['hold'], open: () => Net): Net {
  let net: Net | null = null
  let release = async (): Promise<void> => undefined
  let turn: Promise<void> = Promise.resolve()
  const inTurn = (task: () => Promise<void>): void => {
    turn = turn.then(task, task)
    // Its own health tells of a sender that could not begin.
    turn.catch(() => undefined)
  }
  const end = async (graceMs?: number): Promise<void> => {
    const ending = net
    net = null
    await ending?.close(graceMs)
  }
  return {
    async start() {
      release = await hold(lockKey, {
        onHeld: () =>
          inTurn(async () => {
            net = open()
            await net.start()
          }),
        onLost: () => inTurn(() => end(0)),
      })
    },
    inFlight: () => net?.inFlight() ?? { requests: 0, webhooks: 0 },
    lagSeconds: () => net?.lagSeconds() ?? 0,
    health: () => net?.health() ?? waiting,
    async close(graceMs) {
      await turn.catch(() => undefined)
      await end(graceMs)
      await release()
    },
  }
}
