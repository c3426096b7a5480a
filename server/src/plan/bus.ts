import { type Bus, connectNatsBus, connectUnixBus, createInProcessBus } from '../engines/bus/index.ts'
import { instanceError } from '../errors.ts'
import { messageOf } from '../ground/errors/message.ts'
import { uuidv7 } from '../ground/ids/uuidv7.ts'
import type { Settings } from '../settings/index.ts'
import type { WorkerPlace } from './instance.ts'

/** Joins this process with the other workers of its machine, or with those that the settings name. @throws CLEW_START_BUS */
export async function openBus(
  cluster: Settings['cluster'],
  log: (line: string) => void,
  worker: Pick<WorkerPlace, 'node' | 'busSocket'> | null,
): Promise<Bus> {
  const { bus: url, name: prefix, bufferedBytes } = cluster
  const node = worker?.node ?? uuidv7()
  if (url === null && worker !== null) return connectUnixBus({ node, log, socketPath: worker.busSocket, bufferedBytes })
  if (url === null) return createInProcessBus().connect({ node, log })
  try {
    return await connectNatsBus({ node, log, url: () => cluster.bus ?? url, prefix, bufferedBytes })
  } catch (cause) {
    // The address may hold a password.
    throw instanceError('CLEW_START_BUS', { details: `${new URL(url).host}: ${messageOf(cause)}`, cause })
  }
}

/** The bus's numbers; its health is the engine's. */
export const busService = (bus: Bus) => ({
  gauges: [
    {
      name: 'clew_bus_dropped_messages_total',
      help: 'Messages for other processes that found no way since the start',
      read: bus.dropped,
    },
  ],
})
