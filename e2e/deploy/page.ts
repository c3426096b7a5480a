import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './sources.ts'

/** A guide's text. */
export const textOf = (page: string): Promise<string> => readFile(join(root, 'docs/guide', page), 'utf8')

/** The blocks of one language below a heading of a guide, up to the next heading, as its readers copy them. */
export async function blocksOf(page: string, heading: string, language = 'sh'): Promise<readonly string[]> {
  let [title, kind]: (string | null)[] = [null, null]
  let isFound = false
  const blocks: string[] = []
  for (const line of (await textOf(page)).split('\n')) {
    const fence = /^```(\w*)$/.exec(line)?.[1]
    if (fence !== undefined) {
      kind = kind === null ? fence : null
      if (kind === language && title === heading) blocks.push('')
    } else if (kind === null) {
      title = /^#+ (.*)$/.exec(line)?.[1] ?? title
      isFound ||= title === heading
    } else if (kind === language && title === heading) blocks.push(`${blocks.pop() ?? ''}${line}\n`)
  }
  if (!isFound) throw new Error(`docs/guide/${page} has no heading "${heading}".`)
  return blocks
}
