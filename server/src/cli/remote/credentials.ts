import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { isObject } from '../../ground/json/object.ts'

/** Access tokens by the origins of consoles. */
type Tokens = Readonly<Record<string, string>>

/** Where a person's tokens are: a file that only they may read (XDG Base Directory Specification). */
const pathOf = (environment: NodeJS.ProcessEnv): string =>
  join(environment.XDG_CONFIG_HOME || join(homedir(), '.config'), 'clew', 'tokens.json')

async function read(path: string): Promise<Tokens> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw error
  })
  const value: unknown = JSON.parse(text)
  if (!isObject(value)) return {}
  return Object.fromEntries(
    Object.entries(value).flatMap(([origin, token]) => (isText(token) ? [[origin, token]] : [])),
  )
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** The token for a console: `CLEW_ACCESS_TOKEN`, or what was stored by `clew login`. */
export async function findToken(origin: string, environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  return environment.CLEW_ACCESS_TOKEN || (await read(pathOf(environment)))[origin]
}

/** Stores a token, or forgets it where it is null. @returns whether there was one */
export async function storeToken(
  origin: string,
  token: string | null,
  environment: NodeJS.ProcessEnv,
): Promise<boolean> {
  const path = pathOf(environment)
  const { [origin]: before, ...others } = await read(path)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}`
  await writeFile(draft, `${JSON.stringify(token === null ? others : { ...others, [origin]: token }, null, 2)}\n`, {
    mode: 0o600,
  })
  await chmod(draft, 0o600)
  await rename(draft, path)
  return before !== undefined
}
