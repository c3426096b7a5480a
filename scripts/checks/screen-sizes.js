// `node scripts/checks/screen-sizes.js`: the scripts of the built console, as a browser loads them, stay within their limits.
// Home is what a first visit loads; any other screen is what comes on top of the frame. What a screen loads once it is
// asked for, as an editor or the reader of PDFs, is not counted.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { prepare, root } from '../prepare.js'

// Of Home 220,000 bytes: what is opened in it later is loaded later.
const limits = { homeKib: 214, screenKib: 120 }
const home = 'src/routes/index.tsx'

/**
 * The scripts of each screen: `{ screen, files }`, Home with those of the frame, others without.
 *
 * @param {Record<string, { file: string, isEntry?: boolean, imports?: string[] }>} manifest of Vite, by source
 */
export function scriptsOfScreens(manifest) {
  const entry = Object.keys(manifest).find((key) => manifest[key].isEntry)
  const frame = closureOf(manifest, [entry])
  const screens = new Map()
  for (const key of Object.keys(manifest)) {
    // A route's component, its pending state and its loader are chunks of their own.
    const [source, part] = key.split('?tsr-split=')
    if (part === undefined || part.startsWith('errorComponent')) continue
    screens.set(source, [...(screens.get(source) ?? []), key])
  }
  return [...screens].map(([screen, keys]) => {
    const own = closureOf(manifest, keys)
    const files = screen === home ? new Set([...frame, ...own]) : [...own].filter((file) => !frame.has(file))
    return { screen, files: [...files].sort() }
  })
}

/** The files of these chunks and of all that they import. */
function closureOf(manifest, keys) {
  const [seen, waiting] = [new Set(), [...keys]]
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    if (seen.has(key)) continue
    seen.add(key)
    waiting.push(...(manifest[key]?.imports ?? []))
  }
  return new Set([...seen].map((key) => manifest[key].file))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await prepare({ example: false })
  const built = join(root, 'server', 'dist', 'console')
  const manifest = JSON.parse(readFileSync(join(built, '.vite', 'manifest.json'), 'utf8'))
  const sizes = scriptsOfScreens(manifest)
    .map(({ screen, files }) => ({
      screen,
      kib: files.reduce((sum, file) => sum + statSync(join(built, `${file}.gz`)).size, 0) / 1024,
      limitKib: screen === home ? limits.homeKib : limits.screenKib,
    }))
    .sort((a, b) => b.kib - a.kib)
  if (process.argv.includes('--list'))
    for (const { screen, kib } of sizes) console.log(`${kib.toFixed(1)} KiB  ${screen}`)
  if (!sizes.some(({ screen }) => screen === home)) {
    console.error(`There is no script of ${home} in the build.`)
    process.exitCode = 1
  }
  for (const { screen, kib, limitKib } of sizes.filter((one) => one.kib > one.limitKib)) {
    console.error(`${screen} loads ${kib.toFixed(1)} KiB of scripts, gzipped; its limit is ${limitKib} KiB`)
    process.exitCode = 1
  }
}
