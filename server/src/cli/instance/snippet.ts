import { renderSnippets } from '../../ground/text/snippets.ts'
import { askStatus } from '../../instance/control.ts'
import { directoryOf } from '../../instance/directory.ts'
import type { DirectoryOptions } from '../options.ts'
import { faint, print } from '../print.ts'
import { settingsOf } from '../settings-of.ts'

/**
 * Prints how an application is connected with the running instance: supabase-js and posthog-js with its address and keys.
 *
 * @throws CLEW_NOT_RUNNING
 */
export async function snippet({
  html: asHtml = false,
  json = false,
  ...options
}: DirectoryOptions & { readonly html?: boolean; readonly json?: boolean }): Promise<number> {
  const { instance, analytics } = await settingsOf({ ...options })
  const facts = await askStatus(directoryOf(instance.data).control)
  const snippets = renderSnippets({ ...facts, ingestPath: analytics.path })
  if (json) print(JSON.stringify(snippets, null, 2))
  else if (asHtml) print(snippets.html.code)
  else
    for (const { install, code } of [snippets.supabase, snippets.posthog]) {
      print(faint(`# ${install}`))
      print(`${code}\n`)
    }
  return 0
}
