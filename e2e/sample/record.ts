// Records the café's sample: a day of visits in a real browser, and of each what the product itself stored.
// By hand, when the café or what is stored of a visit has changed: `npx tsx e2e/sample/record.ts`. Half an hour.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { launchOptions } from '../support/browser.ts'
import { cafeFolder, startProduct } from '../support/product.ts'
import { createDayClock } from './clock.ts'
import { day } from './day.ts'
import { readStored, renderSample } from './file.ts'
import { createGuests } from './visit.ts'

const file = join(cafeFolder, 'sample', 'visits.ndjson.gz')
/** What a page sends as it is left arrives before the next visit begins. */
const lastWordsMs = 1500

const clock = createDayClock()
clock.begin('06:00:00')
const browser = await chromium.launch(launchOptions)
const product = await startProduct({ project: cafeFolder, port: 54321 })
try {
  const guests = createGuests(browser, product, clock)
  for (const { at, play } of day.filter(({ at }) => at.match(process.argv[2] ?? ''))) {
    const beganAt = Date.now()
    clock.begin(at)
    await play(guests)
    await new Promise((resolve) => setTimeout(resolve, lastWordsMs))
    process.stderr.write(`${at}–${clock.scenes.at(-1)?.timeOfDay} ${((Date.now() - beganAt) / 1000).toFixed(1)} s\n`)
  }
  await new Promise((resolve) => setTimeout(resolve, 5000))
  const sample = renderSample(
    { scenes: clock.scenes, origin: product.apiUrl, until: Date.now() },
    await readStored(product),
  )
  await writeFile(file, sample)
  process.stderr.write(`${file}: ${(sample.length / 1024 / 1024).toFixed(1)} MB\n`)
} finally {
  await browser.close()
  await product.close()
}
