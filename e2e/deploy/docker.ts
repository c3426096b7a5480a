import { spawnSync } from 'node:child_process'
import { isTrial } from '../support/trials.ts'

/** One command of Docker, or of a shell that calls it, to its end. */
export interface Ran {
  readonly code: number | null
  readonly output: string
}

export function docker(...args: readonly string[]): Ran {
  const { status, stdout, stderr } = spawnSync('docker', args, { encoding: 'utf8' })
  return { code: status, output: `${stdout ?? ''}${stderr ?? ''}`.trim() }
}

/** Runs a block of a page; a line of it that fails ends it. */
export function shell(block: string, cwd: string, env: NodeJS.ProcessEnv = {}): Ran {
  const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', block], {
    encoding: 'utf8',
    cwd,
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 ** 2,
  })
  return { code: status, output: `${stdout}${stderr}`.trim() }
}

/** What a machine that reaches no registry of images runs first. */
const maker = 'e2e/deploy/images/make.sh makes it'

/**
 * Why tests with containers are skipped, to stand in their title: they take minutes, an engine, and images. Empty where they run.
 *
 * @param images those that are started, or built upon; what is not here is pulled
 */
export function whySkipped(images: readonly string[]): string {
  if (!isTrial) return 'npm run trials runs it'
  if (docker('info').code !== 0) return 'no Docker engine answers'
  if (docker('compose', 'version').code !== 0) return 'docker compose is not installed'
  const missing = images.find(
    (image) => docker('image', 'inspect', image).code !== 0 && docker('pull', '--quiet', image).code !== 0,
  )
  return missing === undefined ? '' : `${missing} is neither here nor pulled: ${maker}`
}
