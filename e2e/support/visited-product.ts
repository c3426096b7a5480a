import type { Browser } from 'playwright-core'
import { type ConsoleApi, claimOwner } from './console-api.ts'
import { type Site, servePage } from './page.ts'
import { type Product, startProduct } from './product.ts'
import { openSharedBrowser } from './shared.ts'

/** A product, and a page on another origin whose visitors it is told of. */
export interface VisitedProduct {
  readonly product: Product
  readonly api: ConsoleApi
  readonly site: Site
  readonly browser: Browser
  close(): Promise<void>
}

/** Starts a product of a file's own, with the owner of `console-api.ts`, and serves the page. */
export async function startVisited(env: NodeJS.ProcessEnv): Promise<VisitedProduct> {
  const product = await startProduct({ env })
  const api = await claimOwner(product)
  const site = await servePage(product)
  const browser = await openSharedBrowser()
  return {
    ...{ product, api, site, browser },
    async close() {
      await browser.close()
      await site.close()
      await product.close()
    },
  }
}
