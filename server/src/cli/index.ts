import { setFlagsFromString } from 'node:v8'
import { Command, CommanderError, Option } from 'commander'
import { version } from '../version.ts'
import type { CommandModule, Runner } from './command.ts'

/** The commands; only the one that is called is loaded, for loading all takes a second. */
export const commands: Readonly<Record<string, readonly [description: string, load: () => Promise<CommandModule>]>> = {
  init: ['write a project folder with a first migration', () => import('./commands/init.ts')],
  start: ['start everything and stay until Ctrl-C', () => import('./commands/start.ts')],
  status: ['how the running instance is', () => import('./commands/status.ts')],
  stop: ['stop the running instance', () => import('./commands/stop.ts')],
  'owner-link': ['a link, good once, that creates the owner of the console', () => import('./commands/owner-link.ts')],
  config: ['the effective settings, and where each comes from', () => import('./commands/config.ts')],
  keys: ['the keys of this data directory', () => import('./commands/keys.ts')],
  snippet: [
    'how an application is connected: supabase-js and posthog-js with this instance’s address and keys',
    () => import('./commands/snippet.ts'),
  ],
  operators: ['the accounts of the console', () => import('./commands/operators.ts')],
  gen: ['generate types of the database', () => import('./commands/database/gen.ts')],
  migration: [
    'the migrations of the project folder and of a database',
    () => import('./commands/database/migration.ts'),
  ],
  db: ['the database: push, reset, diff, pull, dump, lint', () => import('./commands/database/db.ts')],
  inspect: ['how the database is doing: sizes, locks, slow statements', () => import('./commands/database/inspect.ts')],
  test: ['tests of a database', () => import('./commands/database/test.ts')],
  seed: ['run the seeds that have not run, or have changed; make buckets', () => import('./commands/database/seed.ts')],
  functions: ['write, serve and deploy functions', () => import('./commands/functions.ts')],
  secrets: ['variables of functions that are not shown again', () => import('./commands/secrets.ts')],
  recordings: [
    'recordings of sessions as files: export one, import it again',
    () => import('./commands/recordings.ts'),
  ],
  sourcemaps: ['source maps of what was built, for the stacks of errors', () => import('./commands/sourcemaps.ts')],
  login: ['sign in to an instance’s console', () => import('./commands/remote/login.ts')],
  logout: ['forget the access token of an instance', () => import('./commands/remote/logout.ts')],
  link: ['have commands about functions work on another instance', () => import('./commands/remote/link.ts')],
  unlink: ['have them work on the running instance again', () => import('./commands/remote/unlink.ts')],
  storage: ['list, copy, move and remove stored objects', () => import('./commands/storage.ts')],
  import: ['import a Supabase project, or a database of PostgREST', () => import('./commands/database/import.ts')],
  backup: ['back up the running instance; list, restore and remove backups', () => import('./commands/data/backup.ts')],
  upgrade: ['restore points of upgrades: list them, go back to one', () => import('./commands/data/upgrade.ts')],
  erasure: ['certificates of erased people: verify one', () => import('./commands/erasure.ts')],
  export: ['write the database, the users and the events into a folder', () => import('./commands/database/export.ts')],
  metrics: ['the running instance’s numbers, as Prometheus reads them', () => import('./commands/metrics.ts')],
  doctor: [
    'check ports, binaries, disk, the data directory, and what production asks for',
    () => import('./commands/doctor.ts'),
  ],
  mcp: ['tools for agents over standard input and output', () => import('./commands/mcp.ts')],
  rest: [
    'run the REST service alone on an existing database, in place of PostgREST',
    () => import('./commands/rest.ts'),
  ],
}

/**
 * Runs one command line.
 *
 * @param args without the interpreter and the script
 * @returns    the process's exit code, see `exit-codes.ts`
 */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  const program = new Command('clew')
    .description('Backend and product analytics of a web application in one process, and the thread between them.')
    .showHelpAfterError()
    // The Supabase CLI asks for it before some commands.
    .addOption(new Option('--experimental').hideHelp())
    .exitOverride()
  const { runner, exitCode } = createRunner()
  const called = args.find((arg) => Object.hasOwn(commands, arg))
  // `clew rest --version` is PostgREST’s own option.
  if (called === undefined) program.version(version)
  for (const [name, [description, load]] of Object.entries(commands)) {
    const command = program.command(name).description(description)
    if (name === called) (await load()).define(command, runner)
  }
  try {
    await program.parseAsync([...args], { from: 'user' })
    return exitCode()
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const [{ printError }, { exitCodeOf }] = await Promise.all([import('./print.ts'), import('./exit-codes.ts')])
    printError(error)
    return exitCodeOf(error)
  }
}

function createRunner(): { readonly runner: Runner; readonly exitCode: () => number } {
  let code = 0
  let isServer = false
  const run = async (command: () => Promise<number>): Promise<void> => {
    code = await command()
  }
  // A reader may close the pipe early, as in `clew keys | head -1`. A server goes on without output.
  process.stdout.on('error', () => {
    if (!isServer) process.exit(0)
  })
  process.stderr.on('error', () => undefined)
  const serve: Runner['serve'] = (command) => {
    isServer = true
    tuneCollector()
    return run(command)
  }
  return { runner: { run, serve }, exitCode: () => code }
}

/**
 * Two habits of V8 that cost a server more than they save.
 *
 * It allocates what lived long in the past, such as a listener's record, among old objects at once. Those of a request die
 * with it, but until the next full collection they keep all that they name of it: of each call of a function some 7 KB
 * were moved to the old generation, and a collection of the young one took four times as long.
 *
 * It lets the heap of a server with little to do grow by no more than a tenth between two full collections, bytes of
 * buffers counted: with forty images a second it marked the whole heap every second, 40 % of the server's work.
 */
function tuneCollector(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
  setFlagsFromString(`--heap-growing-percent=${heapGrowthPercent}`)
}

const heapGrowthPercent = 100
