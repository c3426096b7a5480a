// Who may import whom, checked: dependency-cruiser over all sources. Its swc front end reads every file as TypeScript
// without JSX and stops at the first component; here it is told which files have some.
import { createRequire } from 'node:module'

const swc = createRequire(import.meta.url)('@swc/core')
const { parseFileSync } = swc
swc.parseFileSync = (path, options) => parseFileSync(path, { ...options, tsx: path.endsWith('x') })

const roots = ['server/src', 'console/src', 'examples/cafe/src', 'examples/ssr/src']
process.argv.push('--config', 'floors.js', '--output-type', 'err', ...roots)
await import('../../node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
