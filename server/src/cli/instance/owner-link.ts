import { askOwnerLink } from '../../instance/control.ts'
import { directoryOf } from '../../instance/directory.ts'
import type { DirectoryOptions } from '../options.ts'
import { print } from '../print.ts'
import { settingsOf } from '../settings-of.ts'

/** Prints a new link that creates the owner of the console, and revokes the one before. Exit code 1 when there is an owner. */
export async function ownerLink(options: DirectoryOptions): Promise<number> {
  const { instance } = await settingsOf({ ...options })
  const link = await askOwnerLink(directoryOf(instance.data).control)
  print(link ?? 'The console has an owner already.')
  return link === null ? 1 : 0
}
