import { vi } from 'vitest'
import { runCommandLine } from '../src/cli/index.ts'
import type { TestDatabase } from './harness.ts'

/** What a command line printed, and its exit code. */
export interface CommandResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command line in this process, which saves the second that a process of its own takes to begin. */
export async function runCommand(...args: readonly string[]): Promise<CommandResult> {
  const listeners = [process.stdout, process.stderr].map((stream) => ({ stream, of: stream.listeners('error') }))
  const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const written = (spy: typeof stdout): string => spy.mock.calls.map(([text]) => String(text)).join('')
  try {
    const code = await runCommandLine(args)
    return { code, stdout: written(stdout), stderr: written(stderr) }
  } finally {
    stdout.mockRestore()
    stderr.mockRestore()
    for (const { stream, of } of listeners)
      for (const listener of stream.listeners('error'))
        if (!of.includes(listener)) stream.off('error', listener as (error: Error) => void)
  }
}

/** The address of a test's database, as its application's owner. */
export function addressOf(db: TestDatabase, role = 'postgres'): string {
  const { host = '', port = 0, database = '' } = db.login(role)
  return `postgresql://${role}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`
}
