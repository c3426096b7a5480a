import { instanceError } from '../../errors.ts'
import type { DefineCommand } from '../command.ts'
import { type DirectoryOptions, directoryOptions } from '../options.ts'
import { print } from '../print.ts'
import { originOf } from '../remote/connect.ts'
import { storeToken } from '../remote/credentials.ts'
import { readLink } from '../remote/link.ts'
import { settingsOf } from '../settings-of.ts'

export const define: DefineCommand = (command, { run }) => {
  directoryOptions(command)
    .argument('[url]', 'the address of the console; by default that of the linked instance')
    .action((url: string | undefined, options: DirectoryOptions) => run(() => logout(url, options)))
}

/** Forgets the access token of an instance. It stays good until it is revoked in the console. */
async function logout(url: string | undefined, options: DirectoryOptions): Promise<number> {
  const { instance } = await settingsOf({ ...options })
  const linked = instance.project === null ? null : await readLink(instance.project)
  const address = url ?? linked
  if (address === null) throw instanceError('CLEW_START_SETTING', { message: 'Name the address of the console.' })
  const origin = originOf(address)
  const wasThere = await storeToken(origin, null, process.env)
  print(wasThere ? `Signed out of ${origin}; revoke the token in its console.` : `There was no token for ${origin}.`)
  return 0
}
