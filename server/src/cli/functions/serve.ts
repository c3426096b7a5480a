import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { instanceError } from '../../errors.ts'
import type { FunctionLog } from '../../ground/model/function-log.ts'
import { findFunctions } from '../../services/functions/index.ts'
import type { Settings } from '../../settings/index.ts'
import type { DirectoryOptions } from '../options.ts'
import { projectOf } from '../target.ts'
import { printLine } from './line.ts'

export interface ServeOptions extends DirectoryOptions {
  readonly envFile?: string
  /** False with `--no-verify-jwt`. */
  readonly verifyJwt: boolean
  readonly importMap?: string
  readonly inspect?: boolean
  readonly inspectMode?: 'run' | 'wait' | 'brk'
}

/** How `clew start` starts, with other settings and with a reader of functions' lines. */
export type StartWith = (
  options: DirectoryOptions & Readonly<Record<string, unknown>>,
  variant: {
    readonly change: (settings: Settings) => Promise<Settings>
    readonly functionLogged: (line: FunctionLog) => void
  },
) => Promise<number>

/** Starts as `clew start` does, with other options of functions, and prints their lines. */
export async function serve(
  { envFile, verifyJwt, importMap, inspect = false, inspectMode, ...options }: ServeOptions,
  start: StartWith,
): Promise<number> {
  const secrets = envFile === undefined ? {} : await readSecrets(envFile)
  const change = async (settings: Settings): Promise<Settings> => {
    const { functions } = settings
    const project = projectOf(settings)
    const own = {
      ...(verifyJwt ? {} : { verify_jwt: false }),
      // Paths of these options are relative to the folder `supabase`.
      ...(importMap === undefined ? {} : { import_map: relative(resolve(project, 'supabase'), resolve(importMap)) }),
    }
    const found = await findFunctions(project, functions.each)
    const each = Object.fromEntries(found.map(({ name }) => [name, { ...functions.each[name], ...own }]))
    return {
      ...settings,
      functions: {
        ...functions,
        each: { ...functions.each, ...each },
        secrets: { ...functions.secrets, ...secrets },
        inspect: inspectMode ?? (inspect ? 'brk' : functions.inspect),
      },
    }
  }
  const functionLogged = (line: FunctionLog): void => {
    // Why a function does not start, the server's own log says in this terminal.
    if (line.executionId !== '' && line.kind !== 'boot_failure')
      printLine(line.at.toLocaleTimeString('sv'), line.name, line)
  }
  return start({ ...options }, { change, functionLogged })
}

/** Secrets in the form of `.env`. @throws CLEW_START_SETTING where there is no such file */
export async function readSecrets(path: string): Promise<Readonly<Record<string, string>>> {
  if (!existsSync(path))
    throw instanceError('CLEW_START_SETTING', { message: `--env-file is ${path}, which is not there.` })
  return parseEnv(await readFile(path, 'utf8')) as Record<string, string>
}
