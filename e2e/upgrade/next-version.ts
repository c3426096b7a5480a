import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { version } from '../../server/src/version.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The version that a build of `buildNextVersion` says it is. */
export const nextVersion = '99.0.0'

/**
 * Makes a later version of the built product: its number, and further migrations.
 *
 * @param folder     a new folder
 * @param migrations statements by their paths below the sources, as `services/notes/migrations/0900_next.sql`
 * @returns its command line
 */
export async function buildNextVersion(folder: string, migrations: Readonly<Record<string, string>>): Promise<string> {
  const server = join(folder, 'server')
  for (const name of ['dist', 'bin', 'package.json'])
    await cp(join(root, 'server', name), join(server, name), { recursive: true })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await symlink(join(root, 'server', 'node_modules'), join(server, 'node_modules'))
  const dist = join(server, 'dist')
  let changed = 0
  for (const name of (await readdir(dist, { recursive: true })).filter((path) => /^(?!console\/).*\.js$/.test(path))) {
    const text = await readFile(join(dist, name), 'utf8')
    const next = text.replaceAll(`"${version}"`, `"${nextVersion}"`)
    if (next === text) continue
    changed += 1
    await writeFile(join(dist, name), next)
  }
  if (changed === 0) throw new Error(`No file of the built product says ${version}.`)
  for (const [path, text] of Object.entries(migrations)) {
    await mkdir(dirname(join(dist, path)), { recursive: true })
    await writeFile(join(dist, path), text)
  }
  return join(server, 'bin', 'clew.js')
}
