import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { shownSettings } from './groups.ts'

test.each([
  ['captureDeadClicks', 'dead-clicks-autocapture'],
  ['captureHeatmaps', 'dead-clicks-autocapture'],
  ['captureExceptions', 'exception-autocapture'],
  ['captureWebVitals', 'web-vitals-with-attribution'],
  ['recordSessions', 'lazy-recorder'],
] as const)('%s says how large its script is', async (name, script) => {
  const file = new URL(`../../../../../node_modules/posthog-js/dist/${script}.js`, import.meta.url)
  const kib = Math.round(gzipSync(await readFile(file)).length / 1024)
  expect(shownSettings[name].costs).toContain(`of ${kib} KiB`)
})
