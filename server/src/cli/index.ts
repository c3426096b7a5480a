import { Command, CommanderError } from 'commander'
import { doctor } from './doctor.ts'
import { exitCodeOf } from './exit-codes.ts'
import { keys, rotate } from './keys.ts'
import { metrics } from './metrics.ts'
import { resetFactors } from './operators.ts'
import { type PlaceOptions, placeOptions, startOptions } from './options.ts'
import { ownerLink } from './owner-link.ts'
import { printError } from './print.ts'
import { type RestOptions, rest } from './rest.ts'
import { type StartOptions, start } from './start.ts'
import { status } from './status.ts'
import { stop } from './stop.ts'

/**
 * Runs one command line.
 *
 * @param args without the interpreter and the script
 * @returns    the process's exit code, see `exit-codes.ts`
 */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  let code = 0
  // Whoever reads may leave early, as `clew keys | head -1` does. A server has its work to end: it goes on unread.
  let stays = false
  process.stdout.on('error', () => {
    if (!stays) process.exit(0)
  })
  process.stderr.on('error', () => undefined)
  const program = new Command('clew')
    .description('Backend and product analytics of a web application in one process, and the thread between them.')
    .showHelpAfterError()
    .exitOverride()
  const act = async (run: () => Promise<number>): Promise<void> => {
    code = await run()
  }

  startOptions(placeOptions(program.command('start').description('start everything and stay until Ctrl-C'))).action(
    (options: StartOptions) => {
      stays = true
      return act(() => start(options))
    },
  )

  placeOptions(program.command('status').description('how the running instance is'))
    .option('--json', 'as JSON')
    .action((options: PlaceOptions & { json?: boolean }) => act(() => status(options)))

  placeOptions(
    program.command('owner-link').description('a link, good once, that creates the owner of the console'),
  ).action((options: PlaceOptions) => act(() => ownerLink(options)))

  placeOptions(
    program.command('metrics').description('the running instance’s numbers, as Prometheus reads them'),
  ).action((options: PlaceOptions) => act(() => metrics(options)))

  placeOptions(program.command('stop').description('stop the running instance')).action((options: PlaceOptions) =>
    act(() => stop(options)),
  )

  const keysCommand = placeOptions(program.command('keys').description('the keys of this data directory'))
    .option('--json', 'as JSON')
    .option('--production', 'those of production mode')
    .action((options: PlaceOptions & { json?: boolean; production?: boolean }) => act(() => keys(options)))
  keysCommand
    .command('rotate')
    .description('make a new key to sign tokens with; the keys before it go on verifying')
    .option('--alg <algorithm>', 'ES256, RS256, EdDSA, ES512 or RS512')
    // Those of place are the parent's: `clew keys --data x rotate` and `clew keys rotate --data x` mean the same.
    .action((_options: object, command: Command) => act(() => rotate(command.optsWithGlobals())))

  const operators = placeOptions(program.command('operators').description('the accounts of the console'))
  operators
    .command('reset-factors')
    .description('let an operator who lost every second factor in by the password alone; ends their sessions')
    .argument('<email>', 'the account')
    .action((email: string, _options: object, command: Command) =>
      act(() => resetFactors(email, command.optsWithGlobals())),
    )

  placeOptions(program.command('doctor').description('check ports, binaries, disk and the data directory'))
    .option('--port <n>', 'the port to check (54321)')
    .option('--db-port <n>', 'the database port to check (54322)')
    .option('--console-port <n>', 'the console port to check (54323)')
    .action((options: StartOptions) => act(() => doctor(options)))

  program
    .command('rest')
    .description('run the REST service alone on an existing database, in place of PostgREST')
    .argument('[file]', 'a configuration file of PostgREST')
    .option('--config <file>', 'the same')
    .option('--dump-config', 'print the configuration that was read')
    .option('--dump-schema', 'print the schema cache as JSON')
    .option('-v, --version', 'print the version of the protocol')
    .option('-e, --example', 'print a configuration file to begin with')
    .option('--ready', 'ask a running server whether it is ready')
    .action((file: string | undefined, options: RestOptions) => {
      stays = true
      return act(() => rest(file, options))
    })

  try {
    await program.parseAsync([...args], { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    printError(error)
    return exitCodeOf(error)
  }
}
