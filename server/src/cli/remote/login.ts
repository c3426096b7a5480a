import { hostname } from 'node:os'
import { instanceError } from '../../errors.ts'
import { askHidden } from '../confirm.ts'
import type { DirectoryOptions } from '../options.ts'
import { bold, print } from '../print.ts'
import { settingsOf } from '../settings-of.ts'
import { originOf } from './connect.ts'
import { openConsoleApi } from './console-api.ts'
import { storeToken } from './credentials.ts'
import { readLink } from './link.ts'

export interface LoginOptions extends DirectoryOptions {
  readonly token?: string
}

/** Stores an access token, once the instance has taken it. @throws CLEW_SIGNED_OUT, CLEW_CONSOLE_UNREACHABLE */
export async function login(url: string | undefined, { token, ...options }: LoginOptions): Promise<number> {
  const { instance } = await settingsOf({ ...options })
  const linked = instance.project === null ? null : await readLink(instance.project)
  const address = url ?? linked
  if (address === null) throw instanceError('CLEW_START_SETTING', { message: 'Name the address of the console.' })
  const origin = originOf(address)
  // An empty variable is no token.
  const given = token ?? (process.env.CLEW_ACCESS_TOKEN || (await askToken(origin)))
  const api = openConsoleApi({ kind: 'remote', origin, token: given })
  try {
    const found = (await api.send('GET', '/instance')) as { readonly project: string; readonly mode: string }
    await storeToken(origin, given, process.env)
    print(`Signed in to ${bold(found.project)} (${found.mode}) at ${origin}`)
    return 0
  } finally {
    await api.close()
  }
}

async function askToken(origin: string): Promise<string> {
  print('Make an access token in the console, and paste it here:')
  print(bold(`${origin}/console/access?token=${encodeURIComponent(hostname())}`))
  const token = await askHidden('Access token: ')
  if (token === null || token === '') throw instanceError('CLEW_SIGNED_OUT', { message: 'No access token was given.' })
  return token
}
