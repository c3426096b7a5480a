import { constants, existsSync } from 'node:fs'
import { cp, readFile, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { isObject } from '../../../ground/json/object.ts'

/** `npm:@scope/name@range/subpath`, and `npm:/name…` of import maps. */
const specifierForm = /npm:\/?((?:@[\w.-]+\/)?[\w.-]+)/g

/** The names of the packages that sources import. */
export const packagesIn = (sources: readonly string[]): readonly string[] => [
  ...new Set(sources.flatMap((source) => [...source.matchAll(specifierForm)].map(([, name = '']) => name))),
]

/**
 * Copies installed packages with all that they depend on, as Node finds them from a folder: in a `node_modules` of it or
 * of a folder above it, up to the project's. Links are followed.
 *
 * @param target the `node_modules` that they are copied into
 * @returns what was copied, as `name@version`; packages that are not installed are left out
 */
export async function copyPackages(
  names: readonly string[],
  { project, from, target }: { readonly project: string; readonly from: string; readonly target: string },
): Promise<readonly string[]> {
  /** Where packages were copied to, by their places. */
  const placed = new Map<string, string>()
  const copied: string[] = []
  const copy = async (name: string, seen: { readonly from: string; readonly parent: string | null }): Promise<void> => {
    const source = await findPackage(name, seen.from, project)
    if (source === null) return
    const common = join(target, name)
    const isTaken = placed.has(common) && placed.get(common) !== source
    // Another version of it was placed first: this one is its dependent's alone.
    const place = isTaken && seen.parent !== null ? join(seen.parent, 'node_modules', name) : common
    if (placed.has(place)) return
    placed.set(place, source)
    const isOwn = (path: string): boolean => basename(path) !== 'node_modules'
    await cp(source, place, { recursive: true, dereference: true, filter: isOwn, mode: constants.COPYFILE_FICLONE })
    const { version, needs } = await readPackage(source)
    copied.push(`${name}@${version}`)
    for (const need of needs) await copy(need, { from: source, parent: place })
  }
  for (const name of names) await copy(name, { from, parent: null })
  return copied.sort()
}

/** A package's folder, where it really is; null where none is installed. */
async function findPackage(name: string, from: string, project: string): Promise<string | null> {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name)
    if (existsSync(join(path, 'package.json'))) return realpath(path)
    // Linked packages stand outside of the project: theirs are looked for to the top.
    if (folder === resolve(project) || folder === dirname(folder)) return null
  }
}

/** A package's version, and the packages that it may load. */
async function readPackage(folder: string): Promise<{ readonly version: string; readonly needs: readonly string[] }> {
  const file: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  if (!isObject(file)) return { version: '', needs: [] }
  const { version, dependencies, optionalDependencies, peerDependencies } = file
  const needs = [dependencies, optionalDependencies, peerDependencies].flatMap((each) =>
    isObject(each) ? Object.keys(each) : [],
  )
  return { version: String(version), needs: [...new Set(needs)] }
}
