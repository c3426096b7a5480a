import { spawnSync } from 'node:child_process'
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** Copies what git knows of the repository, as a newcomer has it after a clone. */
export function copySources(folder: string): void {
  const { stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  })
  for (const name of stdout.split('\0')) {
    const from = join(root, name)
    if (name !== '' && existsSync(from)) cpSync(from, join(folder, name))
  }
}
