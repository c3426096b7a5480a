import type { FunctionLog } from '../../ground/model/function-log.ts'
import type { InstanceStatus } from '../../instance/control.ts'
import { startInstance } from '../../instance/index.ts'
import { readPlace } from '../../instance/workers/place.ts'
import { startWorkers } from '../../instance/workers/primary.ts'
import type { ReadyMessage } from '../../package/start.ts'
import type { Settings } from '../../settings/index.ts'
import type { DirectoryOptions } from '../options.ts'
import { bold, faint, green, print, printOver, printTable, printTransient } from '../print.ts'
import { checkSettings, readSettingsOf } from '../settings-of.ts'
import { configNotes } from './config-notes.ts'
import { loadSample } from './load-sample.ts'
import { runWorker } from './worker.ts'

/** The directories, and any setting of the process by its option's name. */
export type StartOptions = DirectoryOptions & Readonly<Record<string, unknown>>

/** What another command changes about a start. */
export interface StartVariant {
  readonly change: (settings: Settings) => Promise<Settings>
  readonly functionLogged: (line: FunctionLog) => void
}

/** Starts everything, prints the addresses, and stays until it is stopped. */
export async function start(options: StartOptions, variant: StartVariant | null = null): Promise<number> {
  const place = readPlace(process.env)
  if (place !== null) return runWorker(options, place)
  const startedAt = performance.now()
  const change = async (settings: Settings): Promise<Settings> =>
    variant === null ? settings : inOneProcess(await variant.change(settings))
  const read = await readSettingsOf({ ...options })
  const settings = await change(checkSettings(read))
  const { workers } = settings.instance
  const mode = settings.instance.production ? 'production' : 'local'
  print()
  print(`  ${bold('Clew')} ${faint(`· ${settings.instance.name} · ${mode}`)}`)
  print()
  for (const line of configNotes(read.config)) print(`  ${faint(line)}`)

  const stopping = stopSignal()
  const parent = options.endsWithParent === true ? endWithParent(stopping.stop) : null
  const instance = await (workers === 1 ? startInstance : startWorkers)({
    settings,
    places: read.places,
    async reread() {
      const again = await readSettingsOf({ ...options })
      return { ...again, settings: await change(again.settings) }
    },
    secretFiles: read.secretFiles,
    report: (line) => printOver(`  ${green('✓')} ${line}`),
    progress: (line) => printTransient(`  ${faint(line)}`),
    onStop: stopping.stop,
    ...(variant === null ? {} : { functionLogged: variant.functionLogged }),
  })
  const { status, shownDbUrl, exampleUrl, ownerLink, missing } = instance
  const facts = await status()
  print()
  printTable([
    ['Console', bold(facts.consoleUrl)],
    ...(exampleUrl === null ? [] : [['Application', bold(exampleUrl)] as const]),
    ['API', facts.apiUrl],
    ['Inbox', facts.inboxUrl],
    ...(shownDbUrl === null ? [] : [['Database', shownDbUrl] as const]),
    ...(workers === 1 ? [] : [['Workers', `${workers} processes`] as const]),
  ])
  print()
  printTable([
    ['publishable key', facts.publishableKey],
    // The output ends in a log, where secret keys must not lie; those of local mode are public.
    ...(mode === 'local' ? [['secret key', facts.secretKey] as const] : []),
    ['anon key', facts.anonKey],
    ...(mode === 'local' ? [['service_role key', facts.serviceRoleKey] as const] : []),
    ['ingest token', facts.ingestToken],
  ])
  if (mode === 'production') print(faint('  `clew status` tells the secret ones, and the database’s password.'))
  const link = await ownerLink()
  if (link !== null) {
    print()
    // A reader of production's log must not be able to own its console.
    if (mode === 'production')
      print(`  The console has no owner yet: ${bold('clew owner-link')} prints the link that creates one.`)
    else {
      print(`  Create the owner with this link; it works once:`)
      print(`  ${bold(link)}`)
    }
  }
  for (const line of missing) {
    print()
    print(`  ${line}`)
  }
  print()
  print(faint(`  Ready in ${((performance.now() - startedAt) / 1000).toFixed(1)} s. Ctrl-C stops everything.`))

  parent?.tellReady(facts)
  const loading = loadSample(instance.loadSample)
  stopping.onReload(() => void instance.reloadSecrets('a signal'))
  await stopping.promise
  print()
  print(faint('  Stopping …'))
  await instance.close()
  await loading
  print(faint('  Stopped.'))
  return 0
}

/** A person reads what the functions of one process say. */
const inOneProcess = (settings: Settings): Settings => ({
  ...settings,
  instance: { ...settings.instance, workers: 1 },
})

/** The channel to the process that forked this one (`start` of the package): its end is this process's, too. */
function endWithParent(stop: () => void): { readonly tellReady: (facts: InstanceStatus) => void } {
  process.once('disconnect', stop)
  // The listener would keep the process, however else it is stopped.
  process.channel?.unref()
  const tellReady = ({ dbUrl, apiUrl, consoleUrl, inboxUrl, ...keys }: InstanceStatus): void => {
    const { publishableKey, secretKey, anonKey, serviceRoleKey, jwtSecret, ingestToken } = keys
    const tokens = { publishableKey, secretKey, anonKey, serviceRoleKey, jwtSecret, ingestToken }
    process.send?.({ apiUrl, consoleUrl, inboxUrl, dbUrl: dbUrl ?? '', ...tokens } satisfies ReadyMessage)
  }
  return { tellReady }
}

/** How the process is asked to stop, and to read its secrets again. */
interface Signals {
  readonly promise: Promise<void>
  readonly stop: () => void
  /** Says what reads the secrets again. */
  readonly onReload: (reload: () => void) => void
}

/**
 * Resolves at the first SIGINT (Ctrl-C) or SIGTERM, or `stop`; a second signal ends the process at once. SIGHUP reads the
 * secrets again, as servers do. To a process that began on a terminal it says that the terminal was closed, and stops it: a
 * shell and the kernel may each send one.
 */
function stopSignal(): Signals {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  const isOnTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY === true)
  let reload = (): void => undefined
  let isStopping = false
  const onStop = (signal: NodeJS.Signals): void => {
    if (isStopping && signal !== 'SIGHUP') process.exit(130)
    isStopping = true
    resolve()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onStop)
  process.on('SIGHUP', (signal) => (isOnTerminal ? onStop(signal) : reload()))
  return {
    promise,
    stop: () => resolve(),
    onReload(again) {
      reload = again
    },
  }
}
