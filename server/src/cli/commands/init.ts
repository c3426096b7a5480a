import { resolve } from 'node:path'
import type { DefineCommand } from '../command.ts'

export const define: DefineCommand = (command, { run }) => {
  command
    .argument('[dir]', 'the folder of the project; created where it is missing', '.')
    .action((folder: string) =>
      run(async () => (await import('../instance/init.ts')).init(resolve(folder), new Date())),
    )
}
