import { Command, CommanderError } from 'commander'
import { doctor } from './doctor.ts'
import { exitCodeOf } from './exit-codes.ts'
import { keys, rotate } from './keys.ts'
import { metrics } from './metrics.ts'
import { resetFactors } from './operators.ts'
import { type DirectoryOptions, directoryOptions, startOptions } from './options.ts'
import { ownerLink } from './owner-link.ts'
import { printError } from './print.ts'
import { type RestOptions, rest } from './rest.ts'
import { type StartOptions, start } from './start.ts'
import { status } from './status.ts'
import { stop } from './stop.ts'

/** Runs a command and keeps its exit code. */
type Run = (command: () => Promise<number>) => Promise<void>

/**
 * Runs one command line.
 *
 * @param args without the interpreter and the script
 * @returns    the process's exit code, see `exit-codes.ts`
 */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  let code = 0
  const run: Run = async (command) => {
    code = await command()
  }
  // A reader may close the pipe early, as in `clew keys | head -1`. A server goes on without output.
  let isServer = false
  const serve: Run = (command) => {
    isServer = true
    return run(command)
  }
  process.stdout.on('error', () => {
    if (!isServer) process.exit(0)
  })
  process.stderr.on('error', () => undefined)
  const program = new Command('clew')
    .description('Backend and product analytics of a web application in one process, and the thread between them.')
    .showHelpAfterError()
    .exitOverride()
  addStart(program, serve)
  addInstanceCommands(program, run)
  addKeys(program, run)
  addOperators(program, run)
  addDoctor(program, run)
  addRest(program, serve)
  try {
    await program.parseAsync([...args], { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    printError(error)
    return exitCodeOf(error)
  }
}

function addStart(program: Command, serve: Run): void {
  const command = program.command('start').description('start everything and stay until Ctrl-C')
  startOptions(directoryOptions(command)).action((options: StartOptions) => serve(() => start(options)))
}

/** The commands that talk to the running instance. */
function addInstanceCommands(program: Command, run: Run): void {
  const add = (name: string, description: string): Command =>
    directoryOptions(program.command(name).description(description))
  add('status', 'how the running instance is')
    .option('--json', 'as JSON')
    .action((options: DirectoryOptions & { json?: boolean }) => run(() => status(options)))
  add('owner-link', 'a link, good once, that creates the owner of the console').action((options: DirectoryOptions) =>
    run(() => ownerLink(options)),
  )
  add('metrics', 'the running instance’s numbers, as Prometheus reads them').action((options: DirectoryOptions) =>
    run(() => metrics(options)),
  )
  add('stop', 'stop the running instance').action((options: DirectoryOptions) => run(() => stop(options)))
}

function addKeys(program: Command, run: Run): void {
  const command = directoryOptions(program.command('keys').description('the keys of this data directory'))
    .option('--json', 'as JSON')
    .option('--production', 'those of production mode')
    .action((options: DirectoryOptions & { json?: boolean; production?: boolean }) => run(() => keys(options)))
  command
    .command('rotate')
    .description('make a new key to sign tokens with; the keys before it go on verifying')
    .option('--alg <algorithm>', 'ES256, RS256, EdDSA, ES512 or RS512')
    // The parent has the options of the directory: `clew keys --data x rotate` equals `clew keys rotate --data x`.
    .action((_options: object, subcommand: Command) => run(() => rotate(subcommand.optsWithGlobals())))
}

function addOperators(program: Command, run: Run): void {
  directoryOptions(program.command('operators').description('the accounts of the console'))
    .command('reset-factors')
    .description('let an operator who lost every second factor in by the password alone; ends their sessions')
    .argument('<email>', 'the account')
    .action((email: string, _options: object, subcommand: Command) =>
      run(() => resetFactors(email, subcommand.optsWithGlobals())),
    )
}

function addDoctor(program: Command, run: Run): void {
  directoryOptions(program.command('doctor').description('check ports, binaries, disk and the data directory'))
    .option('--port <n>', 'the port to check (54321)')
    .option('--db-port <n>', 'the database port to check (54322)')
    .option('--console-port <n>', 'the console port to check (54323)')
    .action((options: StartOptions) => run(() => doctor(options)))
}

function addRest(program: Command, serve: Run): void {
  program
    .command('rest')
    .description('run the REST service alone on an existing database, in place of PostgREST')
    .argument('[file]', 'a configuration file of PostgREST')
    .option('--config <file>', 'a configuration file of PostgREST')
    .option('--dump-config', 'print the configuration that was read')
    .option('--dump-schema', 'print the schema cache as JSON')
    .option('-v, --version', 'print the version of the protocol')
    .option('-e, --example', 'print a configuration file to begin with')
    .option('--ready', 'ask a running server whether it is ready')
    .action((file: string | undefined, options: RestOptions) => serve(() => rest(file, options)))
}
