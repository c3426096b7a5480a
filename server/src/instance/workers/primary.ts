import { join } from 'node:path'
import { openBusBroker, tellEnded } from '../../engines/bus/index.ts'
import { createClickHouse } from '../../engines/clickhouse/index.ts'
import { openLog } from '../../engines/log/index.ts'
import { startServer } from '../../engines/postgres/index.ts'
import { uuidv7 } from '../../ground/ids/uuidv7.ts'
import { withValues } from '../../ground/settings/live.ts'
import { planAddresses } from '../../plan/addresses.ts'
import { openBus } from '../../plan/bus.ts'
import { planClickHouse, planPostgres } from '../../plan/engines.ts'
import { createLiveSettings, type Settings } from '../../settings/index.ts'
import { askOwnerLink, askReloadSecrets } from '../control.ts'
import { type Directory, directoryOf } from '../directory.ts'
import type { Instance, StartInput } from '../index.ts'
import { configuredKeys, loadKeys } from '../keys.ts'
import { closeAll } from '../opened.ts'
import { explainStart } from '../refused-start.ts'
import { followSecrets } from '../secrets/follow.ts'
import { createSecretReload } from '../secrets/reload.ts'
import { explainUpgrade, holdDirectory } from '../upgrade/index.ts'
import { type Crew, createCrew } from './crew.ts'
import { openRelay, type RelayDeps, statusOf } from './relay.ts'

/** The embedded engines of an instance. */
interface StartedEngines extends Pick<RelayDeps, 'enginePids'> {
  /** Has the vault take the root keys as they are now. */
  readonly renewVaultKeys: () => Promise<void>
}

/** Longer than a worker takes that ends as it should: its requests, its services and its connections. */
const closingMs = 20_000

/**
 * Takes the data directory, starts the embedded engines and, on them, the workers: processes that share the ports and are
 * each a whole instance. What dies with a worker is the worker's; engines, ports and the bus stay.
 *
 * @throws the CLEW_START_… errors, and the POSTGRES_… errors of a start
 */
export async function startWorkers({
  settings: given,
  reread,
  secretFiles,
  report,
  progress,
  onStop,
}: StartInput): Promise<Instance> {
  const live = createLiveSettings(given)
  const { settings } = live
  const directory = directoryOf(settings.instance.data)
  const { log, close: closeLog } = openLog(withValues(settings.instance, settings.log))
  const logLine = (line: string): void => log.warn(line)
  const opened: (() => Promise<void>)[] = []
  const close = async (): Promise<void> => {
    await closeAll(opened, logLine)
    await closeLog()
  }
  try {
    await holdDirectory(directory, { settings, now: () => new Date(), report, progress, log: logLine }, opened)
    const { enginePids, renewVaultKeys } = await startEngines(settings, directory, logLine, opened)
    const crew = await openCrew(settings, directory, logLine, opened)
    const facts = await crew.start()
    const { members } = crew
    const { reload: reloadSecrets } = createSecretReload({ first: given, live, reread, log: logLine })
    const { control: socketPath } = directory
    const relay = await openRelay({ socketPath, members, enginePids, renewVaultKeys, reloadSecrets, stop: onStop })
    opened.push(() => relay.close())
    const { readNow, close: unfollow } = followSecrets({
      ...{ files: secretFiles, settings, log: logLine },
      reload: (by) => askReloadSecrets(socketPath, by),
    })
    opened.push(unfollow)
    return {
      ...facts,
      status: () => statusOf({ members, enginePids }),
      ownerLink: () => askOwnerLink(directory.control),
      // The first worker does.
      loadSample: async () => null,
      reloadSecrets: readNow,
      close,
    }
  } catch (error) {
    await close()
    throw explainStart(await explainUpgrade(error, directory.data), directory.data)
  }
}

/** Starts what is embedded. Started by the workers, an engine would end with one of them. */
async function startEngines(
  settings: Settings,
  directory: Directory,
  log: (line: string) => void,
  opened: (() => Promise<void>)[],
): Promise<StartedEngines> {
  const { production } = settings.instance
  const load = () => loadKeys(directory.data, production, () => new Date(), configuredKeys(settings))
  let { roots, databasePassword } = await load()
  let takeVaultKeys = async (): Promise<void> => undefined
  const pids = new Map<string, () => Promise<number | null>>()
  const clickhouse = planClickHouse(settings, directory, log)
  if (clickhouse.kind === 'embedded') {
    const engine = createClickHouse(clickhouse)
    opened.push(() => engine.close())
    pids.set('clickhouse', async () => (await engine.health()).pid)
  }
  const postgres = planPostgres(settings, directory, { databasePassword, roots: () => roots }, log)
  if (postgres.kind === 'embedded') {
    const server = await startServer(postgres)
    opened.push(() => server.stop())
    pids.set('postgres', async () => server.pid())
    takeVaultKeys = server.renewVaultKeys
  }
  return {
    enginePids: async () =>
      Object.fromEntries(await Promise.all([...pids].map(async ([name, pid]) => [name, await pid()]))),
    async renewVaultKeys() {
      ;({ roots } = await load())
      await takeVaultKeys()
    },
  }
}

async function openCrew(
  settings: Settings,
  { sockets }: Directory,
  log: (line: string) => void,
  opened: (() => Promise<void>)[],
): Promise<Crew> {
  const { cluster, instance } = settings
  const busSocket = join(sockets, 'bus.sock')
  if (cluster.bus === null) {
    const broker = await openBusBroker({ socketPath: busSocket, bufferedBytes: cluster.bufferedBytes })
    opened.push(() => broker.close())
  }
  const bus = await openBus(cluster, log, { node: uuidv7(), busSocket })
  opened.push(() => bus.close())
  const { api, console } = await planAddresses(instance)
  const crew = createCrew({
    common: { count: instance.workers, busSocket, port: api.port, consolePort: console.port },
    folder: sockets,
    ended: (node) => tellEnded(bus, node),
    log,
    closeGraceMs: instance.closeGraceSeconds * 1000 + closingMs,
  })
  opened.push(() => crew.close())
  return crew
}
