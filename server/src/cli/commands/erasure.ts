import type { DefineCommand } from '../command.ts'
import { type DirectoryOptions, directoryOptions } from '../options.ts'

export const define: DefineCommand = (command, { run }) => {
  directoryOptions(
    command.command('verify').description('whether a certificate of an erasure is as this instance signed it'),
  )
    .argument('<file>', 'the certificate, as the console gave it')
    .option('--of <text>', 'and whether it is of the person with this e-mail address, number, name or id')
    .option('--json', 'what was found as JSON')
    .action((file: string, options: DirectoryOptions & { of?: string; json?: boolean }) =>
      run(async () => (await import('../instance/erasure.ts')).verifyErasure(file, options)),
    )
}
