import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { inject } from 'vitest'
import type { ProductFacts } from './product.ts'
import type { CafeOrigins } from './shared-setup.ts'

/** A product that other files use at the same time: what a test makes there has names of its own. */
export interface SharedProduct extends ProductFacts {
  readonly dataDir: string
}

const ask = async (path: string): Promise<string> => {
  const answer = await fetch(`${inject('shared')}/${path}`)
  if (!answer.ok) throw new Error(await answer.text())
  return answer.text()
}

/** The café without its sample; its console has the owner of `console-api.ts`. */
export const sharedCafe = async (): Promise<SharedProduct & CafeOrigins> => JSON.parse(await ask('cafe'))

/** A product that serves the pages of its tests, at http://localhost. */
export const sharedPages = async (): Promise<SharedProduct & { readonly publicFolder: string }> =>
  JSON.parse(await ask('pages'))

/** The product of the example that is rendered on the server. */
export const sharedNotes = async (): Promise<SharedProduct> => JSON.parse(await ask('notes'))

/** What a shared product has printed so far. */
export const outputOf = (name: 'cafe' | 'pages' | 'notes'): Promise<string> => ask(`${name}/output`)

/** Writes a page that `sharedPages` serves; answers its address. */
export async function servePublic(
  { publicFolder, apiUrl }: Awaited<ReturnType<typeof sharedPages>>,
  name: string,
  content: string | Buffer,
): Promise<string> {
  await writeFile(join(publicFolder, name), content)
  return `${apiUrl}/${name === 'index.html' ? '' : name}`
}

/** The browser that all files share; closing it closes what this connection has opened. */
export async function openSharedBrowser(): Promise<Browser> {
  const { endpoint } = JSON.parse(await ask('browser'))
  return chromium.connect(endpoint)
}
