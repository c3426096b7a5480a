import { createHash } from 'node:crypto'
import { copyFile, mkdir, readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { glob } from 'tinyglobby'
import { functionsError } from '../errors.ts'
import { functionsFolder, isInside, type ProjectFunction } from './project-folder.ts'

/** The lock file of a version, beside its entry file. It says how modules were found, and is none of the author's files. */
export const lockName = '.clew-deno.lock'

const ignored = ['**/node_modules/**', '**/.git/**', '**/.env', '**/.env.*', '**/.temp/**', `**/${lockName}`]

/**
 * The files that a version of a function is made of, relative to the project: its own folder, shared ones, files beside
 * them, and static files.
 */
export async function filesOf(
  project: string,
  { name, entry, staticFiles, importMap }: ProjectFunction,
): Promise<readonly string[]> {
  const root = functionsFolder.replaceAll('\\', '/')
  const patterns = [`${root}/${name}/**`, `${root}/_*/**`, `${root}/*`, ...staticFiles.map(readPattern)]
  const found = await glob(patterns, {
    cwd: project,
    ignore: ignored,
    dot: true,
    followSymbolicLinks: false,
    extglob: false,
  })
  const named = [entry, ...(importMap === null ? [] : [importMap])]
  return [...new Set([...found, ...named])].sort()
}

/** Wildcards are matched by backtracking: the time grows with the length of a name to the power of their number. */
const mostWildcards = 2

/** A pattern of static files. @throws BOOT_ERROR for one that may take for ever */
function readPattern(path: string): string {
  const pattern = path.replaceAll('\\', '/')
  const names = pattern.split('/')
  const isCostly = (text: string): boolean => (text.match(/\*+/g) ?? []).length > mostWildcards
  if (names.filter((name) => name === '**').length > mostWildcards || names.some(isCostly))
    throw bootError(`The pattern ${path} of static_files has more than two * in a name, or more than two **.`)
  return pattern
}

/** Copies files of a project, each of them really in it, and no more than so many bytes. @returns the bytes copied */
export async function copyFiles(
  project: string,
  files: readonly string[],
  target: string,
  maxBytes: number,
): Promise<number> {
  const root = await realpath(project)
  let bytes = 0
  for (const file of files) {
    const path = await realpath(join(project, file))
    if (!isInside(root, path)) throw bootError(`${file} is a link to a file outside of the project.`)
    bytes += (await stat(path)).size
    if (bytes > maxBytes) throw bootError(`The function's files are larger than bundle_mib of [functions] allows.`)
    await mkdir(dirname(join(target, file)), { recursive: true })
    await copyFile(path, join(target, file))
  }
  return bytes
}

/** A name for what these files say, and packages beside them: another one as soon as one of them is another. */
export async function hashFiles(
  folder: string,
  files: readonly string[],
  packages: readonly string[] = [],
): Promise<string> {
  const hash = createHash('sha256').update(packages.join('\0'))
  for (const file of [...files].sort()) {
    const content = await readFile(join(folder, file))
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex').slice(0, 16)
}

/** A function that cannot run, in words that its author can act on. */
export const bootError = (details: string) => functionsError('BOOT_ERROR', { details })
