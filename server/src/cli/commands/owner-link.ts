import { askOwnerLink } from '../../instance/control.ts'
import { directoryOf } from '../../instance/directory.ts'
import type { DefineCommand } from '../command.ts'
import { type DirectoryOptions, directoryOptions } from '../options.ts'
import { print } from '../print.ts'
import { settingsOf } from '../settings-of.ts'

export const define: DefineCommand = (command, { run }) => {
  directoryOptions(command).action((options: DirectoryOptions) => run(() => ownerLink(options)))
}

/** Prints a new link that creates the owner of the console, and revokes the one before. Exit code 1 when there is an owner. */
export async function ownerLink(options: DirectoryOptions): Promise<number> {
  const { instance } = await settingsOf({ ...options })
  const link = await askOwnerLink(directoryOf(instance.data).control)
  print(link ?? 'The console has an owner already.')
  return link === null ? 1 : 0
}
