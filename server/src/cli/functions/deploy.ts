import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { FormData } from 'undici'
import { instanceError } from '../../errors.ts'
import { deployedFilesOf, findFunctions, type ProjectFunction } from '../../services/functions/index.ts'
import { confirm } from '../confirm.ts'
import { bold, green, print } from '../print.ts'
import { withConsole } from '../remote/connect.ts'
import type { ConsoleApi } from '../remote/console-api.ts'
import type { RemoteOptions } from '../remote/options.ts'
import { projectOf } from '../target.ts'
import { type FunctionAnswer, pathOf, sizeOf, type VersionAnswer } from './answers.ts'

export interface DeployOptions extends RemoteOptions {
  /** False with `--no-verify-jwt`. */
  readonly verifyJwt: boolean
  readonly importMap?: string
  readonly json?: boolean
  /** Whether deployed functions that the folder does not have are deleted. */
  readonly prune?: boolean
  readonly yes?: boolean
}

/**
 * Deploys functions of the project folder, all where none is named. One that is refused ends the command; what was
 * deployed before stays. With `--prune` the others that were deployed are deleted then.
 *
 * @throws CLEW_FUNCTION_MISSING, CLEW_NOT_CONFIRMED, CLEW_CONSOLE_REFUSED with the compiler's words
 */
export async function deploy(names: readonly string[], options: DeployOptions): Promise<number> {
  const { json = false, verifyJwt, importMap, prune = false, yes = false } = options
  return withConsole(options, async (api, settings) => {
    const project = projectOf(settings)
    const there = await findFunctions(project, settings.functions.each)
    const missing = names.find((name) => !there.some((each) => each.name === name))
    if (missing !== undefined || there.length === 0)
      throw instanceError('CLEW_FUNCTION_MISSING', { details: missing ?? project })
    const surplus = prune ? await findSurplus(api, there) : []
    // Asked first: a no deploys nothing.
    if (surplus.length > 0) await confirm(questionOf(surplus, api.name), { yes, byDefault: false })
    const made: (VersionAnswer & { readonly name: string })[] = []
    for (const found of there.filter(({ name }) => names.length === 0 || names.includes(name))) {
      const source = {
        ...found,
        verifyJwt: verifyJwt && found.verifyJwt,
        importMap: importMap === undefined ? found.importMap : relative(project, importMap),
      }
      const version = await send(api, project, source)
      made.push({ name: source.name, ...version })
      if (!json)
        print(
          `  ${green('✓')} ${bold(source.name)} version ${version.number}, ${sizeOf(version.sizeBytes)}, on ${api.name}`,
        )
    }
    for (const name of surplus) {
      await api.send('DELETE', pathOf(name))
      if (!json) print(`  ${green('✓')} ${bold(name)} is deleted from ${api.name}`)
    }
    if (json) print(JSON.stringify(made, null, 2))
    return 0
  })
}

/** Names of the functions that were deployed to an instance, and that neither this folder nor the instance's own has. */
async function findSurplus(api: ConsoleApi, there: readonly ProjectFunction[]): Promise<readonly string[]> {
  const { functions } = (await api.send('GET', '/functions')) as { readonly functions: readonly FunctionAnswer[] }
  return functions.flatMap(({ name, isInFolder }) =>
    isInFolder || there.some((each) => each.name === name) ? [] : [name],
  )
}

const questionOf = (names: readonly string[], instance: string): string =>
  `Delete ${names.length === 1 ? 'a function that is' : `${names.length} functions that are`} not in the folder, with all ` +
  `versions, from ${instance}: ${names.join(', ')}?`

/** Sends a function with its files, in the Supabase CLI's form (functions §8). */
async function send(api: ConsoleApi, project: string, source: ProjectFunction): Promise<VersionAnswer> {
  const slashed = (path: string): string => path.replaceAll('\\', '/')
  const form = new FormData()
  const metadata = {
    name: source.name,
    entrypoint_path: slashed(source.entry),
    ...(source.importMap === null ? {} : { import_map_path: slashed(source.importMap) }),
    static_patterns: source.staticFiles.map(slashed),
    verify_jwt: source.verifyJwt,
  }
  form.append('metadata', JSON.stringify(metadata))
  for (const path of await deployedFilesOf(project, source))
    form.append('file', new Blob([await readFile(join(project, path))]), path)
  return (await api.send('POST', pathOf(source.name, '/versions'), form)) as VersionAnswer
}
