import type { DefineCommand } from '../command.ts'
import { directoryOptions } from '../options.ts'
import type { StartOptions } from '../start/start.ts'

export const define: DefineCommand = (command, { run }) => {
  directoryOptions(command)
    .option('--port <n>', 'the port to check (54321)')
    .option('--db-port <n>', 'the database port to check (54322)')
    .option('--console-port <n>', 'the console port to check (54323)')
    .option('--production', 'also what the guides of deployment ask for')
    .option(
      '--tables',
      'also whether all tables can be made on the ClickHouse of clickhouse_url, in a database that is dropped again',
    )
    .action((options: StartOptions) => run(async () => (await import('../instance/doctor.ts')).doctor(options)))
}
