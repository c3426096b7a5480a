import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ownersExtensions } from './roles.ts'

/** Control files and scripts of Clew's own extensions. */
const ownExtensions = fileURLToPath(new URL('../extensions/extension/', import.meta.url))

/**
 * Writes anew the folder in which the server looks for extensions first (`extension_control_path`): Clew's own, but for
 * those that the server itself has, and a control file for each of the server's that the owner of a database may create.
 *
 * @param folder named `extension`, as the server expects it below each directory of the path
 * @param systemFolder the control files that come with the server
 */
export async function writeExtensionFiles(folder: string, systemFolder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o755 })
  const ofSystem = new Set(await readdir(systemFolder))
  const own = (await readdir(ownExtensions)).filter(
    (file) => !ofSystem.has(`${file.split(/--|\.control$/)[0]}.control`),
  )
  await Promise.all([
    ...own.map((file) => copyReadable(join(ownExtensions, file), join(folder, file))),
    ...ownersExtensions
      .map((name) => `${name}.control`)
      .filter((file) => ofSystem.has(file))
      .map((file) => writeTrusted(join(folder, file), file, systemFolder)),
  ])
}

async function copyReadable(from: string, to: string): Promise<void> {
  await writeFile(to, await readFile(from), { mode: 0o644 })
}

/** The server's extension with its own script: `trusted` lets the owner of the database create it. */
async function writeTrusted(path: string, file: string, systemFolder: string): Promise<void> {
  const control = await readFile(join(systemFolder, file), 'utf8')
  await writeFile(path, `${control}\ntrusted = true\ndirectory = '${systemFolder}'\n`, { mode: 0o644 })
}
