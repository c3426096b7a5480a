import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { functionsFolder } from './project-folder.ts'

/** Variables by their names. */
export type Variables = Readonly<Record<string, string>>

/** What a project may not set (functions §5): these say where the instance is, and who the function is. */
const isReserved = (name: string): boolean => name.startsWith('SUPABASE_')

/**
 * A function's environment: what its author set in `functions/.env` and in the settings, and what says where the instance
 * is. Nothing of the server's own environment is in it.
 */
export async function readEnvironment(project: string, secrets: Variables, own: Variables): Promise<Variables> {
  const files = await Promise.all(
    ['.env', '.env.local'].map((name) => readFile(join(project, functionsFolder, name), 'utf8').catch(() => '')),
  )
  const set = Object.assign({}, ...files.map((text) => parseEnv(text)), secrets) as Record<string, string>
  return { ...Object.fromEntries(Object.entries(set).filter(([name]) => !isReserved(name))), ...own }
}
