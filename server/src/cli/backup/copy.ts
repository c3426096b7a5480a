import { join } from 'node:path'
import { createClickHouse } from '../../engines/clickhouse/index.ts'
import { openCopiedServer, startServer } from '../../engines/postgres/index.ts'
import { directoryOf } from '../../instance/directory.ts'
import { closeAll } from '../../instance/opened.ts'
import { planClickHouse } from '../../plan/engines.ts'
import type { Manifest, OpenedCopy } from '../../services/backups/index.ts'
import type { Settings } from '../../settings/index.ts'
import { clusterOf, makeSockets } from './recover.ts'

/**
 * Starts the engines of a restored copy on separate sockets, and no service.
 *
 * @throws the errors of engines that do not start
 */
export async function openCopy(settings: Settings, folder: string, { clickhouse }: Manifest): Promise<OpenedCopy> {
  const directory = directoryOf(folder)
  const opened: (() => Promise<void>)[] = []
  const close = (): Promise<void> => closeAll(opened, () => undefined)
  try {
    opened.push(await makeSockets(directory))
    const server = await startServer({ ...clusterOf(directory, directory.postgres), poolSize: 0 })
    opened.push(() => server.stop())
    const postgres = await openCopiedServer(join(directory.sockets, 'postgres'))
    opened.push(() => postgres.close())
    if (clickhouse === null) return { postgres, clickhouse: null, folder, close }
    const engine = createClickHouse(planClickHouse(settings, directory, () => undefined))
    opened.push(() => engine.close())
    await engine.ready()
    return { postgres, clickhouse: engine, folder, close }
  } catch (error) {
    await close()
    throw error
  }
}
