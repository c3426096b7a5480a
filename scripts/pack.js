// Before and after `npm pack` of the server: everything is built, and the repository's README and licence lie beside it.
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { prepare, root } from './prepare.js'

const files = ['README.md', 'LICENSE']
if (process.argv.includes('--clean')) for (const file of files) rmSync(join(root, 'server', file), { force: true })
else {
  await prepare({ example: false })
  for (const file of files) copyFileSync(join(root, file), join(root, 'server', file))
}
