import { askOwnerLink } from '../instance/control.ts'
import { directoryOf } from '../instance/directory.ts'
import { type PlaceOptions, settingsOf } from './options.ts'
import { print } from './print.ts'

/** Prints a new link that creates the owner of the running instance's console; the one before ends. Exit code 1 when there is an owner. */
export async function ownerLink(options: PlaceOptions): Promise<number> {
  const { instance } = settingsOf({ ...options })
  const link = await askOwnerLink(directoryOf(instance.data).control)
  print(link ?? 'The console has an owner already.')
  return link === null ? 1 : 0
}
