import type { DirectoryOptions } from '../options.ts'
import { bold, print } from '../print.ts'
import { settingsOf } from '../settings-of.ts'
import { projectOf } from '../target.ts'
import { originOf, withConsole } from './connect.ts'
import { writeLink } from './link.ts'

/** Has commands about functions and secrets work on another instance from here on. @throws CLEW_SIGNED_OUT */
export async function link(url: string, options: DirectoryOptions): Promise<number> {
  const project = projectOf(await settingsOf({ ...options }))
  const origin = originOf(url)
  return withConsole({ ...options, url: origin }, async (api) => {
    const found = (await api.send('GET', '/instance')) as { readonly project: string; readonly mode: string }
    await writeLink(project, origin)
    print(`Linked to ${bold(found.project)} (${found.mode}) at ${origin}`)
    return 0
  })
}

export async function unlink(options: DirectoryOptions): Promise<number> {
  await writeLink(projectOf(await settingsOf({ ...options })), null)
  print('Commands work on the running instance again.')
  return 0
}
