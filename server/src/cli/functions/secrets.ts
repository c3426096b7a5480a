import { instanceError } from '../../errors.ts'
import { green, print, printRows } from '../print.ts'
import { withConsole } from '../remote/connect.ts'
import type { RemoteOptions } from '../remote/options.ts'
import { timeOf } from './answers.ts'
import { readSecrets } from './serve.ts'

const path = '/function-secrets'

/** @throws CLEW_SECRET_FORM, CLEW_CONSOLE_REFUSED */
export async function set(
  pairs: readonly string[],
  { envFile, ...options }: RemoteOptions & { envFile?: string },
): Promise<number> {
  const named = pairs.map((pair) => {
    const at = pair.indexOf('=')
    // The pair may be a value alone, which no terminal is to show again.
    if (at < 1) throw instanceError('CLEW_SECRET_FORM')
    return [pair.slice(0, at), pair.slice(at + 1)] as const
  })
  const file = Object.entries(envFile === undefined ? {} : await readSecrets(envFile))
  // A file of local mode names the instance's own variables too, which are not for a project to set.
  const secrets = [...new Map([...file.filter(([name]) => !name.startsWith('SUPABASE_')), ...named])]
  if (secrets.length === 0) throw instanceError('CLEW_SECRET_FORM', { message: 'No secret is named.' })
  return withConsole(options, async (api) => {
    await api.send(
      'POST',
      path,
      secrets.map(([name, value]) => ({ name, value })),
    )
    for (const [name] of secrets) print(`  ${green('✓')} ${name} is set, on ${api.name}`)
    return 0
  })
}

interface SecretsAnswer {
  readonly secrets: readonly { readonly name: string; readonly digest: string; readonly updatedAt: string }[]
}

export async function list({ json = false, ...options }: RemoteOptions & { json?: boolean }): Promise<number> {
  return withConsole(options, async (api) => {
    const { secrets } = (await api.send('GET', path)) as SecretsAnswer
    if (json) print(JSON.stringify(secrets, null, 2))
    else if (secrets.length === 0) print('There are no secrets yet: clew secrets set NAME=value')
    else
      printRows(
        ['Name', 'Digest', 'Set'],
        secrets.map(({ name, digest, updatedAt }) => [name, digest.slice(0, 16), timeOf(updatedAt)]),
      )
    return 0
  })
}

export async function unset(names: readonly string[], options: RemoteOptions): Promise<number> {
  return withConsole(options, async (api) => {
    await api.send('DELETE', path, names)
    for (const name of names) print(`  ${green('✓')} ${name} is deleted, on ${api.name}`)
    return 0
  })
}
