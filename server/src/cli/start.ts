import { startInstance } from '../instance/index.ts'
import { type PlaceOptions, settingsOf } from './options.ts'
import { bold, faint, green, print, printTable } from './print.ts'

export interface StartOptions extends PlaceOptions {
  readonly port?: string
  readonly host?: string
  readonly dbPort?: string
  readonly inboxPort?: string
  readonly public?: string
  readonly databaseUrl?: string
  readonly clickhouseUrl?: string
  readonly production?: boolean
}

/** Starts everything, prints where to look, and stays until it is told to stop. */
export async function start(options: StartOptions): Promise<number> {
  const startedAt = performance.now()
  const settings = settingsOf({ ...options })
  const mode = settings.instance.production ? 'production' : 'local'
  print()
  print(`  ${bold('Clew')} ${faint(`· ${settings.instance.name} · ${mode}`)}`)
  print()

  const stopping = stopSignal()
  const instance = await startInstance({
    settings,
    report: (line) => print(`  ${green('✓')} ${line}`),
    log: (line) => process.stderr.write(`${line}\n`),
    onStop: stopping.stop,
  })
  const { status, exampleUrl, setupUrl, missing } = instance
  const facts = await status()
  print()
  printTable([
    ['Console', bold(facts.consoleUrl)],
    ...(exampleUrl === null ? [] : [['Application', bold(exampleUrl)] as const]),
    ['API', facts.apiUrl],
    ['Inbox', facts.inboxUrl],
    ...(facts.dbUrl === null ? [] : [['Database', facts.dbUrl] as const]),
  ])
  print()
  printTable([
    ['publishable key', facts.publishableKey],
    ['secret key', facts.secretKey],
    ['anon key', facts.anonKey],
    ['service_role key', facts.serviceRoleKey],
    ['ingest token', facts.ingestToken],
  ])
  if (setupUrl !== null) {
    print()
    print(`  Create the owner with this link; it works once:`)
    print(`  ${bold(setupUrl)}`)
  }
  for (const line of missing) {
    print()
    print(`  ${line}`)
  }
  print()
  print(faint(`  Ready in ${((performance.now() - startedAt) / 1000).toFixed(1)} s. Ctrl-C stops everything.`))

  await stopping.promise
  print()
  print(faint('  Stopping …'))
  await instance.close()
  print(faint('  Stopped.'))
  return 0
}

/** Resolves at the first SIGINT or SIGTERM, or when told to; a second signal ends the process at once. */
function stopSignal(): { readonly promise: Promise<void>; readonly stop: () => void } {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      resolve()
      process.once(signal, () => process.exit(130))
    })
  }
  return { promise, stop: () => resolve() }
}
