import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { keepEvidence, openVisitor } from './browser.ts'
import { type ConsoleApi, claimOwner } from './console-api.ts'
import { openSignedIn } from './console-page.ts'
import { type Product, startProduct } from './product.ts'
import { openSharedBrowser } from './shared.ts'

/** How long a page may take for what it is asked. */
export const pageLimitMs = 60_000

/** A product on a project of its own, with its owner at the console. */
export interface ProjectConsole {
  readonly product: Product
  readonly project: string
  /** The folder of the project's migrations. */
  readonly migrations: string
  readonly api: ConsoleApi
  readonly page: Page
  /** Keeps what a test that failed has left to be seen. */
  keep(testName: string): Promise<void>
  close(): Promise<void>
}

/** Starts a product on a project whose first migration is `text`, and signs its owner in to the console. */
export async function openProjectConsole(name: string, text: string): Promise<ProjectConsole> {
  const project = await mkdtemp(join(tmpdir(), `clew-${name}-`))
  const migrations = join(project, 'supabase', 'migrations')
  await mkdir(migrations, { recursive: true })
  await writeFile(join(migrations, `20260101000000_${name}.sql`), text)
  const product = await startProduct({ project })
  const api = await claimOwner(product)
  const browser = await openSharedBrowser()
  const page = await (await openVisitor(browser)).newPage()
  page.setDefaultTimeout(pageLimitMs)
  await openSignedIn(page, product.consoleUrl)
  return {
    ...{ product, project, migrations, api, page },
    keep: (testName) => keepEvidence(testName, page, product.output()),
    async close() {
      await browser.close()
      await product.close()
      await rm(project, { recursive: true, force: true })
    },
  }
}
