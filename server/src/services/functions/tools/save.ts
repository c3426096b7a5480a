import { randomUUID } from 'node:crypto'
import { realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FunctionsSettings } from '../settings.ts'
import { filesOf } from '../source/files.ts'
import { findFunction, isInside } from '../source/project-folder.ts'
import { toolError } from './errors.ts'

export interface SaveDeps {
  readonly project: string
  readonly each: FunctionsSettings['each']
  /** False in production. */
  readonly saves: boolean
}

/**
 * Writes one of the files that a function has in the project folder. It is replaced in one step: what reads it finds the
 * text before, or this one.
 *
 * @param path relative to the project
 * @throws CLEW_FUNCTIONS_NOT_SAVED_HERE, CLEW_FUNCTIONS_NO_SOURCE
 */
export async function saveFile(
  { name, path, text }: { readonly name: string; readonly path: string; readonly text: string },
  { project, each, saves }: SaveDeps,
): Promise<void> {
  if (!saves) throw toolError('CLEW_FUNCTIONS_NOT_SAVED_HERE')
  const source = await findFunction(project, name, each)
  if (source === null || !(await filesOf(project, source)).includes(path)) throw toolError('CLEW_FUNCTIONS_NO_SOURCE')
  const target = await realpath(join(project, path))
  if (!isInside(await realpath(project), target)) throw toolError('CLEW_FUNCTIONS_NO_SOURCE')
  const draft = join(dirname(target), `.${randomUUID()}.draft`)
  try {
    await writeFile(draft, text, { mode: (await stat(target)).mode })
    await rename(draft, target)
  } finally {
    await rm(draft, { force: true })
  }
}
