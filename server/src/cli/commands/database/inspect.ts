import type { DefineCommand } from '../../command.ts'
import type { InspectOptions, ReportOptions } from '../../inspect.ts'
import { databaseOptions } from '../../options.ts'

export const define: DefineCommand = (command, { run }) => {
  databaseOptions(command.command('db').description('sizes, locks, slow statements, bloat, indexes'))
    .argument('[inspection]', 'its name; without one they are listed')
    .option('--json', 'as JSON')
    .action((name: string | undefined, options: InspectOptions) =>
      run(async () => (await import('../../inspect.ts')).inspect(name, options)),
    )
  databaseOptions(command.command('report').description('every inspection as a CSV file'))
    .option('--output-dir <dir>', 'the folder; one is made for each day', '.')
    .action((options: ReportOptions) => run(async () => (await import('../../inspect.ts')).report(options)))
}
