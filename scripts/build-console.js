// Builds the console and puts a compressed copy beside each of its texts, so that serving costs no compression.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { root } from './prepare.js'

const output = join(root, 'server', 'dist', 'console')
const assets = join(output, 'assets')
const built = spawnSync('npx', ['--no-install', 'vite', 'build', '--logLevel', 'warn'], {
  cwd: join(root, 'console'),
  stdio: 'inherit',
})
if (built.status !== 0) process.exit(built.status ?? 1)

for (const entry of readdirSync(output, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.(js|css|html|svg|json)$/.test(entry.name)) continue
  const path = join(entry.parentPath, entry.name)
  const text = readFileSync(path)
  writeFileSync(`${path}.gz`, gzipSync(text))
  // The reader of PDFs is large and seldom opened: a second copy would make the package heavier for little.
  if (!/^pdf[/.-]/.test(relative(assets, path))) writeFileSync(`${path}.br`, brotliCompressSync(text))
}
