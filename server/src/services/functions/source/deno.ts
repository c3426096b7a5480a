import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { isObject } from '../../../ground/json/object.ts'
import { denoEnvironment, type ModuleOptions, moduleArguments } from '../worker/launch.ts'
import type { DenoInstallation } from '../worker/process.ts'

/** Deno as the tool that reads and downloads modules; it runs none of them. */
export interface DenoTool extends DenoInstallation {
  readonly timeoutMs: number
  readonly remoteModules: boolean
}

const execute = promisify(execFile)
const outputBytes = 64 * 1024 * 1024

/** The modules on this machine that an entry file imports and that are not there, as URLs. */
export async function findMissingModules(
  tool: DenoTool,
  entry: string,
  options: Pick<ModuleOptions, 'importMap' | 'config'>,
): Promise<readonly string[]> {
  const { stdout } = await run(tool, [
    'info',
    '--json',
    '--no-remote',
    '--no-npm',
    ...moduleArguments({ ...options, packages: 'cache', lock: null }),
    entry,
  ]).catch(() => ({ stdout: '{}' }))
  const graph: unknown = JSON.parse(stdout)
  const modules = isObject(graph) && Array.isArray(graph.modules) ? graph.modules : []
  return modules.flatMap((module: unknown) =>
    isObject(module) && typeof module.error === 'string' && String(module.specifier).startsWith('file:')
      ? [String(module.specifier)]
      : [],
  )
}

/**
 * Brings the modules that an entry file imports into the cache.
 *
 * @returns what is wrong, with its place in the source; null when all are there
 */
export async function cacheModules(tool: DenoTool, entry: string, options: ModuleOptions): Promise<string | null> {
  const { remoteModules, timeoutMs } = tool
  try {
    // `deno cache` has no option that keeps it from downloading.
    const command = remoteModules ? ['cache', '--allow-import'] : ['test', '--no-run', '--no-check', '--cached-only']
    await run(tool, [...command, ...moduleArguments(options), entry])
    return null
  } catch (error) {
    const { stderr = '', killed, message } = error as Error & { readonly stderr?: string; readonly killed?: boolean }
    if (killed === true) return `Its modules could not be downloaded within ${timeoutMs / 1000} s.`
    const lines = (stderr === '' ? message : stderr).split('\n').filter((line) => !/^(Download|Initialize) /.test(line))
    const end = lines.findIndex((line) => line.startsWith('Stack backtrace'))
    return lines
      .slice(0, end === -1 ? lines.length : end)
      .join('\n')
      .trim()
  }
}

const run = ({ deno, user, timeoutMs, ...installation }: DenoTool, args: readonly string[]) =>
  execute(deno, [...args], {
    // Registries and certificates are named by the environment. No code of the function runs with it.
    env: { ...process.env, ...denoEnvironment(installation) },
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer: outputBytes,
    ...(user ?? {}),
  })
