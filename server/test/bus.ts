import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import {
  type Bus,
  connectNatsBus,
  connectUnixBus,
  createInProcessBus,
  openBusBroker,
} from '../src/engines/bus/index.ts'
import { uuidv7 } from '../src/ground/ids/uuidv7.ts'
import { hasNats, startNats } from './nats-server.ts'

/** What nodes of one bus are joined by. */
export interface BusWorld {
  /** A node of the bus, until the test ends. */
  connect(): Promise<Bus>
  /** Ends what stands between the nodes, as a crash does; null where nothing does. */
  readonly cut: (() => Promise<void>) | null
  /** Begins it again. */
  restore(): Promise<void>
}

/** The forms of the bus that this machine can run. */
export const busForms: Readonly<Record<string, () => Promise<BusWorld>>> = {
  'in the process': async () => {
    const { connect } = createInProcessBus()
    return { connect: async () => untilTheEnd(connect(ownNode())), cut: null, restore: async () => undefined }
  },
  'over a Unix socket': async () => {
    const folder = await mkdtemp(join(tmpdir(), 'clew-bus-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const options = { socketPath: join(folder, 'bus.sock'), bufferedBytes }
    let broker = await openBusBroker(options)
    onTestFinished(() => broker.close())
    return {
      connect: async () => untilTheEnd(await connectUnixBus({ ...ownNode(), ...options })),
      cut: () => broker.close(),
      async restore() {
        broker = await openBusBroker(options)
      },
    }
  },
  ...(hasNats
    ? {
        'over NATS': async () => {
          const { url, kill, start } = await startNats()
          const options = { url: () => url, prefix: 'clew', bufferedBytes }
          return {
            connect: async () => untilTheEnd(await connectNatsBus({ ...ownNode(), ...options })),
            cut: kill,
            restore: start,
          }
        },
      }
    : {}),
}

/** More than the tests have under way. */
const bufferedBytes = 64 * 1024 * 1024

const ownNode = () => ({ node: uuidv7(), log: () => undefined })

function untilTheEnd(bus: Bus): Bus {
  onTestFinished(() => bus.close())
  return bus
}
