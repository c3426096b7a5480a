import { directoryOf } from '../../instance/directory.ts'
import { openConsoleApi } from '../remote/console-api.ts'

/** What a running instance says of its root keys. */
export interface RootKeysAnswer {
  readonly rootKeys: readonly {
    readonly id: string
    readonly replacedAt: string | null
    readonly isCurrent: boolean
    readonly contents: readonly { readonly name: string; readonly count: number; readonly moves: boolean }[]
  }[]
  /** What is under root keys that are no more. */
  readonly lost: readonly { readonly name: string; readonly count: number }[]
}

/** The root keys of the instance that runs on a data directory. @throws CLEW_NOT_RUNNING */
export const askRootKeys = async (data: string): Promise<RootKeysAnswer> =>
  // `rootKeyRoutes` wrote it.
  (await askConsole(data, 'GET', '/secrets/root-keys')) as RootKeysAnswer

/** Has the instance that runs on a data directory forget an earlier root key. @throws CLEW_NOT_RUNNING, CLEW_CONSOLE_REFUSED */
export async function askRetirement(data: string, id: string, ends: boolean): Promise<void> {
  await askConsole(data, 'DELETE', `/secrets/root-keys/${encodeURIComponent(id)}?ends=${ends}`)
}

async function askConsole(data: string, method: string, path: string): Promise<unknown> {
  const api = openConsoleApi({ kind: 'socket', path: directoryOf(data).control })
  try {
    return await api.send(method, path)
  } finally {
    await api.close()
  }
}
