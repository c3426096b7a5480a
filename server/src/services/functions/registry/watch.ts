import { existsSync, type FSWatcher, watch } from 'node:fs'
import { join, sep } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { functionsFolder } from '../source/project-folder.ts'

/** Editors write a file in several steps. */
const settleMs = 30

/**
 * Watches the folder of functions.
 *
 * @param changed called with the names of the folders in it in which something was saved
 * @returns null where the folder is not there
 */
export function watchFunctions(project: string, changed: (names: ReadonlySet<string>) => void): FSWatcher | null {
  const folder = join(project, functionsFolder)
  if (!existsSync(folder)) return null
  let names: Set<string> | null = null
  return watch(folder, { recursive: true, persistent: false }, (_event, path) => {
    const name = path?.split(sep)[0]
    if (names === null) {
      names = new Set()
      void delay(settleMs).then(() => {
        const all = names ?? new Set<string>()
        names = null
        changed(all)
      })
    }
    if (name !== undefined) names.add(name)
  })
}
