import { instanceError } from '../../errors.ts'
import { directoryOf } from '../../instance/directory.ts'
import type { Settings } from '../../settings/index.ts'
import { settingsOf } from '../settings-of.ts'
import { type ConsoleApi, openConsoleApi } from './console-api.ts'
import { findToken } from './credentials.ts'
import { readLink } from './link.ts'
import type { RemoteOptions } from './options.ts'

/**
 * Opens the console's API of `--url`, of the linked instance or of the running one, and closes it after `body`.
 *
 * @throws CLEW_START_SETTING, CLEW_SIGNED_OUT, CLEW_NOT_RUNNING, CLEW_CONSOLE_UNREACHABLE, CLEW_CONSOLE_REFUSED
 */
export async function withConsole<T>(
  options: RemoteOptions,
  body: (api: ConsoleApi, settings: Settings) => Promise<T>,
): Promise<T> {
  const { url, local = false, project, data } = options
  const settings = await settingsOf({ project, data })
  const { instance } = settings
  const linked = local || instance.project === null ? null : await readLink(instance.project)
  const origin = url === undefined ? linked : originOf(url)
  const api =
    origin === null
      ? openConsoleApi({ kind: 'socket', path: directoryOf(instance.data).control })
      : openConsoleApi({ kind: 'remote', origin, token: await tokenFor(origin) })
  try {
    return await body(api, settings)
  } finally {
    await api.close()
  }
}

/** The origin of a console's address. @throws CLEW_START_SETTING */
export function originOf(url: string): string {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return new URL(url).origin
  throw instanceError('CLEW_START_SETTING', { message: `"${url}" is no address; allowed: https://console.example.com` })
}

async function tokenFor(origin: string): Promise<string> {
  const token = await findToken(origin, process.env)
  if (token === undefined)
    throw instanceError('CLEW_SIGNED_OUT', { message: `There is no access token for ${origin}.` })
  return token
}
