import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('./postgraphile/', import.meta.url))

/**
 * Installs PostGraphile where it is not yet, and starts it on the Node that it needs; null, with a word why, where
 * that cannot be done.
 */
export async function startPostgraphile(databaseUrl: string): Promise<{ child: ChildProcess; port: number } | null> {
  const node = join(folder, 'node_modules', 'node', 'bin', 'node')
  if (!existsSync(node)) {
    process.stderr.write('Installing PostGraphile 5 …\n')
    spawnSync('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock', '--foreground-scripts'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }
  const child = spawn(node, [join(folder, 'server.mjs'), databaseUrl, '10'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production', GRAPHILE_ENV: 'production' },
  })
  return new Promise((resolve) => {
    const skip = (reason: unknown): void => {
      process.stderr.write(`PostGraphile is left out: ${reason}\n`)
      resolve(null)
    }
    const ended = (code: number | null): void => skip(`it ended with ${code}`)
    child.once('error', skip)
    child.once('exit', ended)
    child.stdout.once('data', (chunk: Buffer) => {
      child.off('exit', ended)
      resolve({ child, port: Number(chunk.toString()) })
    })
  })
}
