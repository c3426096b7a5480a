import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { instanceError } from '../../errors.ts'
import { confirm } from '../confirm.ts'
import { bold, green, print, printRows } from '../print.ts'
import { withConsole } from '../remote/connect.ts'
import type { RemoteOptions } from '../remote/options.ts'
import { projectOf } from '../target.ts'
import { makerOf, pathOf, sizeOf, timeOf, type VersionAnswer } from './answers.ts'

/** Prints the kept versions of a function, newest first; the one that answers has a mark. */
export async function versions(
  name: string,
  { json = false, ...options }: RemoteOptions & { json?: boolean },
): Promise<number> {
  return withConsole(options, async (api) => {
    const { versions: found } = (await api.send('GET', pathOf(name, '/versions'))) as {
      readonly versions: readonly VersionAnswer[]
    }
    if (json) print(JSON.stringify(found, null, 2))
    else
      printRows(
        ['', 'Version', 'Made', 'By', 'Size', 'Hash'],
        found.map((version) => [
          version.isActive ? '●' : '',
          String(version.number),
          timeOf(version.madeAt),
          makerOf(version),
          sizeOf(version.sizeBytes),
          version.hash,
        ]),
        ['Version', 'Size'],
      )
    return 0
  })
}

/** Has an earlier version answer: the one before the one that answers, where none is named. */
export async function rollBack(name: string, version: string | undefined, options: RemoteOptions): Promise<number> {
  return withConsole(options, async (api) => {
    const number = version === undefined ? await versionBefore() : Number(version)
    if (!Number.isInteger(number) || number < 1)
      throw instanceError('CLEW_START_SETTING', { message: `"${version}" is no number of a version.` })
    await api.send('POST', pathOf(name, '/rollback'), { version: number })
    print(`  ${green('✓')} ${bold(name)} version ${number} answers, on ${api.name}`)
    return 0

    async function versionBefore(): Promise<number> {
      const { versions: found } = (await api.send('GET', pathOf(name, '/versions'))) as {
        readonly versions: readonly VersionAnswer[]
      }
      const active = found.findIndex(({ isActive }) => isActive)
      const before = found[active + 1]
      if (before === undefined)
        throw instanceError('CLEW_CONSOLE_REFUSED', { message: `No version of ${name} before this one is kept.` })
      return before.number
    }
  })
}

/** Deletes a deployed function with its versions. */
export async function remove(name: string, { yes = false, ...options }: RemoteOptions & { yes?: boolean }) {
  return withConsole(options, async (api) => {
    await confirm(`Delete ${name} and its versions from ${api.name}?`, { yes, byDefault: false })
    await api.send('DELETE', pathOf(name))
    print(`  ${green('✓')} ${bold(name)} is deleted from ${api.name}`)
    return 0
  })
}

/** Writes the files of a version into the project folder. */
export async function download(
  name: string,
  { version, force = false, ...options }: RemoteOptions & { version?: string; force?: boolean },
): Promise<number> {
  return withConsole(options, async (api, settings) => {
    const project = projectOf(settings)
    const query = version === undefined ? '' : `version=${encodeURIComponent(version)}`
    const { files } = (await api.send('GET', pathOf(name, `/files?${query}`))) as {
      readonly files: readonly { readonly path: string }[]
    }
    for (const { path } of files) {
      const target = join(project, path)
      if (!target.startsWith(join(project, 'supabase')))
        throw instanceError('CLEW_CONSOLE_REFUSED', {
          message: `${path} is outside of supabase/; nothing was written.`,
        })
    }
    for (const { path } of files) {
      const content = await api.bytes(pathOf(name, `/file?${query}&path=${encodeURIComponent(path)}`))
      await mkdir(dirname(join(project, path)), { recursive: true })
      await writeFile(join(project, path), content, { flag: force ? 'w' : 'wx' }).catch(
        (cause: NodeJS.ErrnoException) => {
          if (cause.code !== 'EEXIST') throw cause
          throw instanceError('CLEW_FUNCTION_EXISTS', {
            message: `${path} is there already; --force replaces what is there.`,
            cause,
          })
        },
      )
      print(`  ${green('✓')} ${path}`)
    }
    return 0
  })
}
