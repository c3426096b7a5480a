import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { functionsFolder } from './project-folder.ts'

/** Variables by their names. */
export type Variables = Readonly<Record<string, string>>

/** What a project may not set (functions §5): these say where the instance is, and who the function is. */
const isReserved = (name: string): boolean => name.startsWith('SUPABASE_')

/**
 * The variables of a project's own: of `functions/.env`, and over them those of the settings and of operators. Nothing of
 * the server's own environment is among them.
 *
 * @param set those of the settings and of operators
 */
export async function readSecrets(project: string, set: Variables): Promise<Variables> {
  const files = await Promise.all(
    ['.env', '.env.local'].map((name) => readFile(join(project, functionsFolder, name), 'utf8').catch(() => '')),
  )
  const all = Object.assign({}, ...files.map((text) => parseEnv(text)), set) as Record<string, string>
  return Object.fromEntries(Object.entries(all).filter(([name]) => !isReserved(name)))
}
