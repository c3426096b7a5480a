import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Where a project says which instance it is deployed to; beside what the Supabase CLI keeps there, and not committed. */
const pathIn = (project: string): string => join(project, 'supabase', '.temp', 'clew-console')

/** The console of the instance that a project is linked to; null where there is none. */
export async function readLink(project: string): Promise<string | null> {
  const text = await readFile(pathIn(project), 'utf8').catch(() => '')
  const url = text.trim()
  return URL.canParse(url) ? url : null
}

/** Links a project to an instance by its console's origin, or to none. */
export async function writeLink(project: string, origin: string | null): Promise<void> {
  const path = pathIn(project)
  if (origin === null) return rm(path, { force: true })
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, `${origin}\n`)
}
