import { Option } from 'commander'
import type { DefineCommand } from '../command.ts'
import { type DirectoryOptions, directoryOptions } from '../options.ts'
import { bold, print } from '../print.ts'
import { originOf, withConsole } from '../remote/connect.ts'
import { writeLink } from '../remote/link.ts'
import { settingsOf } from '../settings-of.ts'
import { projectOf } from '../target.ts'

export const define: DefineCommand = (command, { run }) => {
  directoryOptions(command)
    .argument('<url>', 'the address of the instance’s console')
    .addOption(new Option('--project-ref <ref>').hideHelp())
    .action((url: string, options: DirectoryOptions) => run(() => link(url, options)))
}

/** Has commands about functions and secrets work on another instance from here on. @throws CLEW_SIGNED_OUT */
async function link(url: string, options: DirectoryOptions): Promise<number> {
  const project = projectOf(await settingsOf({ ...options }))
  const origin = originOf(url)
  return withConsole({ ...options, url: origin }, async (api) => {
    const found = (await api.send('GET', '/instance')) as { readonly project: string; readonly mode: string }
    await writeLink(project, origin)
    print(`Linked to ${bold(found.project)} (${found.mode}) at ${origin}`)
    return 0
  })
}
