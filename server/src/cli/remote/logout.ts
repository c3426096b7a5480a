import { instanceError } from '../../errors.ts'
import type { DirectoryOptions } from '../options.ts'
import { print } from '../print.ts'
import { settingsOf } from '../settings-of.ts'
import { originOf } from './connect.ts'
import { storeToken } from './credentials.ts'
import { readLink } from './link.ts'

/** Forgets the access token of an instance. It stays good until it is revoked in the console. */
export async function logout(url: string | undefined, options: DirectoryOptions): Promise<number> {
  const { instance } = await settingsOf({ ...options })
  const linked = instance.project === null ? null : await readLink(instance.project)
  const address = url ?? linked
  if (address === null) throw instanceError('CLEW_START_SETTING', { message: 'Name the address of the console.' })
  const origin = originOf(address)
  const wasThere = await storeToken(origin, null, process.env)
  print(wasThere ? `Signed out of ${origin}; revoke the token in its console.` : `There was no token for ${origin}.`)
  return 0
}
